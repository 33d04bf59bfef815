#include "tools/sweep/tally.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "base/number_text.h"

namespace gpumodel::cli {
namespace {

bool is_digit(char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

// Behind the digits that stand at `at`.
std::size_t after_number(const std::string& text, std::size_t at) {
    while (at < text.size() && is_digit(text[at])) {
        ++at;
    }
    return at;
}

// "98304 bytes of shared memory per block asked, 49152 allowed": the limit stays.
std::string without_asked(const std::string& reason) {
    std::string rule;
    bool clause = true;   // before "asked"
    bool inside = false;  // brackets: how what was asked came about
    for (std::size_t at = 0; at < reason.size();) {
        inside = reason[at] == '(' || (inside && reason[at] != ')');
        clause = clause ? reason.compare(at, 5, "asked") != 0 : reason[at] == ';';
        const bool starts = is_digit(reason[at]) &&
                            (at == 0 || std::isalnum(static_cast<unsigned char>(reason[at - 1])) == 0);
        if ((clause || inside) && starts) {
            rule += 'N';
            at = after_number(reason, at);
        } else {
            rule += reason[at++];
        }
    }
    return rule;
}

constexpr std::size_t most_rules = 200;  // texts that nobody foresaw must not fill the memory

}  // namespace

std::string rule_of(const std::string& reason) {
    if (reason.find(" asked") != std::string::npos) {
        return without_asked(reason);
    }
    std::string rule;
    for (std::size_t at = 0; at < reason.size();) {
        if (reason.compare(at, 3, " = ") == 0 && after_number(reason, at + 3) > at + 3) {
            at = after_number(reason, at + 3);
        } else {
            rule += reason[at++];
        }
    }
    return rule;
}

void Tally::reject(const std::string& reason) {
    ++points;
    auto rule = rule_of(reason);
    const bool room = rules.size() < most_rules || rules.contains(rule);
    ++rules[room ? std::move(rule) : "other rules"];
}

void Tally::add(const Tally& other) {
    points += other.points;
    valid += other.valid;
    failed += other.failed;
    for (const auto& [rule, count] : other.rules) {
        const bool room = rules.size() < most_rules || rules.contains(rule);
        rules[room ? rule : "other rules"] += count;
    }
}

std::vector<std::pair<std::string, std::int64_t>> Tally::rules_by_count() const {
    std::vector<std::pair<std::string, std::int64_t>> list(rules.begin(), rules.end());
    std::stable_sort(list.begin(), list.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    return list;
}

std::string tally_text(const Tally& tally) {
    auto text = fmt::format("{} points, {} valid", grouped(tally.points), grouped(tally.valid));
    text += tally.failed > 0 ? fmt::format(" ({} without a prediction)", grouped(tally.failed)) : "";
    text += tally.rejected() > 0 ? fmt::format(", {} rejected:\n", grouped(tally.rejected())) : "\n";
    for (const auto& [rule, count] : tally.rules_by_count()) {
        text += fmt::format("{:>13}  {}\n", grouped(count), rule);
    }
    return text;
}

}  // namespace gpumodel::cli
