#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "traces/trace/native/access_probe.h"

namespace gpumodel {

namespace {

using Steps = std::array<std::int64_t, max_dimensions>;
using Bits = std::string;

constexpr std::int64_t scan_length = 32;        // shorter ranges are scanned, longer ones halved
constexpr std::size_t max_combinations = 4096;  // keeps a table far below a section

class PredicateProbe {
public:
    PredicateProbe(const std::function<bool(const Coord&, int)>& predicate, int words,
                   const AccessDomain& domain)
        : predicate_(predicate), words_(words), domain_(domain), points_(check_points(domain)) {}

    std::optional<PredicateTable> probe(std::string& reason) {
        PredicateTable table;
        std::size_t combinations = 1;
        for (int d = 0; d < max_dimensions; ++d) {
            const auto index = static_cast<std::size_t>(d);
            table.starts[index] = d < domain_.dimensions ? starts(index) : std::vector<std::int64_t>{0};
            combinations *= table.starts[index].size();
        }
        if (combinations > max_combinations) {
            reason = fmt::format("the lane predicate has {} combinations of ranges, at most {} are allowed",
                                 combinations, max_combinations);
            return std::nullopt;
        }
        fill(table, combinations);
        for (const auto& point : points_) {
            if (*table.bits[combination_of(table, point)] != bits_at(point)) {
                reason =
                    "the lane predicate does not depend on ranges of the block coordinates and loop "
                    "counters alone";
                return std::nullopt;
            }
        }
        return table;
    }

private:
    const Bits& bits_at(const Steps& step) {
        const auto [found, added] = known_.try_emplace(step);
        if (!added) {
            return found->second;
        }
        auto& bits = found->second;
        bits.resize((static_cast<std::size_t>(domain_.threads() * words_) + 7) / 8);
        Coord at = domain_.at(step);
        std::size_t entry = 0;
        for (at.thread = domain_.thread_begin; at.thread < domain_.thread_end; ++at.thread) {
            for (int word = 0; word < words_; ++word, ++entry) {
                bits[entry / 8] =
                    static_cast<char>(bits[entry / 8] | (predicate_(at, word) ? 1 : 0) << entry % 8);
            }
        }
        return bits;
    }

    // Steps in (low, high] at which the bits change, along dimension d through `line`.
    void changes(Steps line, std::size_t d, std::int64_t low, std::int64_t high,
                 std::set<std::int64_t>& found) {
        const auto bits = [&](std::int64_t step) -> const Bits& {
            line[d] = step;
            return bits_at(line);
        };
        if (high - low <= scan_length) {
            for (auto step = low + 1; step <= high; ++step) {
                if (bits(step) != bits(step - 1)) {
                    found.insert(step);
                }
            }
            return;
        }
        const auto middle = low + (high - low) / 2;
        // Equal ends and middle of a long range: taken as equal throughout; the check points may object.
        if (bits(low) == bits(middle) && bits(middle) == bits(high)) {
            return;
        }
        changes(line, d, low, middle, found);
        changes(line, d, middle, high, found);
    }

    std::vector<std::int64_t> starts(std::size_t d) {
        std::set<std::int64_t> found{0};
        const auto extent = domain_.extent[d];
        if (extent > 1) {
            std::set<Steps> lines;
            for (auto point : points_) {
                point[d] = 0;
                lines.insert(point);
            }
            for (const auto& line : lines) {
                changes(line, d, 0, std::min(extent - 1, scan_length), found);
                changes(line, d, std::min(extent - 1, scan_length), extent - 1, found);
            }
        }
        return {found.begin(), found.end()};
    }

    void fill(PredicateTable& table, std::size_t combinations) {
        std::map<Bits, BitTable> shared;
        for (std::size_t c = 0; c < combinations; ++c) {
            Steps step{};
            auto rest = c;
            for (std::size_t d = max_dimensions; d-- > 0;) {
                step[d] = table.starts[d][rest % table.starts[d].size()];
                rest /= table.starts[d].size();
            }
            const auto& bits = bits_at(step);
            auto& copy = shared[bits];
            if (!copy) {
                copy = std::make_shared<const Bits>(bits);
            }
            table.bits.push_back(copy);
        }
    }

    static std::size_t combination_of(const PredicateTable& table, const Steps& step) {
        std::size_t combination = 0;
        for (std::size_t d = 0; d < max_dimensions; ++d) {
            const auto& starts = table.starts[d];
            const auto after = std::upper_bound(starts.begin(), starts.end(), step[d]);
            combination = combination * starts.size() + static_cast<std::size_t>(after - starts.begin() - 1);
        }
        return combination;
    }

    const std::function<bool(const Coord&, int)>& predicate_;
    int words_;
    const AccessDomain& domain_;
    std::vector<Steps> points_;
    std::map<Steps, Bits> known_;
};

}  // namespace

std::optional<PredicateTable> probe_predicate(const std::function<bool(const Coord&, int)>& predicate,
                                              int words, const AccessDomain& domain, std::string& reason) {
    return PredicateProbe(predicate, words, domain).probe(reason);
}

}  // namespace gpumodel
