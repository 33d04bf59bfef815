#include "tests/model/agreement/both_models.h"

#include <catch2/catch.hpp>

#include "model/analytic/predict.h"

namespace gpumodel::agreement {
namespace {

constexpr int accesses_per_trip = 16;
constexpr int warps = 8;  // two on each of four sub-partitions
constexpr std::int64_t few = 16, many = 48;

AccessSite site_of(const Pattern& pattern) {
    constexpr int warp_size = 32;
    auto site = micro::site(pattern.space, pattern.kind, pattern.words,
                            [at = pattern.address](const Coord& c) { return at(c.thread % warp_size); });
    site.active = [at = pattern.address](const Coord& c) { return at(c.thread % warp_size) >= 0; };
    site.lanes_fixed = true;
    return site;
}

Instruction access_of(const Pattern& pattern, int registers, int site) {
    return pattern.kind == AccessKind::load ? micro::load(pattern.space, registers, 0, pattern.words, site)
                                            : micro::store(pattern.space, registers, 0, pattern.words, site);
}

double analytic_cycles(const KernelProgram& program, const ArchSpec& arch) {
    const auto prediction = predict_analytic(program, arch);
    REQUIRE(prediction.status == Status::ok);
    return prediction.cycles;
}

}  // namespace

KernelProgram stream_of(const Pattern& pattern, std::int64_t trips) {
    std::vector<Instruction> code;
    std::vector<AccessSite> sites;
    for (int i = 0; i < accesses_per_trip; ++i) {
        code.push_back(access_of(pattern, 16 + pattern.words * i, i));
        sites.push_back(site_of(pattern));
    }
    code.push_back(micro::branch());
    return micro::looped(std::move(code), trips, warps, std::move(sites));
}

Costs data_stage_cycles(const Pattern& pattern, const ArchSpec& arch) {
    const auto of = [&](std::int64_t trips) {
        const auto program = stream_of(pattern, trips);
        const auto prediction = predict_analytic(program, arch);
        REQUIRE(prediction.status == Status::ok);
        const auto* pipe = pattern.space == MemorySpace::shared ? "shared memory"
                           : arch.l1.unified_with_shared        ? "L1 data pipe"
                                                                : "L1 cache";
        return Costs{bound_cycles(prediction, pipe), micro::run(program, arch).counters.data_pipe_cycles};
    };
    const auto begin = of(few);
    const auto end = of(many);
    constexpr double accesses = (many - few) * accesses_per_trip * warps;
    return {(end.analytic - begin.analytic) / accesses, (end.simulated - begin.simulated) / accesses};
}

Costs waiting_trip_cycles(const Pattern& load, const ArchSpec& arch) {
    return cycles_per_trip(
        [&load](std::int64_t trips) {
            auto program = micro::looped({access_of(load, 8, 0), micro::ffma(20, 8, 8, 20), micro::branch()},
                                         trips, 1, {site_of(load)});
            auto& segment =
                std::get<Interval>(std::get<Loop>(program.body.front()).body.front()).segments.front();
            (load.space == MemorySpace::shared ? segment.dependency.serial_shared_loads
                                               : segment.dependency.serial_global_loads) = 1;
            return program;
        },
        arch);
}

Costs cycles_per_trip(const std::function<KernelProgram(std::int64_t trips)>& program, const ArchSpec& arch) {
    const auto each = [](double begin, double end) { return (end - begin) / (many - few); };
    return {each(analytic_cycles(program(few), arch), analytic_cycles(program(many), arch)),
            each(micro::cycles(program(few), arch), micro::cycles(program(many), arch))};
}

double bound_cycles(const Prediction& prediction, const std::string& name) {
    for (const auto& bound : prediction.bounds) {
        if (bound.name == name) {
            return bound.cycles;
        }
    }
    return 0;
}

}  // namespace gpumodel::agreement
