// The cc 5.x+ bank rule against accesses timed on hardware (data/h100_shared_timed.txt).
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <sstream>
#include <string>

#include "model/memory/banks/bank_conflicts.h"
#include "tests/support/patterns.h"

using namespace gpumodel;
using namespace gpumodel::test;

namespace {

// Loads of one wavefront are bound by issue at 1.2 cycles, not by the banks.
constexpr double load_issue_cycles = 1.2;

bool explains(int wavefronts, double cycles, double issue_cycles) {
    return std::fabs(std::max<double>(wavefronts, issue_cycles) - cycles) < 0.1 + 0.01 * cycles;
}

}  // namespace

TEST_CASE("bank rule against accesses timed on an H100", "[oracle][banks]") {
    std::ifstream data(GPUMODEL_SOURCE_DIR "/tests/model/memory/data/h100_shared_timed.txt");
    REQUIRE(data);
    const BankGeometry geometry{32, 4, SharedMemoryRule::cc5_x};
    int patterns = 0;
    for (std::string text; std::getline(data, text);) {
        if (text.front() == '#') {
            continue;
        }
        WarpAccess access;
        double load = 0;
        double store = 0;
        std::istringstream line(text);
        line >> access.bytes_per_lane >> std::hex >> access.active >> std::dec >> load >> store;
        for (auto& address : access.address) {
            line >> address;
        }
        REQUIRE(line);
        ++patterns;
        const auto loads = analyse_bank_conflicts(access, geometry, AccessDirection::load).wavefronts;
        const auto stores = analyse_bank_conflicts(access, geometry, AccessDirection::store).wavefronts;
        if (!explains(loads, load, load_issue_cycles) || !explains(stores, store, 1)) {
            FAIL_CHECK("loads " << loads << " timed " << load << ", stores " << stores << " timed " << store
                                << ": " << describe(access));
        }
    }
    CHECK(patterns == 600);
}
