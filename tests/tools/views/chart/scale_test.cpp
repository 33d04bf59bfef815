#include "tools/views/chart/scale.h"

#include <catch2/catch.hpp>
#include <cmath>

using namespace gpumodel::chart;

TEST_CASE("linear and logarithmic scales", "[chart]") {
    const Scale linear{0, 10, 100, 300};
    CHECK(linear.at(0) == Approx(100));
    CHECK(linear.at(2.5) == Approx(150));
    CHECK(linear.at(99) == Approx(300));  // outside: at the end
    const Scale upwards{1, 1000, 90, 0, ScaleKind::logarithmic};
    CHECK(upwards.at(1) == Approx(90));
    CHECK(upwards.at(10) == Approx(60));
    CHECK(upwards.at(100) == Approx(30));
    CHECK(std::isfinite(Scale{5, 5, 0, 10}.at(5)));
}

TEST_CASE("ticks are multiples of 1, 2 or 5 times a power of ten", "[chart]") {
    CHECK(linear_ticks(0, 10, 6) == std::vector<double>{0, 2, 4, 6, 8, 10});
    CHECK(linear_ticks(0, 255, 6) == std::vector<double>{0, 50, 100, 150, 200, 250});
    CHECK(log_ticks(1, 1000, 4) == std::vector<double>{1, 10, 100, 1000});
    CHECK(log_ticks(1, 10, 8) == std::vector<double>{1, 2, 5, 10});
    CHECK(linear_ticks(3, 3).size() == 1);
}

TEST_CASE("any range has between two and the wanted number of linear ticks", "[chart]") {
    for (double low : {0.0, -3.7, 17.0, 1e-6}) {
        for (double span = 1e-3; span < 1e9; span *= 2.7) {
            for (int most = 3; most <= 10; ++most) {
                const auto values = linear_ticks(low, low + span, most);
                INFO(low << " + " << span << ", " << most);
                CHECK(values.size() >= 1);
                CHECK(values.size() <= static_cast<std::size_t>(most) + 1);
                for (const double value : values) {
                    CHECK(value >= low - 1e-6 * span);
                    CHECK(value <= low + span * (1 + 1e-6));
                }
            }
        }
    }
}

TEST_CASE("an axis may end at the next tick", "[chart]") {
    CHECK(nice_end(97, 6) == Approx(100));
    CHECK(nice_end(100, 6) == Approx(100));
    CHECK(nice_end(0) == Approx(1));
    CHECK(nice_end(1.03e6, 5) >= 1.03e6);
}

TEST_CASE("tick labels are short", "[chart]") {
    CHECK(tick_label(0) == "0");
    CHECK(tick_label(0.05) == "0.05");
    CHECK(tick_label(200) == "200");
    CHECK(tick_label(1500) == "1.5k");
    CHECK(tick_label(20e6) == "20M");
    CHECK(tick_label(999.9) == "1k");
}
