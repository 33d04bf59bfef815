// What became of a sweep's points, and which rule rejected how many.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace gpumodel::cli {

// The rule behind a reason, without the values of one combination: "BM = 96 must be a multiple of WM = 64" is
// "BM must be a multiple of WM"; what was asked of a limit is N ("N registers per thread asked, 255
// allowed").
[[nodiscard]] std::string rule_of(const std::string& reason);

struct Tally {
    std::int64_t points = 0;
    std::int64_t valid = 0;
    std::int64_t failed = 0;                    // of the valid ones: a model gave up (status error)
    std::map<std::string, std::int64_t> rules;  // rule -> points that it rejected

    void reject(const std::string& reason);
    void add(const Tally& other);
    [[nodiscard]] std::int64_t rejected() const { return points - valid; }
    // Most frequent first.
    [[nodiscard]] std::vector<std::pair<std::string, std::int64_t>> rules_by_count() const;
};

// "10,000 points, 7,312 valid, 2,688 rejected:" and a line per rule, the most frequent first.
[[nodiscard]] std::string tally_text(const Tally& tally);

}  // namespace gpumodel::cli
