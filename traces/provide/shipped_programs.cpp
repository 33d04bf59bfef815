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

const ProgramFileReader* ShippedPrograms::file(const std::string& name) const {
    const auto [found, added] = files_.try_emplace(name);
    const auto path = std::filesystem::path(folder_) / name;
    std::error_code error;
    if (added && !folder_.empty() && std::filesystem::exists(path, error)) {
        found->second = std::make_unique<ProgramFileReader>(path.string());
    }
    return found->second.get();
}

std::shared_ptr<const CompiledKernel> ShippedPrograms::find(const KernelInstance& instance) const {
    const auto key = instance.generation + ' ' + instance_key(instance.family, instance.params);
    const std::lock_guard lock(mutex_);
    const auto [found, added] = kernels_.try_emplace(key);
    if (added) {
        const auto* programs = file(fmt::format("{}/{}.programs", instance.generation, instance.family.name));
        const auto name = programs == nullptr ? "" : entry_of(programs->names(), instance);
        if (!name.empty()) {
            found->second = std::make_shared<const CompiledKernel>(programs->load(name));
        }
    }
    return found->second;
}

}  // namespace gpumodel
