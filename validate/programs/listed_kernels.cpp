#include "validate/programs/listed_kernels.h"

#include <fmt/format.h>

#include "traces/sass/reader/sass_reader.h"
#include "validate/programs/listing_entry.h"

namespace gpumodel {
namespace {

// A measurement may carry parameters that the family fixes.
std::string key_of(const Family& family, const ParamValues& params) {
    ParamValues known;
    for (const auto& spec : family.params) {
        if (const auto found = params.find(spec.name); found != params.end()) {
            known.insert(*found);
        }
    }
    return instance_key(family, resolve_params(family, known));
}

}  // namespace

ListedKernels::ListedKernels(const std::string& path) : module_(read_sass_file(path)) {
    for (const auto& function : module_.functions) {
        if (const auto entry = listing_entry(function.name)) {
            by_instance_.emplace(key_of(*find_family(entry->family), entry->params), &function);
        }
    }
}

const SassFunction* ListedKernels::find(const Measurement& measured) const {
    if (measured.entry) {
        // the length in front of a mangled name tells apart names that contain each other
        const auto part = fmt::format("{}{}", measured.label.size(), measured.label);
        for (const auto& function : module_.functions) {
            if (function.name == measured.label || function.name.find(part) != std::string::npos) {
                return &function;
            }
        }
        return nullptr;
    }
    const auto* family = find_family(measured.family);
    if (family == nullptr) {
        return nullptr;
    }
    const auto found = by_instance_.find(key_of(*family, measured.params));
    return found == by_instance_.end() ? nullptr : found->second;
}

}  // namespace gpumodel
