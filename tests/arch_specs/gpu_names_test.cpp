// Names as people type them. The table (gpu_names.csv) was written from product pages, driver listings and
// forum posts, not from our own names: what each must mean, or that it is ambiguous or unknown.
#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "arch_specs/document/spec_search.h"
#include "arch_specs/loader.h"
#include "arch_specs/names/gpu_name.h"
#include "base/csv_table.h"

namespace gpu_names_test {

using namespace gpumodel;

namespace {

const std::string folder = std::string(GPUMODEL_SOURCE_DIR) + "/tests/arch_specs/";

std::vector<std::string> spec_path() {
    return {std::string(GPUMODEL_SOURCE_DIR) + "/arch_specs"};
}

// What the resolver makes of a name: a product, "ambiguous" or "unknown".
std::string meaning(const std::string& typed) {
    try {
        return load_arch(typed, {}, spec_path()).name;
    } catch (const InputError& error) {
        CHECK(error.kind() == InputErrorKind::usage);
        CHECK(error.diagnostics().front().key == typed);
        return error.diagnostics().size() > 1 ? "ambiguous" : "unknown";
    }
}

std::vector<std::string> lines_of(const std::string& typed) {
    std::vector<std::string> lines;
    try {
        (void)load_arch(typed, {}, spec_path());
    } catch (const InputError& error) {
        for (const auto& diagnostic : error.diagnostics()) {
            lines.push_back(to_string(diagnostic));
        }
    }
    return lines;
}

}  // namespace

TEST_CASE("GPUs are found by the names that people type", "[names]") {
    const auto table = read_csv(folder + "gpu_names.csv");
    REQUIRE(table.header == std::vector<std::string>{"typed", "means"});
    std::set<std::string> spellings;
    for (const auto& row : table.rows) {
        const auto& typed = row[0].text;
        INFO("line " << row[0].line << ": " << typed);
        CHECK(spellings.insert(typed).second);
        CHECK(meaning(typed) == row[1].text);
    }
    CHECK(spellings.size() >= 200);
}

TEST_CASE("every product is found by its name in any case and by its marketing name", "[names]") {
    for (const auto& listing : list_archs(spec_path())) {
        if (!listing.default_product.empty()) {
            continue;
        }
        INFO(listing.name);
        auto upper = listing.name;
        std::transform(upper.begin(), upper.end(), upper.begin(), [](char c) {
            return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c == '_' ? '-' : c;
        });
        CHECK(meaning(upper) == listing.name);
        CHECK(meaning("NVIDIA " + listing.name) == listing.name);
        CHECK(meaning(listing.marketing_name) == listing.name);
    }
}

TEST_CASE("a name of several products lists them, one line each", "[names]") {
    const auto lines = lines_of("H100 80GB");
    REQUIRE(lines.size() == 3);
    CHECK(lines[0] == "H100 80GB: 2 products have this name; give one of them:");
    CHECK_THAT(lines[1],
               Catch::StartsWith("  h100_pcie: NVIDIA H100 PCIe [sm_90], 114 SMs, 1.755 GHz, 80 GiB at "));
    CHECK_THAT(lines[2],
               Catch::StartsWith("  h100_sxm: NVIDIA H100 SXM [sm_90], 132 SMs, 1.98 GHz, 80 GiB at "));
}

TEST_CASE("a generation's default product is what a name of several means, and the others are named",
          "[names]") {
    const auto v100 = load_arch("V100", {}, spec_path());
    CHECK(v100.name == "v100_sxm2");
    CHECK(v100.requested_name == "V100");
    CHECK_THAT(v100.other_meanings, Catch::VectorContains(std::string("v100_pcie")));
    CHECK(load_arch("h200", {}, spec_path()).other_meanings.empty());
    CHECK(load_arch("v100_sxm2", {}, spec_path()).other_meanings.empty());
}

TEST_CASE("what is near an unknown name is of its series", "[names]") {
    const auto nearest = [](const std::string& typed) {
        const auto text = lines_of(typed).at(0);
        const auto at = text.find("nearest: ");
        return at == std::string::npos ? "" : text.substr(at + 9);
    };
    CHECK(nearest("h300") == "h200_sxm");
    CHECK(nearest("V100 SXM3") == "v100_sxm2");
    CHECK(nearest("gtx 690") == "gtx_680");
    CHECK(nearest("RTX 2080S") == "rtx_2080_super");
    CHECK(nearest("sm_91") == "sm_90");
    CHECK(nearest("sm_7") == "sm_70");
    CHECK(nearest("k4o") == "k40");
    CHECK(nearest("rtx_309") == "rtx_3090");
    CHECK(nearest("MI300X").empty());
    CHECK(nearest("pentium").empty());
    CHECK(nearest("nvidia").empty());
    CHECK(nearest(std::string(100'000, '4')).empty());
}

TEST_CASE("names are taken apart", "[names]") {
    const auto name = parse_gpu_name("NVIDIA(R) Tesla-V100_SXM2 (16 GB) HBM2");
    CHECK(name.core == "v100");
    CHECK(name.form == "sxm2");
    CHECK(name.memory_gb == 16);
    CHECK(name.memory_kind == "hbm2");
    CHECK(name.brands == std::set<std::string>{"tesla"});
    CHECK(parse_gpu_name("GeForce RTX 4070 Ti SUPER").core == "4070tisuper");
    CHECK(parse_gpu_name("rtx4090laptop").core == "4090mobile");
    CHECK(parse_gpu_name("A10G").core == "a10g");
    CHECK(parse_gpu_name("RTX 6000 Ada Generation").architecture == "ada");
    CHECK(parse_gpu_name("A100 PCI Express").form == "pcie");
    CHECK(parse_capability("SM-90a") == 90);
    CHECK(parse_capability("compute capability 12.1") == 121);
    CHECK(parse_capability("10.0") == 100);
    CHECK_FALSE(parse_capability("4090"));
    CHECK_FALSE(parse_capability("rtx 4.0"));
}

}  // namespace gpu_names_test
