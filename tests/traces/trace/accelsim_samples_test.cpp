// Accel-Sim traces of two SGEMMs whose counts follow from the loop nests.
//
// smem32: M=N=K=256, 32x32 tiles, one element of C per thread, 1024 threads.
// bt128: M=N=K=512, 128x128x8 tiles, 8x8 of C per thread, 256 threads, 128-bit accesses.
// They were made by running the integer part of compiled code (CUDA 11.8) and read by Accel-Sim as they are;
// the total warp instructions are what Accel-Sim counted.
#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "traces/trace/accelsim/accelsim_reader.h"
#include "traces/trace/trace_summary.h"

using namespace gpumodel;

namespace {

struct Counts {
    std::array<std::int64_t, op_class_count> by_class{};
    std::int64_t instructions = 0;
    std::int64_t global_sectors = 0;
    std::int64_t global_loads = 0, global_stores = 0;
    // words of each access on its busiest bank, summed
    std::int64_t shared_load_words = 0, shared_store_words = 0;

    [[nodiscard]] std::int64_t of(OpClass op) const { return by_class[static_cast<std::size_t>(op)]; }
};

class Counter : public WarpSink {
public:
    explicit Counter(const BlockSource& source) : code_(source.code().instructions) {}

    void straight(int /*warp*/, int begin, int end, std::uint32_t active) override {
        REQUIRE(open_ == 0);  // all accesses of the run before have come
        REQUIRE(active != 0);
        for (int i = begin; i < end; ++i) {
            const auto& item = code_[static_cast<std::size_t>(i)];
            ++counts.by_class[static_cast<std::size_t>(item.op)];
            ++counts.instructions;
            open_ += item.access_bytes > 0 ? 1 : 0;
        }
    }

    void access(int /*warp*/, const AccessEvent& event) override {
        REQUIRE(open_-- > 0);
        const auto& item = code_[static_cast<std::size_t>(event.instruction)];
        if (event.space == MemorySpace::shared) {
            (item.access_kind == AccessKind::store ? counts.shared_store_words : counts.shared_load_words) +=
                busiest_bank(event, item.access_bytes);
            return;
        }
        (item.access_kind == AccessKind::store ? counts.global_stores : counts.global_loads) += 1;
        REQUIRE(event.array >= 0);
        std::set<std::int64_t> sectors;
        for (std::size_t lane = 0; lane < 32; ++lane) {
            if ((event.active >> lane & 1) != 0) {
                sectors.insert(event.address[lane] / 32);
                sectors.insert((event.address[lane] + item.access_bytes - 1) / 32);
            }
        }
        counts.global_sectors += static_cast<std::int64_t>(sectors.size());
    }

    Counts counts;

private:
    static std::int64_t busiest_bank(const AccessEvent& event, int bytes) {
        std::array<std::set<std::int64_t>, 32> banks;
        for (std::size_t lane = 0; lane < 32; ++lane) {
            for (int word = 0; word < bytes / 4 && (event.active >> lane & 1) != 0; ++word) {
                const auto index = event.address[lane] / 4 + word;
                banks[static_cast<std::size_t>(index % 32)].insert(index);
            }
        }
        return static_cast<std::int64_t>(
            std::max_element(banks.begin(), banks.end(), [](const auto& a, const auto& b) {
                return a.size() < b.size();
            })->size());
    }

    const std::vector<Instruction>& code_;
    int open_ = 0;
};

std::unique_ptr<AccelSimTrace> open_sample(const std::string& name) {
    const auto folder = std::string(GPUMODEL_TEST_DATA) + "/accelsim/" + name;
    const auto list = read_accelsim_list(folder + "/kernelslist.g");
    REQUIRE(list.kernels.size() == 1);
    return open_accelsim(list.kernels[0], list.allocations);
}

Counts count(AccelSimTrace& trace) {
    Counter counter(trace);
    const auto& grid = trace.launch().grid;
    for (Dim3 id{0, 0, 0}; id.y < grid.y; ++id.y) {
        for (id.x = 0; id.x < grid.x; ++id.x) {
            trace.run_block(id, counter);
        }
    }
    return counter.counts;
}

}  // namespace

