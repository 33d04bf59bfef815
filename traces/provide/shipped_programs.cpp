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

void ShippedPrograms::read(const std::string& path, const Family& family, Programs& programs) {
    programs.readers.push_back(std::make_unique<ProgramFileReader>(path));
    const auto* reader = programs.readers.back().get();
    for (const auto& name : reader->names()) {
        const auto entry = listing_entry(name);
        if (entry && entry->family == family.name &&
            programs.entries.try_emplace(instance_key(family, entry->params), Programs::Entry{reader, name})
                .second) {
            programs.instances.push_back(entry->params);
        }
    }
}

// Of the first generation that has any.
const ShippedPrograms::Programs* ShippedPrograms::files(const Family& family,
                                                        const std::string& generation) const {
    const auto [found, added] = files_.try_emplace(fmt::format("{}/{}", generation, family.name));
    auto& programs = found->second;
    if (added && !folder_.empty()) {
        for (const auto& of : code_generations(generation)) {
            for (const auto* kind :
                 {".programs", ".best.programs", ".types.programs", ".clusters.programs"}) {
                const auto path = std::filesystem::path(folder_) / of / (family.name + kind);
                std::error_code error;
                if (std::filesystem::exists(path, error)) {
                    read(path.string(), family, programs);
                }
            }
            if (!programs.readers.empty()) {
                break;
            }
        }
    }
    return programs.readers.empty() ? nullptr : &programs;
}

std::vector<ParamValues> ShippedPrograms::instances(const Family& family,
                                                    const std::string& generation) const {
    const std::lock_guard lock(mutex_);
    const auto* programs = files(family, generation);
    return programs == nullptr ? std::vector<ParamValues>{} : programs->instances;
}

std::shared_ptr<const CompiledKernel> ShippedPrograms::find(const KernelInstance& instance) const {
    const auto wanted = instance_key(instance.family, instance.params);
    const auto key = instance.generation + ' ' + wanted;
    const std::lock_guard lock(mutex_);
    const auto [found, added] = kernels_.try_emplace(key);
    if (added) {
        const auto* programs = files(instance.family, instance.generation);
        const auto entry = programs == nullptr ? std::map<std::string, Programs::Entry>::const_iterator{}
                                               : programs->entries.find(wanted);
        if (programs != nullptr && entry != programs->entries.end()) {
            const auto& [reader, name] = entry->second;
            found->second = std::make_shared<const CompiledKernel>(reader->load(name));
        }
    }
    return found->second;
}

}  // namespace gpumodel
