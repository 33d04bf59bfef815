#include "traces/emulate/prepare/launch_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics.h"
#include "traces/emulate/prepare/constant_bank.h"

namespace gpumodel::emulate {

namespace {

void check_dimensions(const Dim3& dimensions, const std::string& key, const Dim3& most,
                      std::vector<Diagnostic>& faults) {
    const auto check = [&](std::int64_t value, std::int64_t limit, char axis) {
        if (value < 1 || value > limit) {
            faults.push_back({"", 0, 0, fmt::format("{}.{}", key, axis),
                              fmt::format("{} is out of range 1 to {}", value, limit)});
        }
    };
    check(dimensions.x, most.x, 'x');
    check(dimensions.y, most.y, 'y');
    check(dimensions.z, most.z, 'z');
}

// CUDA C++ programming guide, thread block clusters: 16 blocks at most, 8 without asking for more.
void check_cluster(const SassLaunch& launch, std::vector<Diagnostic>& faults) {
    const auto& size = launch.cluster;
    constexpr std::int64_t most_blocks = 16;
    if (size.x < 1 || size.y < 1 || size.z < 1 || size.count() > most_blocks) {
        faults.push_back({"", 0, 0, "cluster",
                          fmt::format("{} x {} x {} blocks; allowed: 1 to {} in all", size.x, size.y, size.z,
                                      most_blocks)});
    } else if (launch.grid.x % size.x != 0 || launch.grid.y % size.y != 0 || launch.grid.z % size.z != 0) {
        faults.push_back(
            {"", 0, 0, "--grid",
             fmt::format("{} x {} x {} blocks are no whole clusters of {} x {} x {}, which the kernel "
                         "is made for",
                         launch.grid.x, launch.grid.y, launch.grid.z, size.x, size.y, size.z)});
    }
}

}  // namespace

// Limits of compute capability 3.0 and later: CUDA C++ programming guide, technical specifications.
void check_launch(const SassFunction& function, const SassLaunch& launch) {
    std::vector<Diagnostic> faults;
    constexpr std::int64_t most_threads = 1024;
    check_dimensions(launch.grid, "--grid", {2147483647, 65535, 65535}, faults);
    check_dimensions(launch.block, "--block", {most_threads, most_threads, 64}, faults);
    if (faults.empty() && launch.block.count() > most_threads) {
        faults.push_back(
            {"", 0, 0, "--block", fmt::format("{} threads; at most {}", launch.block.count(), most_threads)});
    }
    if (!has_known_constants(architecture_number(function.arch))) {
        faults.push_back(
            {"", function.line, 0, "arch",
             fmt::format("cannot emulate {}; allowed: sm_35, sm_37, sm_50 to sm_121", function.arch)});
    }
    check_cluster(launch, faults);
    const bool has_groups =
        std::any_of(function.instructions.begin(), function.instructions.end(),
                    [](const SassInstruction& i) { return i.effect && i.is(OpClass::group_mma); });
    constexpr std::int64_t group_threads = 128;
    if (has_groups && launch.block.count() % group_threads != 0) {
        faults.push_back({"", 0, 0, "--block",
                          fmt::format("{} threads; {} multiplies the matrices of whole warp groups, of 128 "
                                      "threads each",
                                      launch.block.count(), function.name)});
    }
    if (function.instructions.empty()) {
        faults.push_back({"", function.line, 0, function.name, "the function has no instructions"});
    }
    if (!faults.empty()) {
        throw InputError(InputErrorKind::invalid_input, std::move(faults));
    }
}

}  // namespace gpumodel::emulate