TEST_CASE("Accel-Sim samples: 32x32 tiles", "[accelsim][slow]") {
    struct Sample {
        const char* name;
        std::int64_t warp_instructions;
    };
    for (const auto& sample : {Sample{"sm70_smem32_256", 1'513'472}, {"sm35_smem32_256", 1'511'424}}) {
        INFO(sample.name);
        const auto trace = open_sample(sample.name);
        const auto counts = count(*trace);
        CHECK(trace->totals().warp_instructions == sample.warp_instructions);
        CHECK(trace->totals().thread_instructions == 48'234'496);
        constexpr std::int64_t warps = 64 * 32, tiles = 256 / 32;
        CHECK(trace->launch().resources.static_shared_bytes == 2 * 32 * 32 * 4);
        CHECK(counts.instructions == trace->totals().warp_instructions);
        CHECK(counts.of(OpClass::ffma) == 256 * 256 * 256 / 32);
        // a word of A and of B per thread and tile, each a row of 128 bytes; beta is 0
        CHECK(counts.global_loads == warps * tiles * 2);
        CHECK(counts.global_stores == warps);
        CHECK(counts.global_sectors == (warps * tiles * 2 + warps) * 4);
        CHECK(counts.of(OpClass::shared_store) == warps * tiles * 2);
        CHECK(counts.of(OpClass::barrier) == warps * tiles * 2);
        // 32 words of B one by one, A by fours and the same for the whole warp: never two words on a bank
        CHECK(counts.of(OpClass::shared_load) == warps * tiles * (32 + 32 / 4));
        CHECK(counts.shared_load_words == counts.of(OpClass::shared_load));
        CHECK(counts.shared_store_words == counts.of(OpClass::shared_store));
    }
}

TEST_CASE("Accel-Sim samples: 128x128x8 tiles", "[accelsim][slow]") {
    const auto trace = open_sample("sm70_bt128_512");
    const auto counts = count(*trace);
    CHECK(trace->totals().warp_instructions == 4'691'840);
    CHECK(trace->totals().thread_instructions == 150'126'592);
    constexpr std::int64_t warps = 16 * 8, tiles = 512 / 8;
    CHECK(counts.of(OpClass::ffma) == 512 * 512 * 512 / 32);
    // 16 bytes of A and of B per thread and tile: 512 bytes, for A in 16 rows of one sector
    CHECK(counts.global_loads == warps * tiles * 2);
    CHECK(counts.global_stores == warps * 8 * 2);  // 8 rows of 8 words
    // a store takes 16 bytes of every 32 in two rows
    CHECK(counts.global_sectors == warps * (tiles * 2 * 16 + 8 * 2 * 32));
    CHECK(counts.of(OpClass::barrier) == warps * tiles * 2);
    // A goes to shared memory word by word into columns, 16 rows from 2 columns; B by fours
    CHECK(counts.of(OpClass::shared_store) == warps * tiles * (4 + 1));
    CHECK(counts.shared_store_words == warps * tiles * (4 * 2 + 4));
    // a k step reads 8 words of A (2 different threads of a warp) and of B (16, every other four words)
    CHECK(counts.of(OpClass::shared_load) == warps * 512 * (2 + 2));
    CHECK(counts.shared_load_words == warps * 512 * (2 * 1 + 2 * 4));
}

TEST_CASE("Accel-Sim samples: the largest, folded", "[accelsim][slow]") {
    const auto file = program_from_accelsim(
        std::string(GPUMODEL_TEST_DATA) + "/accelsim/sm35_bt128_512/kernelslist.g", std::nullopt);
    const auto summary = summarize(file.program);
    CHECK(file.arch == "sm_35");
    CHECK(summary.warp_instructions == 4'672'256);
    CHECK(summary.by_class[static_cast<std::size_t>(OpClass::ffma)] == 512 * 512 * 512 / 32);
    CHECK(summary.by_class[static_cast<std::size_t>(OpClass::shared_load)] == 16 * 8 * 512 * 4);
    // loops came back as loops: a warp runs 36,502 instructions
    CHECK(summary.static_instructions < 4000);
    CHECK(file.program.resources.registers_per_thread == 121);
    REQUIRE(file.program.arrays.size() == 3);
    CHECK(file.program.arrays[0].read);
    CHECK(file.program.arrays[2].written);
    CHECK(!file.program.arrays[2].read);
}
