// gpumodel arch new, keys and schema: a GPU of one's own, and the language it is written in.
#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>

#include "arch_specs/document/spec_document.h"
#include "arch_specs/loader.h"
#include "tests/support/run_command.h"
#include "tests/support/temporary_folder.h"

using namespace gpumodel;
using Json = nlohmann::json;

namespace {

std::string folder_file(const TemporaryFolder& folder, const std::string& name) {
    return (folder.path() / name).string();
}

}  // namespace

TEST_CASE("arch new writes a file that loads and says what it says", "[cli][arch]") {
    const TemporaryFolder folder;
    const auto file = folder_file(folder, "mine.yaml");
    const auto made = run_gpumodel(
        "arch new --from 'RTX 4090' --name mine --sm-count 96 --memory 'GDDR7 28 Gbps 256 bit' "
        "--boost-clock '2.6 GHz' --l2 '64 MiB' --out " +
        file);
    INFO(made.err);
    REQUIRE(made.exit_code == 0);
    CHECK(made.out.empty());
    CHECK_THAT(made.err, Catch::Contains("96 SMs at 2.6 GHz, 63.9 TFLOP/s FP32, 24 GiB at 896 GB/s"));
    CHECK_THAT(made.err, Catch::Contains("gpumodel predict --arch " + file + " --kernel warptile"));
    CHECK(check_arch(file).empty());
    const auto spec = load_arch(file);
    const auto parent = load_arch("rtx_4090");
    CHECK(spec.sm_count == 96);
    CHECK(spec.clock.sm_hz == 2.6e9);
    CHECK_FALSE(spec.clock.base_hz);  // the parent's is another card's
    CHECK(spec.dram.bandwidth_bytes_per_second == Approx(28e9 * 256 / 8));
    CHECK(spec.dram.bus_width_bits == 256);
    CHECK(spec.l2.size_bytes == 64 << 20);
    CHECK(spec.l2.read_bytes_per_cycle == Approx(parent.l2.read_bytes_per_cycle * 96 / 128).margin(0.5));
    CHECK(spec.provenance.at("l2.read_bandwidth").estimated);
    CHECK(spec.l1.latency_cycles == parent.l1.latency_cycles);
    CHECK_FALSE(spec.declared.fp32_flops);
    const auto predicted =
        run_gpumodel("predict --arch " + file + " --kernel warptile -m 512 -n 512 -k 512 --model analytic");
    CHECK(predicted.exit_code == 0);
}

TEST_CASE("arch new from a generation: five figures of a data sheet predict, what is missing is named",
          "[cli][arch]") {
    const TemporaryFolder folder;
    const auto file = folder_file(folder, "card.yaml");
    const auto made = run_gpumodel(
        "arch new --from sm_120 --name card --sm-count 60 --memory '800 GB/s 16 GB' "
        "--boost-clock 2.5GHz --marketing-name 'My \"card\"' --out " +
        file);
    INFO(made.err);
    REQUIRE(made.exit_code == 0);
    CHECK_THAT(made.err,
               Catch::Contains("estimated, as nothing was given: dram.ecc, l2.read_bandwidth, l2.size, "
                               "l2.write_bandwidth"));
    CHECK(load_arch(file).marketing_name == "My \"card\"");
    const auto predicted =
        run_gpumodel("predict --arch " + file + " --kernel smem -m 512 -n 512 -k 512 --model analytic");
    CHECK(predicted.exit_code == 0);
    CHECK_THAT(predicted.out, Catch::Contains("Not in its file"));
    CHECK_THAT(predicted.out,
               Catch::Contains("l2.read_bandwidth, l2.size, l2.write_bandwidth: as on rtx_5090, per SM"));
}

TEST_CASE("arch new prints to standard output, with any key by --set", "[cli][arch]") {
    const auto made =
        run_gpumodel("arch new --from l40 --name x --set 'l1.latency=40 cycles' --set sm.max_blocks=32");
    CHECK(made.exit_code == 0);
    CHECK(made.out ==
          "# Made by gpumodel arch new\n"
          "schema_version: 1\n"
          "name: x\n"
          "inherits: l40\n"
          "source: \"given\"\n"
          "marketing_name: \"x\"\n"
          "sm:\n"
          "  max_blocks: 32\n"
          "l1:\n"
          "  latency: 40 cycles\n");
}

