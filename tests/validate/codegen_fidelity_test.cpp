// The fidelity table of our programs against the committed listings, and the pieces it is made of.
#include "validate/programs/codegen_fidelity.h"

#include <catch2/catch.hpp>

#include "base/diagnostics.h"
#include "traces/sass/reader/sass_reader.h"
#include "validate/programs/listing_entry.h"

using namespace gpumodel;

namespace {

const std::string listings = GPUMODEL_SOURCE_DIR "/validate/listings/few";

const SassFunction& function_of(const SassModule& module, const std::string& part) {
    for (const SassFunction& function : module.functions) {
        if (function.name.find(part) != std::string::npos) {
            return function;
        }
    }
    FAIL("no entry with " << part);
    return module.functions.front();
}

KernelProgram program_of(const ListingEntry& entry, const ProblemShape& shape) {
    Target target;
    target.cc = {.major = 7, .minor = 0};
    auto result = lower_tiles(*find_family(entry.family), entry.params, shape, target);
    REQUIRE(result.program);
    return *result.program;
}

Segment segment_of(int threads, double ffmas, int words, int vector_words) {
    Segment segment;
    segment.thread_end = threads;
    count_of(segment.ops, OpClass::ffma) = ffmas;
    AccessSite site;
    site.space = MemorySpace::shared;
    site.words = words;
    site.vector_words = vector_words;
    segment.sites.push_back(site);
    return segment;
}

FidelityRow row_of(double error, int registers, int ours) {
    FidelityRow row;
    row.instruction_error = error;
    row.registers = registers;
    row.our_registers = ours;
    row.blocks_per_sm = registers > 64 ? 1 : 2;
    row.our_blocks_per_sm = ours > 64 ? 1 : 2;
    return row;
}

}  // namespace

TEST_CASE("a listing entry's name says family and parameters", "[unit][fidelity]") {
    const auto warp = listing_entry(
        "_ZN8gpumodel7kernels8warptileILi64ELi128ELi16ELi32ELi32ELi2ELi4ELi4ELi256ELi4EEEviiifPKfS3_fPf");
    REQUIRE(warp);
    CHECK(warp->family == "warptile");
    CHECK(warp->params == ParamValues{{"BM", 64},
                                      {"BN", 128},
                                      {"BK", 16},
                                      {"WM", 32},
                                      {"WN", 32},
                                      {"WNITER", 2},
                                      {"TM", 4},
                                      {"TN", 4},
                                      {"THREADS", 256},
                                      {"UNROLL", 4}});
    const auto copy = listing_entry("_ZN8gpumodel7kernels11stride_copyIfEEvPfPKfi");
    REQUIRE(copy);
    CHECK(copy->params == ParamValues{{"STRIDE", 2}});  // the family's default
    REQUIRE(listing_entry("_ZN8gpumodel7kernels16transpose_paddedILi0EEEvPfPKfii"));

    CHECK_FALSE(listing_entry("_Z5helloPf"));
    CHECK_FALSE(listing_entry("_ZN8gpumodel7kernels5helloILi1EEEvPf"));
    CHECK_FALSE(listing_entry("_ZN8gpumodel7kernels8warptileILi64EEEvPf"));  // too few arguments
    CHECK_FALSE(listing_entry("_ZN8gpumodel7kernels99warptile"));
    CHECK_FALSE(listing_entry("_ZN8gpumodel7kernels"));
}

TEST_CASE("a third of the tiles is held back, whatever their UNROLL", "[unit][fidelity]") {
    // FNV-1a, 32 bits, by another implementation: naive 1083572662, coalesced 489539034, smem;BS=32
    // 2340440787
    CHECK_FALSE(held_back("naive", {}));
    CHECK_FALSE(held_back("naive", {{"UNROLL", 4}}));
    CHECK(held_back("coalesced", {{"UNROLL", 0}}));
    CHECK(held_back("smem", {{"BS", 32}}));
    CHECK(held_back("smem", {{"BS", 32}, {"UNROLL", 8}}));
}

TEST_CASE("what a block of a program executes", "[unit][fidelity]") {
    Loop loop{.name = "k", .trips = 5, .unroll = 1, .body = {}};
    Interval interval;
    interval.segments.push_back(segment_of(64, 3, 8, 4));    // two warps: 2*5*3 FFMA, 2*5*2 LDS.128
    interval.segments.back().shared_barrier_operations = 1;  // 2*5 without a class
    loop.body.emplace_back(interval);
    Interval once;
    once.segments.push_back(segment_of(32, 7, 3, 1));  // 7 FFMA, 3 LDS.32
    KernelProgram program;
    program.body.emplace_back(loop);
    program.body.emplace_back(once);
    const ExecutedCounts counts = count_block(program);
    CHECK(count_of(counts.ops, OpClass::ffma) == 37);
    CHECK(counts.instructions == 37 + 10);
    CHECK(counts.accesses.at({MemorySpace::shared, AccessKind::load, 16}) == 20);
    CHECK(counts.accesses.at({MemorySpace::shared, AccessKind::load, 4}) == 3);
}

