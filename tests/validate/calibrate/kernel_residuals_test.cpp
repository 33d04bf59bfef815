#include "validate/calibrate/kernel_residuals.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>

#include "arch_specs/loader.h"

namespace kernel_residuals_test {

using namespace gpumodel;

namespace {

ArchSpec h200(const std::vector<Override>& overrides = {}) {
    return load_arch("h200_sxm", overrides, {std::string(GPUMODEL_SOURCE_DIR) + "/arch_specs"});
}

// Times that the analytic model gives on `truth`, 2 % noise; launches of the test half take nonsense.
std::vector<Measurement> times_on(const ArchSpec& truth) {
    std::vector<Measurement> list;
    std::mt19937 random(1);
    std::normal_distribution<double> noise(0, 0.02);
    for (const auto* family : {"warptile", "blocktile2d", "vectorized", "coalesced", "stride_copy"}) {
        for (const std::int64_t size : {256, 512, 1024, 2048}) {
            for (const int half : {0, 1}) {
                Measurement m;
                m.family = family;
                m.m = m.n = m.k = size;
                const auto predicted = predict_or_say_why(m, truth, {});
                if (predicted.prediction) {
                    m.split = half == 0 ? Split::calibration : Split::test;
                    m.time_us = half == 0 ? predicted.prediction->time_seconds * 1e6 * (1 + noise(random))
                                          : std::numeric_limits<double>::quiet_NaN();
                    list.push_back(std::move(m));
                }
            }
        }
    }
    return list;
}

}  // namespace

TEST_CASE("a residual key is recovered from kernel times; the test half is not looked at", "[calibrate]") {
    const auto times = times_on(h200({{"launch.overhead", "6 us"}}));
    REQUIRE(times.size() >= 20);
    const auto fitted = fit_residuals(times, h200(), {"launch.overhead"}, {});
    REQUIRE(fitted.keys.size() == 1);
    const auto& key = fitted.keys.front();
    INFO(key.reason);
    CHECK(key.status == KeyStatus::changed);
    CHECK(key.value == Approx(6e-6).epsilon(0.03));
    CHECK(std::abs(key.value - 6e-6) < 3 * key.standard_error);
    CHECK(fitted.mape_after_pct < 3);
    CHECK(fitted.mape_before_pct > 2 * fitted.mape_after_pct);
    CHECK(2 * fitted.launches == times.size());
    CHECK(fitted.arch.launch.overhead_seconds == key.value);
}

TEST_CASE("a residual key on which no time depends is refused", "[calibrate]") {
    const auto fitted = fit_residuals(times_on(h200()), h200(), {"sm.ops.dfma.latency"}, {});
    CHECK(fitted.keys.front().status == KeyStatus::refused);
    CHECK(fitted.mape_before_pct == fitted.mape_after_pct);
}

TEST_CASE("residual keys: faults all at once", "[calibrate]") {
    try {
        (void)fit_residuals(
            {}, h200(),
            {"l1.latncy", "sm_count", "l1.latency", "l1.latency", "sm.scheduler_policy", "dram.latency"},
            {"dram.latency"});
        FAIL("accepted");
    } catch (const InputError& error) {
        CHECK(error.kind() == InputErrorKind::usage);
        CHECK(error.diagnostics().size() ==
              6);  // six keys; unknown; a count; twice; a word; determined already
    }
    CHECK_THROWS_AS(fit_residuals({}, h200(), {"l1.latency"}, {}), InputError);
}

}  // namespace kernel_residuals_test
