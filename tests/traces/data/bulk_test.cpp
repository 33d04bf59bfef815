// Bulk copies and barriers in shared memory (sm_90 and later, CUDA 13): what the kernels of listings/bulk.cu
// compute, and what their copies are counted as.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <map>

#include "base/diagnostics.h"
#include "tests/traces/data/data_kernel.h"
#include "traces/emulate/operations/mbarrier.h"
#include "traces/emulate/prepare/program.h"
#include "traces/emulate/prepare/program_from_sass.h"
#include "traces/emulate/run/arrivals.h"

using namespace gpumodel;
using namespace gpumodel::data_tests;

namespace {

#define GPUMODEL_EACH_LISTING GENERATE(as<std::string>{}, "bulk_13_sm_90", "bulk_sm_100", "bulk_sm_120")

template <class T>
std::vector<T> computed(const std::string& arch, const std::string& kernel, const SassLaunch& launch) {
    const auto all = execute_grid(data_kernel(arch, kernel), launch);
    CHECK(all.at(0).unknown_bytes == 0);
    std::vector<T> values(all[0].bytes.size() / sizeof(T));
    std::memcpy(values.data(), all[0].bytes.data(), all[0].bytes.size());
    return values;
}

// Of all segments: bytes that sites of an array access.
std::map<std::string, double> bytes_by_array(const KernelProgram& program) {
    std::map<std::string, double> bytes;
    const auto walk = [&](const auto& self, const std::vector<Node>& nodes, double trips) -> void {
        for (const auto& node : nodes) {
            if (const auto* loop = std::get_if<Loop>(&node)) {
                self(self, loop->body, trips * static_cast<double>(loop->trips));
                continue;
            }
            for (const auto& segment : std::get<Interval>(node).segments) {
                for (const auto& site : segment.sites) {
                    for (int word = 0; word < site.words; word += site.vector_words) {
                        for (int thread = segment.thread_begin; thread < segment.thread_end; ++thread) {
                            Coord at;
                            at.thread = thread;
                            bytes[site.array] += site.is_active(at, word) ? trips * site.bytes_per_lane() : 0;
                        }
                    }
                }
            }
        }
    };
    walk(walk, program.body, 1);
    return bytes;
}

}  // namespace

TEST_CASE("an mbarrier completes its phase when neither arrivals nor bytes are missing") {
    using namespace emulate;
    auto b = mbarrier_of(2);
    CHECK(b ==
          (std::uint64_t{0x100000 - 2} << 43 | std::uint64_t{0x100000 - 2} << 1));  // as listings make it
    b = mbarrier_after(b, 1, 4096);
    CHECK_FALSE(mbarrier_phase(b));
    b = mbarrier_after(b, 0, -1024);
    b = mbarrier_after(b, 1, 0);
    CHECK_FALSE(mbarrier_phase(b));  // bytes are missing
    b = mbarrier_after(b, 0, -3072);
    CHECK(mbarrier_phase(b));
    CHECK(b == (mbarrier_of(2) | std::uint64_t{1} << 63));
    // bytes may come before they are announced, and do not complete a phase that arrivals miss
    b = mbarrier_after(b, 0, -16);
    CHECK(mbarrier_phase(b));
    b = mbarrier_after(b, 1, 16);
    CHECK(mbarrier_phase(b));
    b = mbarrier_after(b, 1, 0);
    CHECK(b == mbarrier_of(2));
}

TEST_CASE("bulk copies in two stages: 2 in + 1") {
    const std::string arch = GPUMODEL_EACH_LISTING;
    INFO(arch);
    const auto out = computed<float>(arch, "scale_bulk",
                                     launch_of({3, 1, 1}, {128, 1, 1}, "ptr:40KiB,ptr:40KiB=iota:f32,10"));
    for (std::size_t i = 0; i < out.size(); ++i) {
        REQUIRE(out[i] == 2 * static_cast<float>(i) + 1);
    }
}