TEST_CASE("an emulated block's counts follow from the source", "[oracle][fidelity]") {
    const SassModule module = read_sass_file(listings + "/sm_70.sass.xz");
    SECTION("naive: K products of one result, two loads each, C read and written") {
        const SassFunction& function = function_of(module, "5naiveILi0E");
        const auto entry = listing_entry(function.name);
        REQUIRE(entry);
        const KernelProgram program = program_of(*entry, {128, 128, 96});
        const auto block = count_block(function, listing_launch(*entry, program), {1, 1, 0}, 0);
        const double warps = 32;
        CHECK(count_of(block.counts.ops, OpClass::ffma) == warps * (96 + 1));
        CHECK(block.counts.accesses.at({MemorySpace::global, AccessKind::load, 4}) == warps * (2 * 96 + 1));
        CHECK(block.counts.accesses.at({MemorySpace::global, AccessKind::store, 4}) == warps);
        CHECK(count_of(block.counts.ops, OpClass::barrier) == 0);
    }
    SECTION("warptile 128x128x16: tile loads, transposed stores, two barriers per tile") {
        const SassFunction& function = function_of(module, "8warptileILi64ELi128ELi16ELi32E");
        const auto entry = listing_entry(function.name);
        REQUIRE(entry);
        const KernelProgram program = program_of(*entry, {128, 128, 64});
        const auto block = count_block(function, listing_launch(*entry, program), {0, 1, 0},
                                       program.resources.static_shared_bytes);
        const double warps = 8;
        const double tiles = 4;
        const double loads = (64 + 128) * 16 / 4.0 / 256;  // 16-byte loads per thread and tile
        const double results = 64 * 128 / 256.0;
        CHECK(count_of(block.counts.ops, OpClass::ffma) == warps * results * (64 + 1));
        CHECK(count_of(block.counts.ops, OpClass::barrier) == warps * tiles * 2);
        CHECK(block.counts.accesses.at({MemorySpace::global, AccessKind::load, 16}) ==
              warps * (tiles * loads + results / 4));
        CHECK(block.counts.accesses.at({MemorySpace::shared, AccessKind::store, 4}) == warps * tiles * 4);
        CHECK(block.counts.accesses.at({MemorySpace::shared, AccessKind::store, 16}) == warps * tiles * 2);
    }
}

TEST_CASE("scores", "[unit][fidelity]") {
    FidelityTable table;
    table.rows = {row_of(0.01, 100, 110), row_of(-0.05, 64, 65), row_of(0.03, 50, 50)};
    table.rows[1].differences.push_back({});
    table.rows[2].other_differences.emplace_back("barrier");
    table.rows[0].port_cycles = 1.25;
    table.rows[0].our_port_cycles = 1.0;
    const auto all = fidelity_score(table, [](const FidelityRow&) { return true; });
    CHECK(all.rows == 3);
    CHECK(all.mean_instructions == Approx(3));
    CHECK(all.worst_instructions == Approx(-5));
    CHECK(all.exact == Approx(100.0 / 3));
    CHECK(all.mean_registers == Approx((10 + 100.0 / 64) / 3));
    CHECK(all.blocks_right == Approx(200.0 / 3));
    REQUIRE(all.mean_ports);
    CHECK(*all.mean_ports == Approx(20));
    CHECK_FALSE(all.mean_generated);
    CHECK(fidelity_score(table, [](const FidelityRow&) { return false; }).rows == 0);
}

TEST_CASE("programs match the listings", "[oracle][fidelity]") {
    FidelityOptions options;
    options.listings = listings;
    const FidelityTable table = codegen_fidelity(options);
    for (const std::string& reason : table.skipped) {
        FAIL_CHECK(reason);
    }
    for (const std::string& arch : options.archs) {
        INFO(arch);
        const auto score = fidelity_score(table, [&](const FidelityRow& row) { return row.arch == arch; });
        const FidelityTarget target = fidelity_target(arch);
        CHECK(score.rows == (std::stoi(arch.substr(3)) >= 80 ? 42 : 40));
        CHECK(score.mean_instructions <= target.mean_instructions);
        // sm_100 and sm_120: the loads of split and shifted tiles follow Hopper's rules, which are not
        // theirs. sm_75: its registers were fitted to CUDA 11.8's, its listing is CUDA 13.0's.
        const bool blackwell = arch == "sm_100" || arch == "sm_120";
        CHECK(std::abs(score.worst_instructions) <= (blackwell ? 20 : target.worst_instructions));
        CHECK(score.exact >= (blackwell ? 85 : target.exact));
        CHECK(score.mean_registers <= (arch == "sm_75" ? 11 : target.mean_registers));
        CHECK(score.blocks_right >= target.blocks_right);
        const auto held =
            fidelity_score(table, [&](const FidelityRow& row) { return row.arch == arch && row.held_back; });
        CHECK(held.rows >= 10);
        CHECK(held.mean_instructions <= 1.5 * target.mean_instructions);
        CHECK(held.exact >= (blackwell ? 85 : 90));
    }
}

TEST_CASE("what cannot be read is said", "[unit][fidelity]") {
    CHECK_THROWS_AS(read_sass_file(listings + "/none.xz"), InputError);
    FidelityOptions options;
    options.listings = "/nowhere";
    CHECK_THROWS_AS(codegen_fidelity(options), InputError);
}