TEST_CASE("arch new says what does not follow another number of SMs, however it is given", "[cli][arch]") {
    for (const std::string half : {"--set sm_count=66", "--sm-count 66"}) {
        const auto made = run_gpumodel("arch new --from h200_sxm --name half " + half);
        INFO(made.err);
        CHECK(made.exit_code == 0);
        CHECK_THAT(made.out, Catch::Contains("read_bandwidth: {value: 2224 B/clk, source: \"estimated: as on "
                                             "h200_sxm, per SM\"}"));
        CHECK(made.err ==
              "as on h200_sxm with its 132 SMs, not scaled to 66: dram.bandwidth 4.8 TB/s, l2.size 60 MiB, "
              "l2.far_read_bandwidth 1440 B/clk, launch.blocks_per_cycle 0.83 blocks/clk\n");
    }
    const auto given = run_gpumodel(
        "arch new --from h200_sxm --name half --sm-count 66 --l2 '30 MiB' --memory '2.4 TB/s' --set "
        "'launch.blocks_per_cycle=0.4 blocks/clk' --set 'l2.far_read_bandwidth=720 B/clk'");
    INFO(given.err);
    CHECK(given.err.empty());
}

TEST_CASE("arch new writes no file that contradicts itself", "[cli][arch][bad]") {
    const std::string half = "arch new --from v100_sxm2 --name half --set sm.shared_memory.banks=16";
    const auto contradiction = run_gpumodel(half);
    CHECK(contradiction.exit_code == 2);
    CHECK(contradiction.out.empty());
    CHECK(contradiction.err ==
          "sm.shared_memory.banks: 128 B/clk; 16 banks of 4 B deliver at most 64 B/clk\n");
    CHECK(run_gpumodel(half + " --set 'sm.shared_memory.bandwidth=64 B/clk'").exit_code == 0);
}

TEST_CASE("arch new tells all faults at once", "[cli][arch][bad]") {
    const auto bad = run_gpumodel(
        "arch new --from h100 --name 'a b' --sm-count many --memory 'fast 3' --set l1.latenci=3");
    CHECK(bad.exit_code == 2);
    CHECK(bad.out.empty());
    for (const std::string part :
         {"--name: expected a name", "--memory: 'fast' is none of a kind", "--memory: '3' is none of",
          "sm_count: ", "--set: l1.latenci: unknown key; nearest: l1.latency",
          "h100: 3 products have this name"}) {
        CHECK_THAT(bad.err, Catch::Contains(part));
    }
    CHECK(run_gpumodel("arch new --from sm_89 --name x").exit_code == 2);  // how many SMs
    CHECK(run_gpumodel("arch new --from l40 --name x --out y.yaml").exit_code == 2);
    const auto slow = run_gpumodel("arch new --from l40 --name x --memory 'GDDR6 256 bit'");
    CHECK(slow.err == "--memory: give the rate per pin and the width, or the bandwidth\n");
}

TEST_CASE("arch keys documents every key from the loader's table", "[cli][arch]") {
    const auto all = Json::parse(run_gpumodel("arch keys --format json").out);
    CHECK(all["keys"].size() == schema().size());
    for (const auto& field : schema()) {
        INFO(field.key);
        REQUIRE(all["keys"].contains(field.key));
        CHECK(all["keys"][field.key]["meaning"] == field.meaning);
    }
    CHECK(all["keys"]["dram.latency"]["kind"] == "cycles");
    CHECK(all["keys"]["dram.latency"]["on h200_sxm"] == "685 cycles");
    CHECK(all["keys"]["dram.latency"]["needed"] == "in a product; filled in where missing");
    const auto dram = run_gpumodel("arch keys dram --format csv").out;
    CHECK_THAT(dram, Catch::Contains("\ndram.bus_width,bit,"));
    CHECK_THAT(dram, !Catch::Contains("l2."));
    const auto unknown = run_gpumodel("arch keys drams");
    CHECK(unknown.exit_code == 2);
    CHECK(unknown.err == "drams: unknown key; nearest: dram\n");
}