TEST_CASE("a producer warp and four consumers, full and empty barriers in four stages") {
    const std::string arch = GPUMODEL_EACH_LISTING;
    INFO(arch);
    constexpr int tiles = 11;
    const auto out = computed<float>(
        arch, "pipeline", launch_of({2, 1, 1}, {160, 1, 1}, "ptr:1KiB,ptr:45056B=random:1:0..7:f32,11"));
    const auto launch = launch_of({1, 1, 1}, {1, 1, 1}, "ptr:45056B=random:1:0..7:f32");
    for (std::size_t block = 0; block < 2; ++block) {
        for (std::size_t thread = 0; thread < 128; ++thread) {
            float sum = 0;
            for (std::size_t tile = 0; tile < tiles; ++tile) {
                for (std::size_t i = thread; i < 512; i += 128) {
                    const auto at = (block * tiles + tile) * 512 + i;
                    const auto bits = static_cast<std::uint32_t>(
                        launch.arguments.list[0].data->read(static_cast<std::int64_t>(4 * at), 4));
                    float value = 0;
                    std::memcpy(&value, &bits, sizeof value);
                    sum += value;
                }
            }
            REQUIRE(out[block * 128 + thread] == sum);
        }
    }
}

TEST_CASE(
    "the library's barrier with a bulk copy; a reduction into device memory; a barrier of the cluster") {
    const std::string arch = GPUMODEL_EACH_LISTING;
    INFO(arch);
    const auto copied =
        computed<int>(arch, "library_copy", launch_of({3, 1, 1}, {256, 1, 1}, "ptr:3KiB,ptr:3KiB=iota,100"));
    for (std::size_t i = 0; i < copied.size(); ++i) {
        REQUIRE(copied[i] == static_cast<int>(i) + 100);
    }
    const auto sums =
        computed<int>(arch, "reduce_bulk", launch_of({5, 1, 1}, {256, 1, 1}, "ptr:1KiB=zeros,ptr:5KiB=iota"));
    for (std::size_t i = 0; i < sums.size(); ++i) {
        REQUIRE(sums[i] == static_cast<int>(5 * i + 256 * (0 + 1 + 2 + 3 + 4)));
    }
    const auto ones = computed<int>(arch, "cluster_barrier", launch_of({2, 1, 1}, {64, 1, 1}, "ptr:512B"));
    CHECK(ones == std::vector<int>(128, 1));
}

TEST_CASE("a bulk copy counts as its bytes, and as one instruction") {
    const std::string arch = GPUMODEL_EACH_LISTING;
    INFO(arch);
    const auto program = program_from_sass(data_kernel(arch, "scale_bulk"),
                                           launch_of({3, 1, 1}, {128, 1, 1}, "ptr:36KiB,ptr:36KiB,9"));
    const auto bytes = bytes_by_array(program);
    CHECK(bytes.at("arg1") == 3 * 4096);  // three tiles of each block
    CHECK(bytes.at("arg0") == 3 * 4096);
    CHECK(program.effective_bytes == 2 * 36 * 1024);
    int copies = 0;
    double counted = 0;
    const auto walk = [&](const auto& self, const std::vector<Node>& nodes, int trips) -> void {
        for (const auto& node : nodes) {
            if (const auto* loop = std::get_if<Loop>(&node)) {
                self(self, loop->body, trips * static_cast<int>(loop->trips));
                continue;
            }
            for (const auto& segment : std::get<Interval>(node).segments) {
                counted += trips * segment.ops[static_cast<std::size_t>(OpClass::async_copy)] *
                           ((segment.thread_end - segment.thread_begin + 31) / 32);
                for (const auto& i : segment.code) {
                    copies += i.op == OpClass::async_copy && !i.continues ? trips : 0;
                }
            }
        }
    };
    walk(walk, program.body, 1);
    CHECK(copies == 6);
    CHECK(counted == 6);
}

TEST_CASE("copies beyond an allocation are noted") {
    const std::string arch = GPUMODEL_EACH_LISTING;
    INFO(arch);
    const auto noted =
        execute(data_kernel(arch, "scale_bulk"), launch_of({1, 1, 1}, {128, 1, 1}, "ptr:8KiB,ptr:6KiB,2"));
    bool found = false;
    for (const auto& note : noted.notes) {
        found = found || note.find("accesses arg1 beyond its 6144 bytes") != std::string::npos;
    }
    CHECK(found);
}

