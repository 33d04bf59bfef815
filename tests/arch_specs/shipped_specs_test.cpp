// Every shipped spec loads, checks, names its sources, and implies the peaks that product tables print.
#include <catch2/catch.hpp>
#include <filesystem>
#include <map>

#include "arch_specs/loader.h"
#include "arch_specs/schema/schema.h"
#include "base/files/file_text.h"

namespace shipped_specs_test {

using namespace gpumodel;

namespace {

std::vector<std::string> spec_path() {
    return {std::string(GPUMODEL_SOURCE_DIR) + "/arch_specs"};
}

ArchSpec load(const std::string& name, const std::vector<Override>& overrides = {}) {
    return load_arch(name, overrides, spec_path());
}

}  // namespace

TEST_CASE("every shipped spec is sound and loads", "[spec]") {
    const auto listings = list_archs(spec_path());
    CHECK(listings.size() >= 110);
    for (const auto& listing : listings) {
        INFO(listing.file);
        for (const auto& fault : check_arch(listing.file, spec_path())) {
            FAIL_CHECK(to_string(fault));
        }
        const auto spec = load(listing.name);
        CHECK(spec.requested_name == listing.name);
        CHECK(spec.name == (listing.default_product.empty() ? listing.name : listing.default_product));
        CHECK(spec.generation == (listing.default_product.empty() ? listing.generation : listing.name));
        for (const auto& [key, provenance] : spec.provenance) {
            INFO(key);
            CHECK_FALSE(provenance.source.empty());
            CHECK(provenance.estimated == (provenance.source.rfind("estimated", 0) == 0));
        }
    }
}

TEST_CASE("generation names match the compute capability", "[spec]") {
    for (const auto& listing : list_archs(spec_path())) {
        const auto spec = load(listing.name);
        CHECK(spec.generation == "sm_" + std::to_string(spec.cc.number()));
    }
}

TEST_CASE("products are listed before generations, oldest first", "[spec]") {
    const auto listings = list_archs(spec_path());
    CHECK(listings.front().name == "quadro_fx_5600");
    CHECK(listings.back().name == "sm_121");
    bool generations = false;
    for (const auto& listing : listings) {
        generations = generations || !listing.default_product.empty();
        CHECK(generations == !listing.default_product.empty());
    }
}

TEST_CASE("the documents count the GPUs that there are", "[spec]") {
    int products = 0, generations = 0;
    for (const auto& listing : list_archs(spec_path())) {
        ++(listing.default_product.empty() ? products : generations);
    }
    const auto says = [](const std::string& file, const std::string& words) {
        INFO(file << ": " << words);
        CHECK(read_text(std::string(GPUMODEL_SOURCE_DIR) + "/" + file).text.find(words) != std::string::npos);
    };
    const auto g = std::to_string(generations), p = std::to_string(products);
    says("README.md", "| " + p + " GPUs of " + g + " generations");
    says("docs/how_it_works.md", g + " generations, " + p + " products");
}

// SMs, FP32 lanes per SM and clock in MHz at which the maker states its peak; GFLOP/s and GB/s as published
// (product tables; multiply-adds only on GTX 280 and G80). The test multiplies for itself.
struct Published {
    const char* name;
    int sms;
    int lanes;
    double mhz;
    double gflops;
    double gbytes_per_second;
};

TEST_CASE("derived peaks agree with published ones", "[spec]") {
    const Published table[] = {
        {"quadro_fx_5600", 16, 8, 1350, 345.6, 76.8},
        {"gtx_280", 30, 8, 1296, 622, 141.7},
        {"c2050", 14, 32, 1150, 1030, 144},
        {"gtx_480", 15, 32, 1401, 1345, 177.4},
        {"gtx_680", 8, 192, 1006, 3090, 192.3},
        {"k20m", 13, 192, 706, 3520, 208},
        {"k20x", 14, 192, 732, 3950, 249.6},
        {"k40", 15, 192, 745, 4290, 288.4},
        {"gtx_titan", 14, 192, 837, 4500, 288.4},
        {"k80", 13, 192, 875, 8740 / 2.0, 240},
        {"gtx_980", 16, 128, 1126, 4600, 224},
        {"p100_sxm2", 56, 64, 1480, 10600, 732.2},
        {"gtx_1080_ti", 28, 128, 1582, 11300, 484},
        {"v100_sxm2", 80, 64, 1530, 15700, 900},
        {"v100_pcie", 80, 64, 1380, 14100, 897},
        {"titan_v", 80, 64, 1455, 14900, 653},
        {"rtx_2080_ti", 68, 64, 1545, 13400, 616},
        {"t4", 40, 64, 1590, 8100, 320},
        {"a100_sxm4_40gb", 108, 64, 1410, 19500, 1555},
        {"rtx_a6000", 84, 128, 1800, 38700, 768},
        {"a40", 84, 128, 1740, 37400, 696},
        {"rtx_3090", 82, 128, 1695, 35600, 936},
        {"l40", 142, 128, 2490, 90500, 864},
        {"h100_sxm", 132, 128, 1980, 67000, 3350},
        {"h100_pcie", 114, 128, 1755, 51000, 2000},
        {"h200_sxm", 132, 128, 1980, 67000, 4800},
        {"gtx_750_ti", 5, 128, 1020, 1306, 86.4},
        {"titan_x_maxwell", 24, 128, 1000, 6140, 336.5},
        {"m40", 24, 128, 1112, 6830, 288.4},
        {"jetson_nano", 1, 128, 921.6, 236, 25.6},
        {"gtx_1060", 10, 128, 1708, 4370, 192.2},
        {"gtx_1070", 15, 128, 1683, 6460, 256.3},
        {"gtx_1080", 20, 128, 1733, 8870, 320.3},
        {"p4", 20, 128, 1063, 5500, 192.3},
        {"p40", 30, 128, 1531, 11760, 347.1},
        {"titan_xp", 30, 128, 1582, 12150, 547.6},
        {"p100_pcie", 56, 64, 1328, 9520, 732.2},
        {"jetson_tx2", 2, 128, 1300, 665.6, 59.7},
        {"v100s_pcie", 80, 64, 1597, 16400, 1134},
        {"jetson_xavier", 8, 64, 1377, 1410, 136.5},
        {"gtx_1660_super", 22, 64, 1785, 5030, 336},
        {"rtx_2060", 30, 64, 1680, 6450, 336},
        {"rtx_2070", 36, 64, 1620, 7500, 448},
        {"rtx_2070_super", 40, 64, 1770, 9060, 448},
        {"rtx_2080", 46, 64, 1710, 10100, 448},
        {"rtx_2080_super", 48, 64, 1815, 11200, 496},
        {"titan_rtx", 72, 64, 1770, 16300, 672},
        {"quadro_rtx_6000", 72, 64, 1770, 16300, 672},
        {"a100_sxm4_80gb", 108, 64, 1410, 19500, 2039},
        {"a100_pcie_40gb", 108, 64, 1410, 19500, 1555},
        {"a100_pcie_80gb", 108, 64, 1410, 19500, 1935},
        {"a800", 108, 64, 1410, 19500, 2039},
        {"a30", 56, 64, 1440, 10300, 933},
        {"a10", 72, 128, 1695, 31200, 600},
        {"a10g", 80, 128, 1710, 35000, 600},
        {"a16", 10, 128, 1755, 4500, 200},
        {"a2", 10, 128, 1770, 4500, 200},
        {"rtx_3060", 28, 128, 1777, 12700, 360},
        {"rtx_3070", 46, 128, 1725, 20300, 448},
        {"rtx_3070_ti_mobile", 46, 128, 1410, 16600, 448},
        {"rtx_3080", 68, 128, 1710, 29800, 760},
        {"rtx_3080_ti", 80, 128, 1665, 34100, 912},
        {"rtx_3090_ti", 84, 128, 1860, 40000, 1008},
        {"rtx_a4000", 48, 128, 1560, 19200, 448},
        {"rtx_a5000", 64, 128, 1695, 27800, 768},
        {"jetson_orin", 16, 128, 1300, 5300, 204.8},
        {"rtx_4060", 24, 128, 2460, 15100, 272},
        {"rtx_4070", 46, 128, 2475, 29100, 504},
        {"rtx_4080", 76, 128, 2505, 48700, 716.8},
        {"rtx_4090", 128, 128, 2520, 82600, 1008},
        {"l4", 58, 128, 2040, 30300, 300},
        {"l20", 92, 128, 2520, 59800, 864},
        {"l40s", 142, 128, 2520, 91600, 864},
        {"rtx_6000_ada", 142, 128, 2505, 91100, 960},
        {"h100_nvl", 132, 128, 1785, 60000, 3940},
        {"h800_pcie", 114, 128, 1755, 51000, 2039},
        {"h20", 78, 128, 1980, 39500, 4000},  // lanes at 1980 MHz: 44000 in print would need 2.2 GHz
        {"gh200", 132, 128, 1980, 67000, 4000},
        {"b200", 148, 128, 1965, 75000, 7672},  // 7680 bits at 3996 MHz by its driver; 8000 has all 8192
        {"b300", 148, 128, 1965, 75000, 7672},  // estimated as the B200: 270 of 288 GiB are enabled
        {"rtx_5060_ti", 36, 128, 2572, 23700, 448},
        {"rtx_5070_ti", 70, 128, 2452, 43900, 896},
        {"rtx_5080", 84, 128, 2617, 56300, 960},
        {"rtx_5090", 170, 128, 2407, 104800, 1792},
        {"rtx_pro_6000", 188, 128, 2617, 125000, 1792},
        {"jetson_thor", 20, 128, 1575, 8064, 273},  // cores and clock as printed; nobody prints the peak
        {"gb10", 48, 128, 2525, 31000, 273},
        {"v100_sxm2_32gb", 80, 64, 1530, 15700, 900},
    };
    for (const auto& row : table) {
        INFO(row.name);
        const auto spec = load(row.name);
        CHECK(spec.sm_count == row.sms);
        CHECK(spec.op(OpClass::ffma)->lanes_per_cycle == row.lanes);
        CHECK(2.0 * row.sms * row.lanes * row.mhz * 1e6 == Approx(row.gflops * 1e9).epsilon(0.02));
        const bool rated = spec.clock.sm_hz == row.mhz * 1e6 || spec.clock.base_hz == row.mhz * 1e6 ||
                           spec.clock.boost_hz == row.mhz * 1e6;
        CHECK(rated);
        CHECK(spec.peak_fp32_flops == Approx(2.0 * row.sms * row.lanes * spec.clock.sm_hz));
        CHECK(spec.dram.bandwidth_bytes_per_second == Approx(row.gbytes_per_second * 1e9).epsilon(0.02));
    }
}

TEST_CASE("every product has a row of published peaks", "[spec]") {
    int products = 0;
    for (const auto& listing : list_archs(spec_path())) {
        products += listing.default_product.empty() ? 1 : 0;
    }
    CHECK(products == 88);  // the rows of the table above
}

TEST_CASE("initiation intervals and memory latencies follow from the spec", "[unit]") {
    const auto k40 = load("k40");
    CHECK(k40.op(OpClass::ffma)->initiation_interval_cycles == Approx(32.0 * 4 / 192));
    CHECK(k40.op(OpClass::imad)->initiation_interval_cycles == Approx(4));
    CHECK(k40.op(OpClass::global_load)->latency_cycles == k40.l2.latency_cycles);  // L1 bypassed
    CHECK_FALSE(k40.op(OpClass::async_copy).has_value());

    const auto v100 = load("v100_sxm2");
    CHECK(v100.op(OpClass::ffma)->initiation_interval_cycles == Approx(2));
    CHECK(v100.op(OpClass::dfma)->initiation_interval_cycles == Approx(4));
    CHECK(v100.op(OpClass::global_load)->latency_cycles == v100.l1.latency_cycles);
    CHECK(v100.op(OpClass::shared_load)->latency_cycles == v100.sm.shared_memory.latency_32_cycles);

    const auto gtx_280 = load("gtx_280");
    CHECK(gtx_280.op(OpClass::ffma)->initiation_interval_cycles == Approx(4));   // PG4: 4 cycles per warp
    CHECK(gtx_280.op(OpClass::sfu)->initiation_interval_cycles == Approx(16));   // 16 for the SFU
    CHECK(gtx_280.op(OpClass::dfma)->initiation_interval_cycles == Approx(32));  // 32 for double precision
    CHECK(gtx_280.op(OpClass::global_load)->latency_cycles == gtx_280.dram.latency_cycles);
}

// Occupancy limits of the vendor's tables: warps, blocks, registers per SM, per block, per thread, and the
// largest carve-out and per-block limits in KiB.
struct Limits {
    const char* name;
    int warps, blocks, registers, registers_per_block, registers_per_thread, unit;
    int carveout, static_limit, optin;
};

TEST_CASE("occupancy limits are those of the vendor's tables", "[spec]") {
    const Limits table[] = {
        {"sm_10", 24, 8, 8192, 8192, 124, 256, 16, 16, 0},
        {"sm_13", 32, 8, 16384, 16384, 124, 512, 16, 16, 0},
        {"sm_20", 48, 8, 32768, 32768, 63, 64, 48, 48, 0},
        {"sm_30", 64, 16, 65536, 65536, 63, 256, 48, 48, 0},
        {"sm_35", 64, 16, 65536, 65536, 255, 256, 48, 48, 0},
        {"sm_37", 64, 16, 131072, 65536, 255, 256, 112, 48, 0},
        {"sm_50", 64, 32, 65536, 65536, 255, 256, 64, 48, 0},
        {"sm_52", 64, 32, 65536, 65536, 255, 256, 96, 48, 0},
        {"sm_53", 64, 32, 65536, 32768, 255, 256, 64, 48, 0},
        {"sm_60", 64, 32, 65536, 65536, 255, 256, 64, 48, 0},
        {"sm_61", 64, 32, 65536, 65536, 255, 256, 96, 48, 0},
        {"sm_62", 64, 32, 65536, 32768, 255, 256, 64, 48, 0},
        {"sm_70", 64, 32, 65536, 65536, 255, 256, 96, 48, 96},
        {"sm_72", 64, 32, 65536, 65536, 255, 256, 96, 48, 96},
        {"sm_75", 32, 16, 65536, 65536, 255, 256, 64, 48, 64},
        {"sm_80", 64, 32, 65536, 65536, 255, 256, 164, 48, 163},
        {"sm_86", 48, 16, 65536, 65536, 255, 256, 100, 48, 99},
        {"sm_87", 48, 16, 65536, 65536, 255, 256, 164, 48, 163},
        {"sm_89", 48, 24, 65536, 65536, 255, 256, 100, 48, 99},
        {"sm_90", 64, 32, 65536, 65536, 255, 256, 228, 48, 227},
        {"sm_100", 64, 32, 65536, 65536, 255, 256, 228, 48, 227},
        {"sm_103", 64, 32, 65536, 65536, 255, 256, 228, 48, 227},
        {"sm_120", 48, 24, 65536, 65536, 255, 256, 100, 48, 99},
        {"sm_121", 48, 24, 65536, 65536, 255, 256, 100, 48, 99},
    };
    for (const auto& row : table) {
        INFO(row.name);
        const auto sm = load(row.name).sm;
        CHECK(sm.max_warps == row.warps);
        CHECK(sm.max_blocks == row.blocks);
        CHECK(sm.register_file.size == row.registers);
        CHECK(sm.register_file.max_per_block == row.registers_per_block);
        CHECK(sm.register_file.max_per_thread == row.registers_per_thread);
        CHECK(sm.register_file.allocation_unit == row.unit);
        CHECK(sm.shared_memory.carveouts_bytes.back() == row.carveout * 1024);
        CHECK(sm.shared_memory.max_per_block_bytes == row.static_limit * 1024);
        CHECK(sm.shared_memory.max_per_block_optin_bytes.value_or(0) == row.optin * 1024);
    }
}

TEST_CASE("every schema row reads back what it writes", "[property]") {
    for (const char* name : {"gtx_280", "c2050", "k40", "v100_sxm2", "h200_sxm"}) {
        const auto spec = load(name);
        for (const auto& [key, provenance] : spec.provenance) {
            INFO(name << " " << key << " " << provenance.text);
            const auto* field = find_field(key);
            REQUIRE(field != nullptr);
            const auto value = field->get(spec);
            ArchSpec other;
            field->set(other, value);
            CHECK(field->get(other) == value);
            // As printed, and as written in the file.
            CHECK(parse_scalar(*field, print_value(*field, value)).value == value);
            CHECK(parse_scalar(*field, provenance.text).value == value);
        }
    }
}

TEST_CASE("schema keys are unique and their ranges hold the unit's zero or more", "[unit]") {
    for (const auto& field : schema()) {
        INFO(field.key);
        CHECK(find_field(field.key) == &field);  // a duplicate would find the other row
        CHECK_FALSE(field.meaning.empty());
        if (field.kind == FieldKind::number || field.kind == FieldKind::list) {
            CHECK(field.min >= 0);
            CHECK(field.max >= field.min);
        }
    }
}

}  // namespace shipped_specs_test
