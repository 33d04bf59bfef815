// Dealing blocks to SMs against dealing them one by one.
#include "model/launch/waves.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

using namespace gpumodel;

TEST_CASE("waves equal what dealing block by block gives", "[property][waves]") {
    for (const int sms : {1, 3, 13, 80}) {
        for (const int resident : {1, 2, 5}) {
            for (std::int64_t blocks = 1; blocks <= 500; ++blocks) {
                std::vector<std::int64_t> dealt(static_cast<std::size_t>(sms), 0);
                for (std::int64_t block = 0; block < blocks; ++block) {
                    ++dealt[static_cast<std::size_t>(block % sms)];
                }
                const auto busiest = *std::max_element(dealt.begin(), dealt.end());
                std::int64_t rounds = 0;
                std::int64_t left = busiest;
                for (; left >= resident; left -= resident) {
                    ++rounds;
                }
                const auto waves = deal_blocks(blocks, sms, resident);
                REQUIRE(waves.busiest_sm_blocks == busiest);
                REQUIRE(waves.full_rounds == rounds);
                REQUIRE(waves.tail_blocks == left);
                REQUIRE(waves.active_sms == sms - std::count(dealt.begin(), dealt.end(), 0));
                REQUIRE(waves.waves * sms * resident == Approx(static_cast<double>(blocks)));
            }
        }
    }
}