namespace {

// What thread `thread` executes, loops unrolled.
std::vector<Instruction> executed(const std::vector<Node>& nodes, int thread) {
    std::vector<Instruction> list;
    for (const auto& node : nodes) {
        if (const auto* loop = std::get_if<Loop>(&node)) {
            const auto once = executed(loop->body, thread);
            for (std::int64_t trip = 0; trip < loop->trips; ++trip) {
                list.insert(list.end(), once.begin(), once.end());
            }
            continue;
        }
        for (const auto& segment : std::get<Interval>(node).segments) {
            if (segment.thread_begin <= thread && thread < segment.thread_end) {
                list.insert(list.end(), segment.code.begin(), segment.code.end());
            }
        }
    }
    return list;
}

int block_barriers(const std::vector<Node>& nodes) {
    int count = 0;
    for (const auto& node : nodes) {
        const auto* loop = std::get_if<Loop>(&node);
        count += loop != nullptr                          ? block_barriers(loop->body)
                 : std::get<Interval>(node).barrier_after ? 1
                                                          : 0;
    }
    return count;
}

}  // namespace

TEST_CASE("a producer's waits need the consumers' arrivals of four tiles before, and nobody meets") {
    const std::string arch = GPUMODEL_EACH_LISTING;
    INFO(arch);
    const auto program = program_from_sass(data_kernel(arch, "pipeline"),
                                           launch_of({2, 1, 1}, {160, 1, 1}, "ptr:1KiB,ptr:45056B,11"));
    CHECK(block_barriers(program.body) == 1);  // __syncthreads, of the first lines
    for (const auto& note : program.notes) {
        CHECK(note.find("taken for a barrier") == std::string::npos);
    }
    // the source: four stages, free to begin with; wait n + 4 needs arrival n of each of warps 0 to 3
    std::map<std::uint32_t, std::int64_t> times;
    std::int64_t waits = 0;
    for (const auto& in : executed(program.body, 128)) {
        if (!in.arrivals_known) {
            continue;
        }
        const auto more = times[in.address]++ - in.arrivals_from;
        const bool needs = in.arrivals_warps != 0 && more >= 0;
        CHECK((needs ? in.arrivals_first + more * in.arrivals_step : 0) ==
              std::max<std::int64_t>(0, waits - 3));
        CHECK((!needs || in.arrivals_warps == 0xf));
        ++waits;
    }
    CHECK(waits == 11);
    const auto of_consumer = executed(program.body, 0);
    const auto count = [&](auto what) { return std::count_if(of_consumer.begin(), of_consumer.end(), what); };
    CHECK(count([](const Instruction& in) { return in.copies_alone && in.copies_first > 0; }) == 11);
    CHECK(count([](const Instruction& in) { return in.arrives; }) == 11);
}

TEST_CASE("arrivals that a wait needs are known where they go up evenly") {
    using emulate::ArrivalWait;
    using emulate::Phase;
    ArrivalWait even;
    even.note(0, {});
    even.note(1, {});
    even.note(2, Phase{{{4, 3}, {5, 3}}, 2});
    even.note(3, Phase{{{4, 5}, {5, 5}}, 4});
    even.note(4, Phase{{{4, 7}, {5, 7}}, 4});
    CHECK(even.even);
    CHECK(even.from == 2);
    CHECK(even.first == 3);
    CHECK(even.step == 2);
    CHECK(even.warps == 0x30);
    CHECK(even.others == 0);
    CHECK(even.waited == 2);
    const auto after = [&](std::int64_t wait, const Phase& phase) {
        auto next = even;
        next.note(wait, phase);
        return next.even;
    };
    CHECK(after(5, Phase{{{4, 9}, {5, 9}}, 4}));
    CHECK(after(3, Phase{{{4, 5}, {5, 5}}, 4}));        // another warp, or block
    CHECK_FALSE(after(4, Phase{{{4, 8}, {5, 8}}, 4}));  // another number than somebody else's
    CHECK_FALSE(after(3, Phase{{{4, 5}, {5, 4}}, 4}));
    CHECK_FALSE(after(3, Phase{{{4, 5}}, 4}));  // other warps
    CHECK_FALSE(after(3, {}));
    CHECK_FALSE(after(5, Phase{{{4, 9}, {5, 9}, {ArrivalWait::most_warps, 9}}, 4}));
    for (int wait = 5; wait <= ArrivalWait::most_first; ++wait) {
        even.note(wait, Phase{{{4, 2 * wait - 1}, {5, 2 * wait - 1}}, 4});
    }
    CHECK(after(17, Phase{{{4, 33}, {5, 33}}, 4}));
    CHECK_FALSE(after(17, Phase{{{4, 34}, {5, 34}}, 4}));  // too late to be the begin of what follows
    CHECK_FALSE(after(17, {}));
}

