#include "model/compare/match.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>

namespace gpumodel {
namespace {

constexpr std::size_t field_count = 5;
using Fields = std::array<std::string, field_count>;

std::string sorted_params(const std::string& params) {
    std::vector<std::string> pairs;
    for (std::size_t begin = 0; begin < params.size();) {
        const auto end = std::min(params.find(';', begin), params.size());
        pairs.push_back(params.substr(begin, end - begin));
        begin = end + 1;
    }
    std::sort(pairs.begin(), pairs.end());
    std::string joined;
    for (const auto& pair : pairs) {
        joined += pair + ';';
    }
    return joined;
}

std::vector<Fields> fields_of(const std::vector<LaunchRecord>& records) {
    std::vector<Fields> list;
    list.reserve(records.size());
    for (const auto& r : records) {
        const auto size = std::to_string(r.m) + 'x' + std::to_string(r.n) + 'x' + std::to_string(r.k);
        list.push_back({r.arch, r.kernel, sorted_params(r.params), size, r.variant});
    }
    return list;
}

bool constant(const std::vector<Fields>& side, std::size_t field) {
    return std::all_of(side.begin(), side.end(),
                       [&](const Fields& f) { return f[field] == side.front()[field]; });
}

// What tells launches apart, as one string each.
std::vector<std::string> keys(const std::vector<Fields>& side, const std::array<bool, field_count>& telling) {
    std::vector<std::string> list;
    list.reserve(side.size());
    for (const auto& fields : side) {
        std::string key;
        for (std::size_t f = 0; f < field_count; ++f) {
            key += (telling[f] ? fields[f] : "") + '\n';
        }
        list.push_back(std::move(key));
    }
    return list;
}

// "key, model, how many of it came before" of each record, and the same without the model.
struct Names {
    std::vector<std::string> of_pair, of_launch;
};

Names names(const std::vector<LaunchRecord>& records, const std::vector<std::string>& keys) {
    std::map<std::string, int> seen;
    Names result;
    for (std::size_t i = 0; i < records.size(); ++i) {
        const auto nth = std::to_string(seen[keys[i] + records[i].model]++);
        result.of_launch.push_back(keys[i] + nth);
        result.of_pair.push_back(keys[i] + nth + '\n' + records[i].model);
    }
    return result;
}

void link_analytic(Matching& matching, const std::vector<LaunchRecord>& a, const Names& names_a) {
    std::map<std::string, std::size_t> analytic;
    for (std::size_t i = 0; i < matching.pairs.size(); ++i) {
        if (a[matching.pairs[i].a].model == "analytic") {
            analytic.emplace(names_a.of_launch[matching.pairs[i].a], i);
        }
    }
    for (auto& pair : matching.pairs) {
        const auto same = analytic.find(names_a.of_launch[pair.a]);
        if (a[pair.a].model != "analytic" && same != analytic.end()) {
            pair.analytic = same->second;
        }
    }
}

}  // namespace

Matching match_launches(const std::vector<LaunchRecord>& a, const std::vector<LaunchRecord>& b) {
    const auto fields_a = fields_of(a);
    const auto fields_b = fields_of(b);
    std::array<bool, field_count> telling{};
    for (std::size_t f = 0; f < field_count; ++f) {
        telling[f] = !constant(fields_a, f) || !constant(fields_b, f);
    }
    const auto names_a = names(a, keys(fields_a, telling));
    const auto names_b = names(b, keys(fields_b, telling));
    std::map<std::string, std::size_t> in_b;
    for (std::size_t i = 0; i < b.size(); ++i) {
        in_b.emplace(names_b.of_pair[i], i);
    }
    Matching matching;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (const auto found = in_b.extract(names_a.of_pair[i]); !found.empty()) {
            matching.pairs.push_back({i, found.mapped(), {}});
        } else {
            matching.only_a.push_back(i);
        }
    }
    for (const auto& [name, i] : in_b) {
        matching.only_b.push_back(i);
    }
    std::sort(matching.only_b.begin(), matching.only_b.end());
    link_analytic(matching, a, names_a);
    return matching;
}

std::vector<std::size_t> predicted_pairs(const Matching& matching) {
    std::set<std::size_t> second_opinions;
    for (const auto& pair : matching.pairs) {
        if (pair.analytic) {
            second_opinions.insert(*pair.analytic);
        }
    }
    std::vector<std::size_t> predicted;
    for (std::size_t i = 0; i < matching.pairs.size(); ++i) {
        if (!second_opinions.contains(i)) {
            predicted.push_back(i);
        }
    }
    return predicted;
}

}  // namespace gpumodel
