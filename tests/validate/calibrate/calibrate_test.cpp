#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <set>

#include "arch_specs/loader.h"
#include "synthetic.h"
#include "tests/support/temporary_folder.h"
#include "validate/calibrate/calibrated_spec.h"

using namespace gpumodel;
using synthetic::key_named;
using synthetic::measured_on;

namespace {

const std::vector<std::string> specs{std::string(GPUMODEL_SOURCE_DIR) + "/arch_specs"};

ArchSpec h200(const std::vector<Override>& overrides = {}) {
    return load_arch("h200_sxm", overrides, specs);
}

// A GPU that differs from the shipped H200 in a key of each benchmark.
const std::vector<Override> differences{
    {"sm.ops.ffma.latency", "5 cycles"},
    {"sm.ops.sfu.latency", "21 cycles"},
    {"sm.ops.iadd.throughput", "32 lanes/clk"},
    {"sm.shared_memory.latency_32", "29 cycles"},
    {"sm.shared_memory.latency_128", "34 cycles"},
    {"sm.shared_memory.conflict_latency", "3 cycles"},
    {"sm.shared_memory.conflict_latency_per_word", "0.5 cycles"},
    {"sm.shared_memory.bandwidth", "64 B/clk"},
    {"sm.shared_memory.extra_cycles_per_request", "0.32 cycles"},
    {"sm.shared_memory.sub_partition_interval", "2.5 cycles"},
    {"sm.register_file.reads_per_bank", "0.8 reads/clk"},
    {"l1.latency", "33 cycles"},
    {"l2.latency", "240 cycles"},
    {"dram.latency", "800 cycles"},
    {"l2.read_bandwidth", "5000 B/clk"},
    {"l2.read_bandwidth_per_sm", "80 B/clk"},
    {"dram.read_efficiency", "0.85"},
    {"dram.copy_efficiency", "0.8"},
    {"sm.barrier.latency", "30 cycles"},
    {"sm.barrier.throughput", "32 threads/clk"},
    {"launch.blocks_per_cycle", "0.5 blocks/clk"},
    {"launch.block_turnover", "600 cycles"},
    {"launch.overhead", "5 us"},
    {"clock.sm", "1935 MHz"},
};

}  // namespace

TEST_CASE("the keys of a known GPU are recovered within their stated errors", "[calibrate]") {
    const auto truth = h200(differences);
    const auto base = h200();
    int keys = 0;
    int within_two = 0;
    for (const unsigned seed : {1U, 2U, 3U, 4U}) {
        const auto file = measured_on(truth, h200(), 0.01, seed);
        const auto result = calibrate(file, base);
        for (const auto& item : differences) {
            const auto& key = key_named(result, item.key);
            INFO(item.key << " seed " << seed << ": " << key.reason);
            REQUIRE(key.status != KeyStatus::refused);
            const double expected = value_of(*key.field, truth);
            CHECK(key.value == Approx(expected).epsilon(0.15));
            CHECK(key.standard_error > 0);
            CHECK(std::abs(key.value - expected) < 4 * key.standard_error);
            ++keys;
            within_two += std::abs(key.value - expected) <= 2 * key.standard_error ? 1 : 0;
        }
    }
    CHECK(within_two >= 0.9 * keys);
}

TEST_CASE("without noise the values come out exactly; what agrees is not written", "[calibrate]") {
    const auto truth = h200(differences);
    const auto result = calibrate(measured_on(truth, h200(), 0, 1), h200());
    std::set<std::string> differing;
    for (const auto& item : differences) {
        const auto& key = key_named(result, item.key);
        INFO(item.key);
        CHECK(key.value == Approx(value_of(*key.field, truth)).epsilon(1e-3));
        CHECK(key.status == KeyStatus::changed);
        differing.insert(item.key);
    }
    for (const auto& key : result.keys) {
        INFO(key.field->key);
        CHECK((key.status == KeyStatus::changed) == differing.contains(key.field->key));
        // estimates that the rows confirm are estimates no longer
        CHECK(key.is_written() == (key.status == KeyStatus::changed ||
                                   (key.status == KeyStatus::confirmed && key.base_estimated)));
    }
    CHECK(result.arch.l1.latency_cycles == Approx(33).epsilon(1e-3));
    CHECK(result.arch.sm.max_warps == 64);
}

TEST_CASE("keys that the rows do not identify are refused, with the benchmark that is needed",
          "[calibrate]") {
    auto file = measured_on(h200(differences), h200(), 0.01, 1);
    std::erase_if(file.rows, [](const auto& row) {
        return row.benchmark == "global_latency" ||
               (row.benchmark == "shared_latency" && row.word("BITS") != "32");
    });
    const auto result = calibrate(file, h200());
    const auto& latency = key_named(result, "l2.latency");
    CHECK(latency.status == KeyStatus::refused);
    CHECK(latency.reason.find("global_latency") != std::string::npos);
    CHECK(latency.value == latency.base);
    // one width alone shows conflict_latency + 1 * conflict_latency_per_word
    const auto& per_word = key_named(result, "sm.shared_memory.conflict_latency_per_word");
    CHECK(per_word.status == KeyStatus::refused);
    CHECK(per_word.reason.find("sm.shared_memory.conflict_latency") != std::string::npos);
    CHECK(key_named(result, "sm.shared_memory.conflict_latency").status == KeyStatus::refused);
    CHECK(key_named(result, "sm.shared_memory.latency_32").value == Approx(29).epsilon(0.02));
    // wavefronts always take longer than the least time of a request
    CHECK(key_named(result, "sm.shared_memory.min_cycles_per_request").status == KeyStatus::refused);
}

