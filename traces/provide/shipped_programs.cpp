#include "traces/provide/shipped_programs.h"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>
#include <utility>

#include "base/parse.h"
#include "traces/provide/data_folder.h"
#include "traces/provide/kernel_entry.h"

namespace gpumodel {

std::string entry_of(const std::vector<std::string>& names, const KernelInstance& instance) {
    const auto wanted = instance_key(instance.family, instance.params);
    for (const auto& name : names) {
        const auto entry = listing_entry(name);
        if (entry && entry->family == instance.family.name &&
            instance_key(instance.family, entry->params) == wanted) {
            return name;
        }
    }
    return "";
}

// Code runs on later minor revisions of its generation too (CUDA C++ programming guide, binary
// compatibility).
std::vector<std::string> code_generations(const std::string& generation) {
    constexpr std::string_view prefix = "sm_";
    const int number =
        generation.starts_with(prefix) ? parse_number<int>(generation.substr(prefix.size())).value_or(0) : 0;
    std::vector<std::string> list{generation};
    constexpr int minors = 10;
    for (int older = number - 1; older > 0 && older >= number / minors * minors; --older) {
        list.push_back(fmt::format("sm_{}", older));
    }
    return list;
}

ShippedPrograms::ShippedPrograms(std::string folder)
    : folder_(folder.empty() ? data_folder(DataFolder::programs).value_or("") : std::move(folder)) {}

const ShippedPrograms::Programs* ShippedPrograms::file(const Family& family,
                                                       const std::string& generation) const {
    const auto [found, added] = files_.try_emplace(fmt::format("{}/{}", generation, family.name));
    std::filesystem::path path;
    std::error_code error;
    for (const auto& of : code_generations(generation)) {
        path = std::filesystem::path(folder_) / of / (family.name + ".programs");
        if (!added || folder_.empty() || std::filesystem::exists(path, error)) {
            break;
        }
    }
    if (added && !folder_.empty() && std::filesystem::exists(path, error)) {
        auto& programs = found->second.emplace();
        programs.reader = std::make_unique<ProgramFileReader>(path.string());
        for (const auto& entry_name : programs.reader->names()) {
            const auto entry = listing_entry(entry_name);
            if (entry && entry->family == family.name &&
                programs.names.emplace(instance_key(family, entry->params), entry_name).second) {
                programs.instances.push_back(entry->params);
            }
        }
    }
    return found->second ? &*found->second : nullptr;
}

std::vector<ParamValues> ShippedPrograms::instances(const Family& family,
                                                    const std::string& generation) const {
    const std::lock_guard lock(mutex_);
    const auto* programs = file(family, generation);
    return programs == nullptr ? std::vector<ParamValues>{} : programs->instances;
}

std::shared_ptr<const CompiledKernel> ShippedPrograms::find(const KernelInstance& instance) const {
    const auto wanted = instance_key(instance.family, instance.params);
    const auto key = instance.generation + ' ' + wanted;
    const std::lock_guard lock(mutex_);
    const auto [found, added] = kernels_.try_emplace(key);
    if (added) {
        const auto* programs = file(instance.family, instance.generation);
        const auto entry = programs == nullptr ? std::map<std::string, std::string>::const_iterator{}
                                               : programs->names.find(wanted);
        if (programs != nullptr && entry != programs->names.end()) {
            found->second = std::make_shared<const CompiledKernel>(programs->reader->load(entry->second));
        }
    }
    return found->second;
}

}  // namespace gpumodel
