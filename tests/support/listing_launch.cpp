#include "tests/support/listing_launch.h"

#include <fmt/format.h>

#include "tests/support/listing_files.h"

using namespace gpumodel;

namespace {

// Parameters in the order of the kernels' template arguments; what they do not name is UNROLL alone.
std::string csv_params(const std::string& mangled, const KernelName& name) {
    const auto* family = find_family(name.family);
    std::string text;
    for (const auto& p : family->params) {
        if (name.params.contains(p.name)) {
            text += fmt::format("{}{}={}", text.empty() ? "" : ";", p.name, name.at(p.name));
        } else if (p.name != "UNROLL") {
            text += fmt::format("{}{}={}", text.empty() ? "" : ";", p.name, p.default_value);
        }
    }
    const auto unroll = mangled.find("ILi");
    if (!name.params.contains("UNROLL") && unroll != std::string::npos) {
        text += fmt::format("{}UNROLL={}", text.empty() ? "" : ";", std::stoi(mangled.substr(unroll + 3)));
    }
    return text;
}

std::string arguments_of(const std::string& family, const ProblemShape& shape, const ParamValues& params) {
    if (family.rfind("ab_", 0) == 0) {
        return fmt::format("ptr,ptr,ptr,{}", shape.n);
    }
    if (family.rfind("aat_", 0) == 0) {
        return fmt::format("ptr,ptr,{}", shape.m);
    }
    if (family.rfind("transpose_", 0) == 0) {
        return fmt::format("ptr,ptr,{},{}", shape.m, shape.n);
    }
    if (family == "offset_copy") {
        return fmt::format("ptr,ptr,{}", params.at("OFFSET"));
    }
    if (family == "stride_copy") {
        return fmt::format("ptr,ptr,{}", params.at("STRIDE"));
    }
    return fmt::format("{},{},{},0.5f,ptr,ptr,0.25f,ptr", shape.m, shape.n, shape.k);
}

}  // namespace

std::optional<ListingLaunch> listing_launch(const std::string& mangled, const ArchSpec& arch,
                                            std::int64_t size) {
    const auto name = kernel_name(mangled);
    const auto* family = find_family(name.family);
    if (family == nullptr || arch.cc.number() < family->min_compute_capability) {
        return std::nullopt;
    }
    ListingLaunch result;
    result.family = name.family;
    result.params = csv_params(mangled, name);
    result.shape = {size, size, size};
    if (family->default_shape.k == 32) {
        result.shape.k = 32;
    } else if (name.family.find("copy") != std::string::npos ||
               name.family.find("transpose") != std::string::npos) {
        result.shape.k = 1;
    }
    ParamValues values;
    for (const auto& [key, value] : name.params) {
        values[key] = value;
    }
    const auto resolved = resolve_params(*family, values);
    auto lowered = lower_tiles(*family, resolved, result.shape, target_of(arch));
    if (!lowered.program) {
        return std::nullopt;
    }
    result.tile_level = *lowered.program;
    result.launch.grid = result.tile_level.grid;
    result.launch.block = result.tile_level.block;
    result.launch.dynamic_shared_bytes = result.tile_level.resources.dynamic_shared_bytes;
    result.launch.arguments = parse_arguments(arguments_of(name.family, result.shape, resolved));
    return result;
}
