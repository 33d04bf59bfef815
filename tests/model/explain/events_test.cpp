// The listener contract, the text timeline and the trace-event file.
#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <tuple>

#include "model/sim/events/listener_list.h"
#include "model/sim/events/timeline.h"
#include "model/sim/events/trace_events.h"
#include "tests/support/micro.h"

using namespace gpumodel;
using namespace gpumodel::micro;

namespace {

// All SMs alike, so that the simulated one runs exactly its share of the blocks.
ArchSpec even(const std::string& name) {
    auto spec = arch(name);
    spec.launch.sm_drift = 0;
    return spec;
}

// Two warps load, use what came, meet at a barrier; several blocks one after the other.
KernelProgram busy(std::int64_t blocks) {
    const auto rows = [](const Coord& at) { return at.block_x * std::int64_t{4096} + at.thread * 4; };
    auto program = straight(
        {load(MemorySpace::global, 8, 0, 1, 0), store(MemorySpace::shared, 8, 1, 1, 1), barrier()}, 2,
        {site(MemorySpace::global, AccessKind::load, 1, rows),
         site(MemorySpace::shared, AccessKind::store, 1,
              [](const Coord& at) { return std::int64_t{at.thread} * 8; })});
    Interval after;
    Segment use = std::get<Interval>(program.body.front()).segments.front();
    use.name = "use \"quoted\"";
    use.code = {load(MemorySpace::shared, 9, 1, 1, 1), ffma(10, 9, 9, 10), ffma(11, 10, 9, 10)};
    after.segments = {use};
    program.body.emplace_back(after);
    program.kernel = "busy \"kernel\"\n";
    return with_grid(std::move(program), blocks);
}

SimResult listened(const KernelProgram& program, const ArchSpec& spec, SimListener& listener) {
    SimOptions options;
    options.exact = true;
    options.listener = &listener;
    auto result = simulate(program, spec, options);
    REQUIRE(result.status == SimStatus::ok);
    return result;
}

class Recorder : public SimListener {
public:
    void block_started(std::int64_t cycle, int slot, std::int64_t block, int warps) override {
        CHECK(running.emplace(slot, block).second);
        for (int w = 0; w < warps; ++w) {
            start[{block, w}] = cycle;
        }
    }
    void block_ended(std::int64_t cycle, int slot, std::int64_t block) override {
        CHECK(running.at(slot) == block);
        running.erase(slot);
        end[block] = cycle;
    }
    void barrier_released(std::int64_t /*cycle*/, int /*slot*/, std::int64_t /*block*/) override {
        ++releases;
    }
    void issued(const WarpIssue& issue) override { issues.push_back(issue); }
    void spent(const WarpSpan& span) override { spans.push_back(span); }
    void wavefront(const DataPipeWavefront& wavefront) override { wavefronts.push_back(wavefront); }
    void memory_request(const MemoryRequest& request) override { requests.push_back(request); }

    std::map<int, std::int64_t> running;
    std::map<std::pair<std::int64_t, int>, std::int64_t> start;
    std::map<std::int64_t, std::int64_t> end;
    std::vector<WarpIssue> issues;
    std::vector<WarpSpan> spans;
    std::vector<DataPipeWavefront> wavefronts;
    std::vector<MemoryRequest> requests;
    int releases = 0;
};

}  // namespace

TEST_CASE("a warp's spans tile its life; issues, blocks and barriers are all heard", "[events]") {
    for (const auto* name : {"k40", "v100_sxm2", "h200_sxm"}) {
        INFO(name);
        const auto spec = even(name);
        const std::int64_t blocks = 40 * spec.sm_count;  // more than are resident
        Recorder heard;
        const auto result = listened(busy(blocks), spec, heard);
        CHECK(heard.running.empty());
        CHECK(heard.end.size() == 40);
        CHECK(heard.releases == 40);
        CHECK(heard.issues.size() == 40 * 2 * 6);
        std::map<std::pair<std::int64_t, int>, std::int64_t> at = heard.start;
        double cycles = 0;
        for (const auto& span : heard.spans) {
            auto& until = at.at({span.warp.block, span.warp.warp});
            CHECK(span.from == until);
            CHECK(span.until > span.from);
            until = span.until;
            cycles += static_cast<double>(span.until - span.from);
        }
        for (const auto& [warp, until] : at) {
            CHECK(until <= heard.end.at(warp.first));
        }
        CHECK(cycles == result.counters.warp_cycles);
        CHECK(result.accounted_warp_cycles == result.resident_warp_cycles);
        CHECK(result.resident_warp_cycles == cycles);
    }
}

