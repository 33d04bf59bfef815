#include "traces/provide/shipped_programs.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

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

ShippedPrograms::ShippedPrograms(std::string folder)
    : folder_(folder.empty() ? data_folder(DataFolder::programs).value_or("") : std::move(folder)) {}

const ShippedPrograms::Programs* ShippedPrograms::file(const Family& family,
                                                       const std::string& generation) const {
    const auto name = fmt::format("{}/{}.programs", generation, family.name);
    const auto [found, added] = files_.try_emplace(name);
    const auto path = std::filesystem::path(folder_) / name;
    std::error_code error;
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
