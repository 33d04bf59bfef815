// The trace-event file: valid JSON, slices that nest, spans that tile.
#include "model/sim/events/trace_events.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <tuple>

#include "tests/support/micro.h"

namespace trace_events_test {

using namespace gpumodel;
using namespace gpumodel::micro;
using Json = nlohmann::json;

namespace {

// All SMs alike, so that the simulated one runs exactly its share of the blocks.
ArchSpec even(const std::string& name) {
    auto spec = arch(name);
    spec.launch.sm_drift = 0;
    return spec;
}

KernelProgram program(const ArchSpec& spec) {
    auto p =
        looped({load(MemorySpace::global, 8, 0, 1, 0), load(MemorySpace::shared, 12, 0, 1, 1),
                ffma(9, 8, 12, 9), ffma(10, 9, 9, 10), store(MemorySpace::global, 10, 0, 1, 2), branch()},
               4, 3,
               {site(MemorySpace::global, AccessKind::load, 1,
                     [](const Coord& at) {
                         return at.block_x * std::int64_t{1 << 14} + at.loop[0] * 4096 + at.thread * 4;
                     }),
                site(MemorySpace::shared, AccessKind::load, 1,
                     [](const Coord& at) { return std::int64_t{at.thread} * 16; }),
                site(MemorySpace::global, AccessKind::store, 1,
                     [](const Coord& at) { return at.block_x * 4096 + at.thread * 4; })});
    p.kernel = "a \"quoted\" kernel\n\xff";
    return with_grid(std::move(p), 50 * spec.sm_count);
}

Json traced(const ArchSpec& spec, std::int64_t most, bool& truncated) {
    const auto p = program(spec);
    std::ostringstream out;
    TraceEventWriter writer(out, p, most);
    SimOptions options;
    options.exact = true;
    options.listener = &writer;
    REQUIRE(simulate(p, spec, options).status == SimStatus::ok);
    writer.finish();
    truncated = writer.truncated();
    return Json::parse(out.str());
}

struct Slice {
    double from = 0, until = 0;
    std::string category;
};

// Complete slices by (process, thread), in order of start, outer ones first.
std::map<std::pair<int, int>, std::vector<Slice>> slices(const Json& trace) {
    std::map<std::pair<int, int>, std::vector<Slice>> tracks;
    for (const auto& event : trace.at("traceEvents")) {
        if (event.at("ph") == "X") {
            const double from = event.at("ts").get<double>();
            tracks[{event.at("pid"), event.at("tid")}].push_back(
                {from, from + event.at("dur").get<double>(), event.at("cat")});
        }
    }
    for (auto& [track, list] : tracks) {
        std::stable_sort(list.begin(), list.end(), [](const Slice& a, const Slice& b) {
            return std::tuple(a.from, -a.until, a.category != "block") <
                   std::tuple(b.from, -b.until, b.category != "block");
        });
    }
    return tracks;
}

void check_nesting(const std::vector<Slice>& list) {
    std::vector<Slice> open;
    for (const auto& slice : list) {
        while (!open.empty() && open.back().until <= slice.from) {
            open.pop_back();
        }
        CHECK((open.empty() || slice.until <= open.back().until));
        open.push_back(slice);
    }
}

constexpr int warps_process = 1;

// Every block slice is filled by the spans in it, without gaps or overlaps.
int check_tiling(const std::vector<Slice>& list) {
    int blocks = 0;
    double at = 0, block_end = 0;
    for (const auto& slice : list) {
        if (slice.category == "block") {
            CHECK(at == block_end);
            at = slice.from;
            block_end = slice.until;
            ++blocks;
        } else {
            CHECK(slice.from == at);
            CHECK(slice.until <= block_end);
            at = slice.until;
        }
    }
    CHECK(at == block_end);
    return blocks;
}

}  // namespace

TEST_CASE("trace events nest, and a warp's spans tile its blocks", "[timeline]") {
    for (const auto* name : {"k40", "h200_sxm"}) {
        INFO(name);
        bool truncated = true;
        const auto trace = traced(even(name), 1 << 20, truncated);
        CHECK_FALSE(truncated);
        CHECK(trace.at("truncated") == false);
        int blocks = 0;
        for (const auto& [track, list] : slices(trace)) {
            check_nesting(list);
            if (track.first == warps_process) {
                blocks += check_tiling(list);
            }
        }
        CHECK(blocks == 50 * 3);
    }
}

TEST_CASE("memory requests begin and end once each", "[timeline]") {
    bool truncated = true;
    const auto trace = traced(even("h200_sxm"), 1 << 20, truncated);
    std::map<std::int64_t, double> begun;
    int ended = 0;
    for (const auto& event : trace.at("traceEvents")) {
        if (event.at("ph") == "b") {
            CHECK(begun.emplace(event.at("id"), event.at("ts").get<double>()).second);
        } else if (event.at("ph") == "e") {
            CHECK(begun.at(event.at("id")) <= event.at("ts").get<double>());
            ++ended;
        }
    }
    CHECK(begun.size() == 50 * 3 * 4 * 3);  // blocks x warps x trips x instructions
    CHECK(ended == 50 * 3 * 4 * 3);
}

TEST_CASE("a capped trace is valid, says so and still tiles", "[timeline]") {
    constexpr std::int64_t most = 500;
    bool truncated = false;
    const auto trace = traced(even("h200_sxm"), most, truncated);
    CHECK(truncated);
    CHECK(trace.at("truncated") == true);
    std::int64_t counted = 0;
    for (const auto& event : trace.at("traceEvents")) {
        const auto& kind = event.at("ph");
        const bool block = kind == "X" && event.at("cat") == "block";
        counted += (kind == "X" && !block) || kind == "b" || kind == "i" ? 1 : 0;
    }
    CHECK(counted == most);
    for (const auto& [track, list] : slices(trace)) {
        check_nesting(list);
        if (track.first == warps_process) {
            check_tiling(list);
        }
    }
}

}  // namespace trace_events_test