TEST_CASE("wavefronts follow each other in the data pipe and requests name their block", "[events]") {
    const auto spec = even("h200_sxm");
    Recorder heard;
    const auto result = listened(busy(40 * spec.sm_count), spec, heard);
    // two loads and a store per warp; the store and the shared load have two lanes in each bank
    CHECK(heard.requests.size() == 40 * 2 * 3);
    CHECK(heard.wavefronts.size() == 40 * 2 * (1 + 2 + 2));
    double busy_cycles = 0;
    for (std::size_t i = 0; i < heard.wavefronts.size(); ++i) {
        busy_cycles += heard.wavefronts[i].cycles;
        if (i > 0) {
            CHECK(heard.wavefronts[i].start >=
                  heard.wavefronts[i - 1].start + heard.wavefronts[i - 1].cycles);
        }
    }
    // lines that come in take the pipe as well
    CHECK(busy_cycles <= result.counters.data_pipe_cycles);
    std::map<std::tuple<std::int64_t, int>, int> of_warp;
    for (const auto& request : heard.requests) {
        ++of_warp[{request.warp.block, request.warp.warp}];
        CHECK(request.last_start >= request.available);
        CHECK((request.op == OpClass::shared_store) == (request.ready == 0));
    }
    CHECK(of_warp.size() == 80);
    CHECK(std::all_of(of_warp.begin(), of_warp.end(), [](const auto& entry) { return entry.second == 3; }));
}

TEST_CASE("listening changes nothing", "[events]") {
    const auto spec = even("v100_sxm2");
    const auto program = busy(20 * spec.sm_count);
    SimOptions options;
    options.exact = true;
    Recorder heard;
    CHECK(listened(program, spec, heard).cycles == simulate(program, spec, options).cycles);
}

TEST_CASE("the timeline shows a dependent chain letter by letter", "[timeline]") {
    const auto spec = even("h200_sxm");
    TimelineRecorder recorder({0, 12, 16});
    const auto program = straight({ffma(9, 0, 1, 9), ffma(9, 0, 1, 9), arithmetic(OpClass::iadd, 10, {9})});
    static_cast<void>(listened(program, spec, recorder));
    REQUIRE(recorder.rows().size() == 1);
    // FFMA latency 4: issue, three cycles of waiting
    REQUIRE(spec.op(OpClass::ffma)->latency_cycles == 4);
    CHECK(recorder.rows().front().cells == "F---F---I   ");
}

TEST_CASE("the timeline's window and its number of warps are kept", "[timeline]") {
    const auto spec = even("h200_sxm");
    TimelineRecorder recorder({4, 3, 2});
    const auto program =
        straight({ffma(9, 0, 1, 9), ffma(9, 0, 1, 9), arithmetic(OpClass::iadd, 10, {9})}, 8);
    static_cast<void>(listened(program, spec, recorder));
    REQUIRE(recorder.rows().size() == 2);
    for (const auto& row : recorder.rows()) {
        CHECK(row.cells.size() == 3);
        CHECK(row.warp == row.scheduler);  // warp w runs on scheduler w mod 4
    }
    CHECK(recorder.rows().front().cells == "-F-");  // the other warp of the scheduler has the higher slot
}

TEST_CASE("dual-issued pairs show as two", "[timeline]") {
    const auto spec = even("k40");
    TimelineRecorder recorder({0, 4, 1});
    const auto program = straight({dual(ffma(9, 0, 1, 2)), with_stall(ffma(12, 3, 4, 5), 1)});
    static_cast<void>(listened(program, spec, recorder));
    CHECK(recorder.rows().front().cells.front() == '2');
}

TEST_CASE("every reason and class has a letter of its own in the legend", "[timeline]") {
    std::set<char> letters;
    for (const auto& entry : timeline_legend()) {
        CHECK(entry.letter != '?');
        CHECK(letters.insert(entry.letter).second);
    }
    for (std::size_t r = 1; r < stall_reason_count; ++r) {
        CHECK(letters.count(timeline_letter(static_cast<StallReason>(r))) == 1);
    }
    for (std::size_t c = 0; c < op_class_count; ++c) {
        CHECK(letters.count(timeline_letter(static_cast<OpClass>(c))) == 1);
    }
}
