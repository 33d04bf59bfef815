#include "validate/calibrate/held_back.h"

#include <catch2/catch.hpp>

#include "arch_specs/loader.h"

namespace held_back_test {

using namespace gpumodel;

namespace {

ArchSpec h200(const std::vector<Override>& overrides = {}) {
    return load_arch("h200_sxm", overrides, {std::string(GPUMODEL_SOURCE_DIR) + "/arch_specs"});
}

Measurement launch(const char* family, std::int64_t size, Split split) {
    Measurement m;
    m.family = family;
    m.m = m.n = m.k = size;
    m.split = split;
    return m;
}

// The test half takes what `truth` predicts, the calibration half a hundred times that.
std::vector<Measurement> times_on(const ArchSpec& truth) {
    std::vector<Measurement> list;
    for (const auto* family : {"warptile", "blocktile2d", "coalesced"}) {
        for (const std::int64_t size : {512, 1024}) {
            for (const auto split : {Split::calibration, Split::test}) {
                auto m = launch(family, size, split);
                const auto predicted = predict_or_say_why(m, truth, {});
                REQUIRE(predicted.prediction);
                m.time_us =
                    predicted.prediction->time_seconds * 1e6 * (split == Split::calibration ? 100 : 1);
                list.push_back(std::move(m));
            }
        }
    }
    return list;
}

}  // namespace

TEST_CASE("a calibration is judged on the test half alone, before and after", "[calibrate]") {
    const auto truth = h200({{"clock.sm", "990 MHz"}});
    const auto judged = judge_held_back(times_on(truth), h200(), truth);
    CHECK(judged.model == ModelKind::analytic);
    CHECK(judged.before.launches == 6);
    CHECK(judged.after.launches == 6);
    CHECK(judged.after.mape_pct < 1e-9);    // the calibration half would read 99 %
    CHECK(judged.before.bias_pct < -20);    // twice the clock
    CHECK(judged.before.mape_pct < 50.01);  // and no more than that
}

TEST_CASE("launches that one of the two GPUs cannot run are judged for neither", "[calibrate]") {
    const auto truth = h200();
    auto times = times_on(truth);
    const auto small = h200({{"sm.max_threads_per_block", "512"}});  // coalesced has 1024
    const auto judged = judge_held_back(times, small, truth);
    CHECK(judged.before.launches == 4);
    CHECK(judged.after.launches == 4);
    CHECK(judge_held_back({launch("coalesced", 512, Split::test)}, small, small).before.launches == 0);
    CHECK(judge_held_back({}, truth, truth).after.launches == 0);
}

}  // namespace held_back_test