TEST_CASE("the JSON schema has every key of every shipped file", "[cli][arch]") {
    const auto json = Json::parse(run_gpumodel("arch schema").out);
    CHECK(json["$schema"] == "https://json-schema.org/draft/2020-12/schema");
    for (const auto& listing : list_archs()) {
        std::vector<Diagnostic> faults;
        for (const auto& entry : read_spec_document(listing.file, faults).entries) {
            const auto* place = &json;
            INFO(listing.name << " " << entry.field->key);
            std::string key = entry.field->key + ".";
            for (std::size_t dot = 0; (dot = key.find('.')) != std::string::npos; key.erase(0, dot + 1)) {
                REQUIRE((*place)["properties"].contains(key.substr(0, dot)));
                place = &(*place)["properties"][key.substr(0, dot)];
            }
            CHECK(place->contains("anyOf"));
        }
    }
    const auto& policy = json["properties"]["sm"]["properties"]["scheduler_policy"]["anyOf"][0];
    CHECK(policy["enum"].size() == 5);
    CHECK(json["properties"]["sm"]["additionalProperties"] == false);
}

TEST_CASE("arch detect describes the GPU of the machine as its driver does", "[cli][arch]") {
    const TemporaryFolder folder;
    const auto file = folder_file(folder, "mine.yaml");
    const std::string driver = " --driver " STAND_IN_DRIVER;
    const auto found = run_gpumodel("arch detect --name mine --out " + file + driver);
    INFO(found.err);
    REQUIRE(found.exit_code == 0);
    CHECK(check_arch(file).empty());
    const auto spec = load_arch(file);
    CHECK(spec.marketing_name == "NVIDIA Test 9000");
    CHECK(spec.generation == "sm_89");
    CHECK(spec.sm_count == 71);
    CHECK(spec.clock.sm_hz == 2e9);
    CHECK(spec.l2.size_bytes == 48 << 20);
    CHECK(spec.dram.bandwidth_bytes_per_second == Approx(2 * 10e9 * 256 / 8));
    CHECK(spec.dram.capacity_bytes == std::int64_t{16} << 30);
    CHECK(spec.provenance.at("sm_count").source == "CUDA driver of the machine");
    CHECK_THAT(found.err, Catch::Contains("estimated, as nothing was given: dram.copy_efficiency") ||
                              Catch::Contains("estimated, as nothing was given: l2.read_bandwidth"));
    CHECK_THAT(found.err, Catch::Contains("gpumodel-measure --suite microbench"));
    CHECK_THAT(found.err, Catch::Contains("  l2_bandwidth: "));
}

TEST_CASE("arch detect knows a product by the driver's name and keeps its measured figures", "[cli][arch]") {
    const auto found = run_gpumodel("arch detect --device 1 --driver " STAND_IN_DRIVER);
    REQUIRE(found.exit_code == 0);
    CHECK_THAT(found.out, Catch::Contains("name: nvidia_h200\ninherits: h200_sxm\n"));
    CHECK_THAT(found.out, !Catch::Contains("sm_count"));   // as in the file
    CHECK_THAT(found.out, !Catch::Contains("data_rate"));  // 6.4 Gb/s, 6.25 in the data sheet
}

TEST_CASE("arch detect says why there is nothing to describe", "[cli][arch][bad]") {
    const auto none = run_gpumodel("arch detect --driver ./no_such_driver.so");
    CHECK(none.exit_code == 3);
    CHECK(none.err == "./no_such_driver.so: no CUDA driver on this machine: the library cannot be opened\n");
    const auto empty = run_shell("STAND_IN_DEVICES=0 {gpumodel} arch detect --driver " STAND_IN_DRIVER);
    CHECK(empty.exit_code == 3);
    CHECK_THAT(empty.err, Catch::EndsWith(": the CUDA driver finds no GPU\n"));
    const auto failing = run_shell("STAND_IN_ERROR=999 {gpumodel} arch detect --driver " STAND_IN_DRIVER);
    CHECK(failing.exit_code == 3);
    CHECK_THAT(failing.err, Catch::EndsWith(": cuInit failed with CUDA error 999\n"));
    const auto beyond = run_gpumodel("arch detect --device 2 --driver " STAND_IN_DRIVER);
    CHECK(beyond.exit_code == 2);
    CHECK(beyond.err == "--device: 2 is out of range; allowed 0 to 1\n");
}
