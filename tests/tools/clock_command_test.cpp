// --clock and what launches draw, through the command.
#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/run_command.h"

using Json = nlohmann::json;

namespace {

const std::string tensor = "predict --arch h200_sxm --kernel wgmma_tma --compile never --model simulate";

Json first(const std::string& arguments) {
    const auto result = run_gpumodel(arguments + " --format json");
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
    return Json::parse(result.out)["predictions"][0];
}

}  // namespace

TEST_CASE("burst is the default, sustained is held by the board's power", "[tools][clock]") {
    const auto burst = first(tensor), named = first(tensor + " --clock burst");
    CHECK(burst == named);
    const auto held = first(tensor + " --clock sustained");
    CHECK(burst["average_power_w"].get<double>() > 700);
    CHECK(held["average_power_w"].get<double>() == Approx(700).epsilon(0.015));
    CHECK(held["sm_clock_mhz"].get<double>() < burst["sm_clock_mhz"].get<double>());
    CHECK(held["time_us"].get<double>() > burst["time_us"].get<double>());
    for (const auto& p : {burst, held}) {
        CHECK(p["energy_mj"].get<double>() ==
              Approx(1e-3 * p["average_power_w"].get<double>() * p["time_us"].get<double>()));
    }
}

TEST_CASE("boost knows no tensor clock, a locked clock is kept", "[tools][clock]") {
    CHECK(first(tensor + " --clock boost")["sm_clock_mhz"].get<double>() == Approx(1980));
    CHECK(first(tensor + " --clock 1.41GHz")["sm_clock_mhz"].get<double>() == Approx(1410));
    // products leave no more than that, whatever it is locked to
    CHECK(first(tensor + " --clock 1.98GHz") == first(tensor));
    const auto k40 = first("predict --arch k40 --kernel warptile --model analytic --clock '700 MHz'");
    CHECK(k40["sm_clock_mhz"].get<double>() == Approx(700));
    CHECK(k40["average_power_w"].is_null());
    CHECK(k40["energy_mj"].is_null());
}

TEST_CASE("csv has the clock and the power behind what was there, empty where unknown", "[tools][clock]") {
    const auto of = [](const std::string& arch) {
        return run_gpumodel("predict --kernel warptile --model analytic --format csv --arch " + arch +
                            " --metrics sm_clock_mhz,average_power_w,energy_mj,power_band_pct")
            .out;
    };
    CHECK(of("k40").find("sm_clock_mhz,average_power_w,energy_mj,power_band_pct") != std::string::npos);
    CHECK(of("k40").find(",745,,,\n") != std::string::npos);
    CHECK(of("h200_sxm").find(",1980,") != std::string::npos);
}

TEST_CASE("boards that run far below their boost under load say so", "[tools][clock]") {
    const auto of = [](const std::string& arch) {
        return first("predict --kernel warptile --model analytic --generated -m 256 -n 256 -k 256 --arch " +
                     arch)["notes"]
            .dump();
    };
    // data sheets: 795 of 2040 MHz, 585 of 1590, 1312 of 1530; what an H200 draws is known
    for (const auto* arch : {"l4", "t4"}) {
        CHECK(of(arch).find("clock-under-load") != std::string::npos);
    }
    CHECK(of("l4").find("795 MHz") != std::string::npos);
    for (const auto* arch : {"l4 --clock 795MHz", "v100_sxm2", "h200_sxm", "k40"}) {
        CHECK(of(arch).find("clock-under-load") == std::string::npos);
    }
    const auto text =
        run_gpumodel("predict --arch l4 --kernel warptile --model analytic --generated --brief").out;
    CHECK(text.find("Clock                             2.04 GHz, for a moment") != std::string::npos);
}

TEST_CASE("faults of --clock", "[tools][clock]") {
    const auto fault = [](const std::string& arguments) {
        const auto result = run_gpumodel("predict --kernel warptile " + arguments);
        CHECK(result.exit_code == 2);
        CHECK(result.out.empty());
        return result.err;
    };
    const auto names = [](const std::string& text, const std::string& part) {
        return text.find(part) != std::string::npos;
    };
    CHECK(names(fault("--arch h200_sxm --clock fast"), "burst, boost, sustained"));
    CHECK(names(fault("--arch h200_sxm --clock 1410"), "'1410'"));
    CHECK(names(fault("--arch h200_sxm --clock '3 GHz'"), "above the 1.98 GHz"));
    CHECK(names(fault("--arch h200_sxm --clock '5 Hz'"), "below 1 MHz"));
    CHECK(names(fault("--arch k40 --clock sustained"), "not measured"));
    CHECK(names(fault("--arch h200_sxm --clock boost --set clock.sm=1GHz"), "contradict"));
    // together with the other faults
    const auto both = fault("--arch h200_sxm --clock fast -p BM=0");
    CHECK(names(both, "--clock"));
    // exponents and signs of no number
    for (const char* text : {"nan", "-1GHz", "1e999GHz", "''", "inf", "1GHz1"}) {
        CHECK_FALSE(fault(std::string("--arch h200_sxm --clock ") + text).empty());
    }
}

TEST_CASE("two sides may differ in the clock, sweeps and jobs take it", "[tools][clock]") {
    const auto compared = run_gpumodel(
        "compare --arch h200_sxm --kernel warptile --model analytic --vs-clock '990 MHz' --format csv");
    CHECK(compared.exit_code == 0);
    const auto swept =
        run_gpumodel("sweep --arch h200_sxm --kernel warptile --sizes 1024 -p BM=64,128 --clock '990 MHz'");
    CHECK(swept.exit_code == 0);
    CHECK(swept.out.find(",990,") != std::string::npos);
}

TEST_CASE("validate --power: measured power, clock and time of a series", "[tools][clock]") {
    const std::string data = GPUMODEL_SOURCE_DIR "/validate/data/h200_sxm_kernel_power.csv";
    // described again at the clock that its products leave
    const auto products = first(
        "predict --arch h100_nvl --set 'clock.base=800 MHz' --kernel wgmma_tma --compile never "
        "--model analytic");
    CHECK(products["sm_clock_mhz"].get<double>() < 1785);
    CHECK(products["notes"].dump().find("clock-under-load") != std::string::npos);
    const auto text = run_gpumodel("validate --arch h200_sxm --power " + data);
    INFO(text.err);
    CHECK(text.exit_code == 0);
    CHECK(text.out.find("at the board's limit") != std::string::npos);
    const auto rows =
        run_shell("head -n 30 " + data + " | {gpumodel} validate --arch h200_sxm --rows --power -").out;
    CHECK(std::count(rows.begin(), rows.end(), '\n') == 16);  // 15 and the header
    CHECK(run_gpumodel("validate --arch k40 --power " + data).exit_code == 2);
    CHECK(run_gpumodel("validate --arch h200_sxm --model all --power " + data).exit_code == 2);
    CHECK(run_gpumodel("validate --arch h200_sxm --power /dev/null").exit_code == 2);
}
