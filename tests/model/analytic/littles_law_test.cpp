// The guides' worked latency-hiding examples.
#include "model/analytic/littles_law.h"

#include <catch2/catch.hpp>

#include "arch_specs/loader.h"

using namespace gpumodel;

TEST_CASE("Fermi slides: 26 warps, 54 % of 48", "[unit][published]") {
    const int warps = warps_to_hide_load(400, 2, 8);
    CHECK(warps == 26);
    CHECK(100 * warps / load_arch("c2050").sm.max_warps == 54);
}

TEST_CASE("GT200 slides: about 13 warps", "[unit][published]") {
    CHECK(warps_to_hide_load(400, 4, 8) == 13);
}

TEST_CASE("GT200 slides: 6 warps hide the register dependency, 25 % on G80", "[unit][published]") {
    const auto g80 = load_arch("quadro_fx_5600");
    const auto& ffma = g80.op(OpClass::ffma);
    REQUIRE(ffma.has_value());
    const int warps = warps_to_hide_dependency(ffma->latency_cycles, ffma->initiation_interval_cycles, 1);
    CHECK(warps == 6);
    CHECK(100 * warps / g80.sm.max_warps == 25);
}

TEST_CASE("Volta guide: 4 warps per SM at ILP 4", "[unit][published]") {
    const auto v100 = load_arch("v100_sxm2");
    const auto& ffma = v100.op(OpClass::ffma);
    REQUIRE(ffma.has_value());
    CHECK(v100.sm.schedulers * warps_to_hide_dependency(ffma->latency_cycles, 1, 4) == 4);
    CHECK(v100.sm.schedulers * warps_to_hide_dependency(ffma->latency_cycles, 1, 1) == 16);
}

TEST_CASE("Volkov 2010: operations in flight on GF100 and GF104", "[unit][published]") {
    CHECK(operations_in_flight(18, 32) == 576);
    CHECK(operations_in_flight(18, 48) == 864);
    CHECK(operations_in_flight(24, 8) == 192);
}

TEST_CASE("Volkov 2010: about 100 KB in flight on a GTX 480", "[unit][published]") {
    const auto gtx480 = load_arch("gtx_480");
    const double latency = gtx480.dram.latency_cycles / gtx480.clock.sm_hz;
    const double bytes = bytes_in_flight(latency, gtx480.dram.bandwidth_bytes_per_second);
    CHECK(bytes > 50e3);
    CHECK(bytes < 110e3);
}
