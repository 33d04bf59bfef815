// Names, overrides, inheritance, provenance, content hash and the search path.
#include "arch_specs/loader.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "arch_specs/document/spec_completion.h"
#include "tests/support/temporary_folder.h"

namespace loader_test {

using namespace gpumodel;

namespace {

namespace fs = std::filesystem;

std::vector<std::string> spec_path() {
    return {std::string(GPUMODEL_SOURCE_DIR) + "/arch_specs"};
}

ArchSpec load(const std::string& name, const std::vector<Override>& overrides = {}) {
    return load_arch(name, overrides, spec_path());
}

std::string usage_error(const std::string& name, const std::vector<Override>& overrides = {}) {
    try {
        (void)load(name, overrides);
    } catch (const InputError& error) {
        CHECK(error.kind() == InputErrorKind::usage);
        return error.what();
    }
    FAIL("loaded");
    return "";
}

// A directory of its own for specs that a test writes.
class SpecFolder {
public:
    std::string write(const std::string& name, const std::string& body) const {
        const auto file = folder_.path() / (name + ".yaml");
        fs::create_directories(file.parent_path());
        std::ofstream(file) << "schema_version: 1\nname: " << file.stem().string() << "\n" << body;
        return file.string();
    }
    [[nodiscard]] std::string path() const { return folder_.path().string(); }

private:
    TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("a generation means its default product", "[unit]") {
    const auto spec = load("sm_35");
    CHECK(spec.name == "k40");
    CHECK(spec.generation == "sm_35");
    CHECK(spec.requested_name == "sm_35");
    CHECK(load("k40").requested_name == "k40");
    CHECK(load("k40").content_hash == spec.content_hash);
}

TEST_CASE("unknown names get the nearest one", "[unit]") {
    CHECK(usage_error("k4o") == "k4o: unknown architecture; nearest: k40");
    CHECK(usage_error("pentium") == "pentium: unknown architecture");
    CHECK_THROWS_WITH(load("./nowhere.yaml"), "./nowhere.yaml: no such file");
}

TEST_CASE("overrides go through the same parser and rules", "[unit]") {
    const auto spec = load("v100_sxm2", {{"clock.sm", "1.2 GHz"}, {"sm.shared_memory.banks", "64"}});
    CHECK(spec.clock.sm_hz == 1.2e9);
    CHECK(spec.sm.shared_memory.banks == 64);
    CHECK(spec.peak_fp32_flops == Approx(2.0 * 64 * 80 * 1.2e9));
    CHECK(spec.provenance.at("clock.sm").file == "--set");
    CHECK(spec.provenance.at("clock.base").file != "--set");

    CHECK(usage_error("k40", {{"sm.shared_memory.bank", "64"}, {"clock.sm", "1200"}, {"sm", "3"}}) ==
          "--set: sm.shared_memory.bank: unknown key; nearest: sm.shared_memory.banks\n"
          "--set: clock.sm: '1200' has no unit; allowed: Hz, kHz, MHz, GHz\n"
          "--set: sm: this is a section; give the key of a value");
    CHECK(usage_error("k40", {{"sm.shared_memory.banks", "33"}}) ==
          "--set: sm.shared_memory.banks: 33 banks; expected a power of two");
    CHECK(usage_error("k40", {{"sm.max_warps", "48"}}) ==
          "--set: sm.max_warps: 2048 threads, but 48 warps of 32 lanes are 1536");
}

TEST_CASE("an override asks what if; two that contradict each other are refused", "[unit]") {
    // one alone is compared with a figure that stays
    CHECK(load("v100_sxm2", {{"sm.shared_memory.banks", "16"}}).sm.shared_memory.banks == 16);
    CHECK(load("v100_sxm2", {{"clock.boost", "1 GHz"}}).clock.boost_hz == 1e9);
    CHECK(usage_error("v100_sxm2",
                      {{"sm.shared_memory.banks", "16"}, {"sm.shared_memory.bandwidth", "128 B/clk"}}) ==
          "--set: sm.shared_memory.bandwidth: 128 B/clk; 16 banks of 4 B deliver at most 64 B/clk");
    CHECK(load("v100_sxm2", {{"sm.shared_memory.banks", "16"}, {"sm.shared_memory.bandwidth", "64 B/clk"}})
              .sm.shared_memory.bandwidth_bytes_per_cycle == 64);
    CHECK_THAT(usage_error("v100_sxm2", {{"clock.boost", "1 GHz"}, {"clock.base", "2 GHz"}}),
               Catch::Contains("clock.boost: 1 GHz is below clock.base, 2 GHz"));
    CHECK_THAT(usage_error("v100_sxm2",
                           {{"l2.read_bandwidth", "9000 B/clk"}, {"l2.read_bandwidth_per_sm", "64 B/clk"}}),
               Catch::Contains("the ports of 80 SMs take at most 5120 B/clk"));
    CHECK_THAT(usage_error("v100_sxm2", {{"dram.bandwidth", "1 TB/s"},
                                         {"dram.bus_width", "4096 bit"},
                                         {"dram.data_rate", "1 Gb/s"}}),
               Catch::Contains("dram.bandwidth of 1 TB/s differs by"));
}

TEST_CASE("what an override breaks in a sound file is a usage error", "[unit][bug]") {
    // the rule's other values come from files; the K40's fma pipe has 192 lanes, its fp64 pipe 64
    CHECK(usage_error("k40", {{"sm.pipes.fp64.lanes", "32"}}) ==
          "--set: sm.pipes.fp64.lanes: the 64 lanes/clk of dfma exceed the 32 lanes of the fp64 pipe");
    CHECK(usage_error("k40", {{"sm.pipes.fp64.lanes", "~"}}) ==
          "--set: sm.pipes.fp64.lanes: dfma needs sm.pipes.fp64.lanes, which is missing");
    CHECK_THAT(usage_error("gtx_280", {{"l2.size", "1 MiB"}}),
               Catch::Contains("gtx_280.yaml: l2.latency: missing"));
    CHECK(usage_error("k40", {{"name", "x"}, {"inherits", "sm_70"}}) ==
          "--set: name: this describes the spec file itself; only the file can say it\n"
          "--set: inherits: this describes the spec file itself; only the file can say it");
}

TEST_CASE("a missing or faulty file is invalid input, whatever is overridden", "[unit][bug]") {
    const SpecFolder folder;
    const auto file = folder.write("empty", "schema_version: 1\nname: empty\n");
    for (const auto& path : {file, std::string("./nowhere.yaml")}) {
        try {
            (void)load(path, {{"sm_count", "3"}});
            FAIL("loaded " << path);
        } catch (const InputError& error) {
            CHECK(error.kind() == InputErrorKind::invalid_input);
        }
    }
}

TEST_CASE("overrides may set lists, remove optional values and ask what if", "[unit]") {
    const auto spec = load("k40", {{"sm.shared_memory.carveouts", "[16 KiB, 32 KiB]"},
                                   {"sm.shared_memory.max_per_block", "32 KiB"},
                                   {"clock.boost", "~"},
                                   {"sm_count", "30"}});
    CHECK(spec.sm.shared_memory.carveouts_bytes == std::vector<std::int64_t>{16384, 32768});
    CHECK_FALSE(spec.clock.boost_hz.has_value());
    CHECK(spec.sm_count == 30);  // twice the declared peak, but that is the question asked
}

TEST_CASE("nearer files win and values remember where they come from", "[unit]") {
    const SpecFolder folder;
    const auto file = folder.write("half_v100",
                                   "inherits: v100_sxm2\nsource: \"a what-if\"\nsm_count: 40\n"
                                   "declared: {fp32: ~, dram_bandwidth: ~}\n"
                                   "l2: {latency: {value: 300 cycles, source: \"estimated: a guess\"}}\n");
    const auto spec = load(file);
    CHECK(spec.name == "half_v100");
    CHECK(spec.generation == "sm_70");
    CHECK(spec.requested_name == file);
    CHECK(spec.sm_count == 40);
    CHECK(spec.l2.latency_cycles == 300);
    CHECK_FALSE(spec.declared.fp32_flops.has_value());

    const auto& own = spec.provenance.at("sm_count");
    CHECK(own.file == file);
    CHECK(own.line == 5);
    CHECK(own.column == 11);
    CHECK(own.source == "a what-if");
    CHECK_FALSE(own.estimated);
    CHECK(spec.provenance.at("l2.latency").estimated);
    CHECK(spec.provenance.at("l2.latency").text == "300 cycles");
    CHECK(fs::path(spec.provenance.at("clock.sm").file).filename() == "v100_sxm2.yaml");
    CHECK(fs::path(spec.provenance.at("sm.max_warps").file).filename() == "sm_70.yaml");
}

TEST_CASE("the content hash sees values, not their spelling", "[unit]") {
    const auto plain = load("k40").content_hash;
    CHECK(plain.size() == 16);
    CHECK(load("k40", {{"clock.sm", "0.745 GHz"}}).content_hash == plain);
    CHECK(load("k40", {{"clock.sm", "746 MHz"}}).content_hash != plain);
    CHECK(load("k20x").content_hash != plain);
}

TEST_CASE("a tree of specs is found by path, by search path and by GPUMODEL_ARCH_PATH", "[unit]") {
    const SpecFolder folder;
    folder.write("generations/sm_99", "inherits: sm_90\ndefault_product: b1\ncompute_capability: 9.9\n");
    const auto product =
        folder.write("products/b1",
                     "inherits: sm_99\nmarketing_name: B1\nsm_count: 10\n"
                     "clock: {sm: 1 GHz}\n"
                     "l2: {size: 1 MiB, read_bandwidth: 100 B/clk, write_bandwidth: 50 B/clk}\n"
                     "dram: {capacity: 1 GiB, bandwidth: 100 GB/s, latency: 500 cycles, "
                     "read_efficiency: 0.9, copy_efficiency: 0.8}\n");
    const std::vector<std::string> directories{folder.path(), spec_path().front()};
    CHECK(load_arch("b1", {}, directories).generation == "sm_99");
    CHECK(load_arch("sm_99", {}, directories).name == "b1");
    CHECK(load_arch(product, {}, spec_path()).name == "b1");  // finds generations/ beside products/

    ::setenv("GPUMODEL_ARCH_PATH", (folder.path() + ":/nowhere:").c_str(), 1);
    const auto path = default_spec_path();
    CHECK(path.at(0) == folder.path());
    CHECK(path.at(1) == "/nowhere");
    CHECK(load_arch("sm_99").name == "b1");
    ::unsetenv("GPUMODEL_ARCH_PATH");
    CHECK(load_arch("k40").name == "k40");  // found without help
}

TEST_CASE("a default product must exist and be a product", "[unit]") {
    const SpecFolder folder;
    const auto message = [](const std::string& file) {
        try {
            (void)load_arch(file, {}, spec_path());
        } catch (const InputError& error) {
            return std::string(error.what());
        }
        return std::string("loaded");
    };
    const auto missing = folder.write("sm_97", "inherits: sm_90\ndefault_product: nothing\n");
    CHECK(message(missing) == missing + ":4:18: default_product: no spec named 'nothing'");
    const auto generation = folder.write("sm_98", "inherits: sm_90\ndefault_product: sm_90\n");
    CHECK(message(generation) ==
          fs::path(spec_path().front() + "/generations/sm_90.yaml").lexically_normal().string() +
              ": default_product: names a generation, not a product");
}

TEST_CASE("a product described by its data sheet alone is completed with estimates", "[unit]") {
    const SpecFolder folder;
    const auto file = folder.write("mine",
                                   "inherits: sm_89\nsm_count: 71\nclock: {boost: 2 GHz}\n"
                                   "dram: {bus_width: 256 bit, data_rate: 20 Gb/s}\n");
    const auto mine = load(file);
    const auto l40 = load("l40");  // sm_89's default product: 142 SMs
    CHECK(mine.clock.sm_hz == 2e9);
    CHECK(mine.dram.bandwidth_bytes_per_second == Approx(640e9));
    CHECK(mine.l2.read_bytes_per_cycle == Approx(l40.l2.read_bytes_per_cycle / 2));
    CHECK(mine.l2.write_bytes_per_cycle == Approx(l40.l2.write_bytes_per_cycle / 2).margin(0.5));
    CHECK(mine.l2.size_bytes == l40.l2.size_bytes / 2);
    CHECK(mine.dram.latency_cycles == l40.dram.latency_cycles);
    CHECK(mine.dram.read_efficiency == l40.dram.read_efficiency);
    CHECK(mine.marketing_name == "mine");
    const auto filled = filled_keys(mine);
    for (const std::string key :
         {"l2.read_bandwidth", "l2.write_bandwidth", "l2.size", "dram.ecc", "clock.sm"}) {
        INFO(key);
        CHECK_THAT(filled, Catch::VectorContains(key));
        CHECK(mine.provenance.at(key).estimated);
    }
    CHECK(mine.provenance.at("l2.read_bandwidth").source == "estimated: as on l40, per SM");
    CHECK(filled_keys(l40).empty());  // the reference has to be complete itself
    CHECK(load(file, {{"l2.read_bandwidth", "500 B/clk"}}).l2.read_bytes_per_cycle == 500);
}

TEST_CASE("what the maker printed for a parent does not judge a child with other figures", "[unit]") {
    const SpecFolder folder;
    const auto smaller = folder.write("smaller", "inherits: l40\nsm_count: 96\n");
    const auto spec = load(smaller);
    CHECK_FALSE(spec.declared.fp32_flops);
    CHECK(spec.declared.dram_bytes_per_second == 864e9);  // none of its inputs was replaced
    const auto faster =
        folder.write("faster", "inherits: l40\ndram: {bandwidth: 1 TB/s, data_rate: 20.83 Gb/s}\n");
    CHECK_FALSE(load(faster).declared.dram_bytes_per_second);
    CHECK(load(faster).declared.fp32_flops);
    const auto wrong = folder.write("wrong", "inherits: l40\nsm_count: 96\ndeclared: {fp32: 90 TFLOP/s}\n");
    CHECK_THROWS_WITH(load(wrong), Catch::Contains("declared.fp32 of 90 TFLOP/s differs"));
}

TEST_CASE("aliases are names of up to 64 characters, and belong to one file", "[unit]") {
    const SpecFolder folder;
    const auto mine = folder.write("mine", "inherits: k40\naliases: [My Card, 7777]\nmarketing_name: Mine\n");
    const std::vector<std::string> path{folder.path(), spec_path().front()};
    CHECK(load_arch("my-card", {}, path).name == "mine");
    CHECK(load_arch("GTX 7777", {}, path).name == "mine");
    CHECK(load_arch("K40c", {}, path).name == "k40");
    const auto bad = folder.write("bad", "inherits: k40\naliases: {a: b}\n");
    CHECK_THROWS_WITH(load(bad), Catch::Contains("aliases: expected a list of names, e.g. [K40c, K40m]"));
    const auto empty = folder.write("empty", "inherits: k40\naliases: [[x], ok]\n");
    CHECK_THROWS_WITH(load(empty), Catch::Contains("aliases: expected a name of up to 64 characters"));
}

}  // namespace loader_test