TEST_CASE("the first waits of a ring need other arrivals, and warps of one phase are of two numbers") {
    using emulate::ArrivalWait;
    using emulate::Phase;
    // three stages: users arrive once for each before the loop, then twice a trip; who asks twice a trip
    const auto needed = [](std::int64_t wait) {
        const auto users = wait < 3 ? wait + 1 : 2 * wait - 1;
        return Phase{{{0, 2 * wait + 1}, {4, users}, {5, users}}, 0};
    };
    ArrivalWait ring;
    for (int block = 0; block < 2; ++block) {
        for (int wait = 0; wait < 40; ++wait) {
            ring.note(wait, needed(wait));
        }
    }
    CHECK(ring.even);
    CHECK(ring.from == 2);  // from the last of the first three on the numbers go up as later
    CHECK(ring.step == 2);
    CHECK(ring.first == 3);
    CHECK(ring.warps == 0x30);
    CHECK(ring.others_first == 5);
    CHECK(ring.others == 1);

    ArrivalWait three;
    three.note(0, Phase{{{0, 1}, {1, 2}, {2, 3}}, 0});
    CHECK_FALSE(three.even);

    // two groups that wait at one instruction for barriers of their own
    ArrivalWait groups;
    for (int wait = 0; wait < 4; ++wait) {
        groups.note(wait, Phase{{{0, 2 * wait + 1}}, 0});
        groups.note(wait, Phase{{{0, 2 * wait + 2}}, 0});
    }
    CHECK_FALSE(groups.even);
}

TEST_CASE("arrivals are numbered by warp, and a phase has the last of each") {
    emulate::ArrivalOrder order;
    order.next(7);
    order.arrive(7, 64);
    CHECK(order.completed(64).arrivals.empty());
    order.next(7);
    order.waited(7);
    order.arrive(7, 72);
    order.complete(72);
    CHECK(order.completed(72).arrivals == emulate::PhaseArrivals{{7, 2}});
    CHECK(order.completed(64).arrivals.empty());
    CHECK(order.completed(72).waited == 1);
    order.complete(64);
    CHECK(order.completed(64).waited == 0);
    CHECK(order.completed(64).arrivals == emulate::PhaseArrivals{{7, 1}});
    order.begin(64);
    CHECK(order.completed(64).arrivals.empty());
}

TEST_CASE("what copies bring is not emulated for addresses and branches that hang on barriers alone") {
    const std::string arch = GPUMODEL_EACH_LISTING;
    INFO(arch);
    auto launch = launch_of({2, 1, 1}, {160, 1, 1}, "ptr:1KiB,ptr:45056B,11");
    const auto copies = [&](const std::string& kernel) {
        const auto& function = data_kernel(arch, kernel);
        const auto program = emulate::build_program(function, launch);
        return std::count_if(program.ops.begin(), program.ops.end(),
                             [](const emulate::MicroOp& op) { return op.writes_tile; });
    };
    CHECK(copies("pipeline") == 0);
    launch.keeps_results = true;
    CHECK(copies("pipeline") > 0);
}
