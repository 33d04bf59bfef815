#include "tests/traces/codegen/generated.h"

#include <fmt/format.h>

#include "tests/support/program_checks.h"

namespace gpumodel::test {

namespace {

struct Tiles {
    std::string family;
    ParamValues params;
    ProblemShape shape;
    bool overflows = false;
};

std::vector<Tiles> tiles() {
    const ParamValues warp_64{{"BM", 64}, {"BN", 64}, {"WM", 32}, {"WN", 32}, {"WNITER", 2}, {"TM", 4}};
    std::vector<Tiles> list;
    for (const auto* name : {"naive", "coalesced"}) {
        list.push_back({name, {}, {64, 64, 64}});
        list.push_back({name, {}, {40, 33, 21}});  // edges, and trips that unrolling leaves over
        list.push_back({name, {{"UNROLL", 1}}, {32, 32, 8}});
    }
    for (const auto* name :
         {"ab_simple", "ab_coalesced", "ab_shared", "aat_simple", "aat_coalesced", "aat_padded"}) {
        for (const std::int64_t unroll : {0, 1, 2, 4, 16}) {
            list.push_back({name, {{"UNROLL", unroll}}, {64, 64, 32}});
        }
    }
    for (const auto* name :
         {"offset_copy", "stride_copy", "transpose_naive", "transpose_shared", "transpose_padded"}) {
        list.push_back({name, {}, {64, 64, 32}});
    }
    list.push_back({"smem", {}, {64, 32, 64}});
    list.push_back({"smem", {{"BS", 16}, {"UNROLL", 4}}, {32, 32, 32}});
    list.push_back({"blocktile1d", {}, {64, 128, 24}});
    list.push_back({"blocktile1d", {{"UNROLL", 2}}, {64, 64, 16}});
    list.push_back({"blocktile1d", {{"BM", 32}, {"BN", 32}, {"BK", 16}, {"TM", 2}}, {32, 64, 32}});
    for (const auto* name : {"blocktile2d", "vectorized", "bank_linearize", "bank_extracol", "autotuned"}) {
        for (const std::int64_t unroll : {0, 1, 4, 8}) {
            list.push_back({name, {{"UNROLL", unroll}}, {128, 128, 32}});
        }
    }
    list.push_back({"vectorized", {{"BM", 64}, {"BN", 64}, {"TN", 4}}, {64, 64, 16}});
    list.push_back({"blocktile2d", {{"BM", 32}, {"BN", 32}, {"BK", 32}, {"TM", 4}, {"TN", 4}}, {32, 32, 64}});
    list.push_back({"blocktile2d", {{"BM", 128}, {"BN", 64}, {"TM", 16}, {"UNROLL", 1}}, {128, 64, 16}});
    // sub-tiles of 4x4: merged, or looped over with accumulators in local memory
    list.push_back({"autotuned", {{"BM", 64}, {"BN", 64}, {"TM", 4}, {"TN", 4}}, {64, 64, 32}});
    list.push_back({"autotuned", {{"BM", 128}, {"BN", 64}, {"TM", 4}, {"TN", 4}}, {128, 64, 32}});
    list.push_back({"autotuned", {{"BM", 128}, {"BN", 128}, {"TM", 4}, {"TN", 4}}, {128, 128, 32}});
    for (const auto* name : {"warptile", "doublebuffer", "doublebuffer_async"}) {
        list.push_back({name, {}, {128, 256, 48}});
        list.push_back({name, {{"UNROLL", 4}}, {128, 128, 32}});
        list.push_back({name, {{"UNROLL", 16}}, {128, 128, 16}});
        list.push_back({name, warp_64, {64, 64, 64}});
    }
    list.push_back({"doublebuffer_split", {}, {64, 128, 64}});
    list.push_back({"doublebuffer_split", {}, {64, 128, 48}});  // last round of one tile
    list.push_back({"cublas_sgemm", {}, {128, 128, 32}});
    list.push_back({"cublas_sgemm", {{"BM", 64}, {"BN", 64}}, {65, 100, 19}});
    list.push_back({"cublas_sgemm", {{"BM", 32}, {"BN", 128}}, {32, 128, 16}});
    list.push_back({"blocktile2d", {{"BM", 256}, {"BN", 64}, {"TM", 16}, {"TN", 16}}, {256, 64, 16}, true});
    list.push_back({"doublebuffer",
                    {{"BM", 64}, {"BN", 64}, {"BK", 32}, {"WM", 64}, {"TM", 4}, {"THREADS", 32}},
                    {64, 64, 64},
                    true});
    return list;
}

void walk(const std::vector<Node>& nodes, int depth, Coord& at, const SegmentVisit& visit) {
    for (const Node& node : nodes) {
        if (const auto* loop = std::get_if<Loop>(&node)) {
            const auto d = static_cast<std::size_t>(depth);
            for (at.loop.at(d) = 0; at.loop.at(d) < loop->trips; ++at.loop.at(d)) {
                walk(loop->body, depth + 1, at, visit);
            }
            at.loop.at(d) = 0;
        } else {
            for (const Segment& segment : std::get<Interval>(node).segments) {
                visit(segment, at);
            }
        }
    }
}

}  // namespace

std::string Case::text() const {
    std::string text = fmt::format("{} {}x{}x{} sm_{}", family, shape.m, shape.n, shape.k, cc);
    for (const auto& [key, value] : params) {
        text += fmt::format(" {}={}", key, value);
    }
    return text;
}

std::vector<Case> all_cases() {
    std::vector<Case> cases;
    for (const int cc : {35, 70, 80, 86, 90}) {
        for (const Tiles& t : tiles()) {
            if (find_family(t.family)->min_compute_capability <= cc) {
                cases.push_back({t.family, t.params, t.shape, cc, t.overflows});
            }
        }
    }
    return cases;
}

KernelProgram tile_level(const Case& c) {
    return program_of(c.family, c.params, c.shape, c.cc);
}
KernelProgram generated(const Case& c) {
    return generate_code(tile_level(c), target_sm(c.cc));
}

void for_each_pass(const std::vector<Node>& nodes, const SegmentVisit& visit) {
    Coord at;
    walk(nodes, 0, at, visit);
}

void for_each_segment(const std::vector<Node>& nodes, const std::function<void(const Segment&)>& visit) {
    for (const Node& node : nodes) {
        if (const auto* loop = std::get_if<Loop>(&node)) {
            for_each_segment(loop->body, visit);
        } else {
            for (const Segment& segment : std::get<Interval>(node).segments) {
                visit(segment);
            }
        }
    }
}

}  // namespace gpumodel::test