TEST_CASE("a key asked for by name and refused is an error; so are unknown names", "[calibrate]") {
    auto file = measured_on(h200(), h200(), 0.01, 1);
    std::erase_if(file.rows, [](const auto& row) { return row.benchmark == "barrier"; });
    const auto diagnostics_of = [&](const std::vector<std::string>& keys, InputErrorKind kind) {
        try {
            (void)calibrate(file, h200(), keys);
        } catch (const InputError& error) {
            CHECK(error.kind() == kind);
            return error.diagnostics();
        }
        return std::vector<Diagnostic>{};
    };
    const auto refused = diagnostics_of({"l1.latency", "sm.barrier.latency"}, InputErrorKind::invalid_input);
    REQUIRE(refused.size() == 1);
    CHECK(refused[0].key == "sm.barrier.latency");
    CHECK(refused[0].message.find("needs barrier") != std::string::npos);
    const auto unknown = diagnostics_of({"l1.latncy", "sm.max_warps"}, InputErrorKind::usage);
    REQUIRE(unknown.size() == 2);
    CHECK(unknown[0].message.find("nearest: l1.latency") != std::string::npos);
    CHECK(calibrate(file, h200(), {"l1.latency"}).keys.size() == 1);
}

TEST_CASE("a row that is far off moves nothing and is named", "[calibrate]") {
    auto file = measured_on(h200(differences), h200(), 0.002, 1);
    const auto wrong = std::find_if(file.rows.begin(), file.rows.end(), [](const auto& row) {
        return row.benchmark == "shared_latency" && row.word("DEGREE") == "4" && row.word("BITS") == "32";
    });
    wrong->median *= 3;
    wrong->max = wrong->median;
    const auto result = calibrate(file, h200());
    CHECK(key_named(result, "sm.shared_memory.conflict_latency").value == Approx(3).epsilon(0.05));
    for (const auto& row : result.rows) {
        INFO(row.measured->text());
        if (row.measured->benchmark == "shared_latency") {
            CHECK(row.misfit == (row.measured == &*wrong));
        }
    }
}

TEST_CASE("the written spec loads, checks and holds the values with their origin", "[calibrate]") {
    const auto truth = h200(differences);
    const auto file = measured_on(truth, h200(), 0.01, 1);
    const auto result = calibrate(file, h200());
    std::vector<SpecValue> values;
    for (const auto& key : result.keys) {
        if (key.is_written()) {
            values.push_back({key.field, key.value,
                              calibrated_source(*key.field, key.standard_error, "of \"synthetic\" \\ rows")});
        }
    }
    REQUIRE(values.size() >= differences.size());
    const auto text = spec_text("mine", "h200_sxm", values);
    const TemporaryFile written(text, "mine.yaml");
    for (const auto& fault : check_arch(written.path(), specs)) {
        FAIL(to_string(fault));
    }
    const auto loaded = load_arch(written.path(), {}, specs);
    for (const auto& value : values) {
        INFO(value.field->key);
        CHECK(value_of(*value.field, loaded) == Approx(value.value).epsilon(1e-12));
        CHECK(loaded.provenance.at(value.field->key).source == value.source);
        CHECK_FALSE(loaded.provenance.at(value.field->key).estimated);
    }
    CHECK(loaded.sm_count == 132);
    CHECK(text == spec_text("mine", "h200_sxm", values));
}

TEST_CASE("a spec that would contradict its base is found before it is written", "[calibrate]") {
    const std::vector<SpecValue> values{{find_field("l2.latency"), 5000, "calibrated"}};
    CHECK_FALSE(check_spec_text(spec_text("mine", "h200_sxm", values), "/tmp/mine.yaml").empty());
    CHECK_FALSE(check_spec_text(spec_text("mine", "no_such_base", values), "/tmp/mine.yaml").empty());
    CHECK(check_spec_path("x/h200_sxm.yaml", "h200_sxm").size() == 1);
    CHECK(check_spec_path("mine.yml", "h200_sxm").size() == 1);
    CHECK(check_spec_path("my spec.yaml", "h200_sxm").size() == 1);
    CHECK(check_spec_path("mine.yaml", "h200_sxm").empty());
}

TEST_CASE("H200: the shipped spec agrees with the microbenchmarks that isolate its keys",
          "[calibrate][data]") {
    const auto path = std::string(GPUMODEL_SOURCE_DIR) + "/validate/data/h200_sxm_microbench.csv";
    if (!std::filesystem::exists(path)) {
        WARN("no measurements");
        return;
    }
    const auto file = read_microbenchmarks(path);
    const auto result = calibrate(file, h200());
    for (const auto* name : {"sm.ops.ffma.throughput", "sm.ops.ffma.latency", "sm.ops.iadd.throughput",
                             "sm.ops.iadd.latency", "sm.ops.sfu.throughput", "sm.shared_memory.bandwidth",
                             "dram.read_efficiency", "dram.latency", "clock.sm", "launch.blocks_per_cycle"}) {
        const auto& key = key_named(result, name);
        INFO(name << ": " << key.reason);
        REQUIRE(key.status != KeyStatus::refused);
        CHECK(key.value == Approx(key.base).epsilon(0.05));
    }
}
