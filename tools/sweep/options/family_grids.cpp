#include "tools/sweep/options/family_grids.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/parse.h"
#include "tools/sweep/options/axis_text.h"

namespace gpumodel::cli {

std::vector<const Family*> chosen_families(const std::vector<std::string>& kernels, OptionFaults& faults) {
    std::vector<const Family*> chosen;
    const auto names = family_names();
    for (const auto& list : kernels) {
        for (const auto& name : split_values(list, ',')) {
            const auto* family = find_family(name);
            if (family == nullptr) {
                faults.add("--kernel: " + name,
                           "unknown kernel family; see 'gpumodel kernels list'" + nearest_hint(name, names));
            } else if (std::find(chosen.begin(), chosen.end(), family) != chosen.end()) {
                faults.add("--kernel: " + name, "given twice");
            } else {
                chosen.push_back(family);
            }
        }
    }
    return chosen;
}

void check_known_axes(const std::vector<const Family*>& families, const std::vector<ParamAxis>& axes,
                      OptionFaults& faults) {
    std::set<std::string> known;
    for (const auto* family : families) {
        for (const auto& spec : family->params) {
            known.insert(spec.name);
        }
        for (const auto& derived : family->derived) {
            known.insert(derived.name);
        }
    }
    const std::vector<std::string> names(known.begin(), known.end());
    for (const auto& axis : axes) {
        if (!families.empty() && !known.contains(axis.key)) {
            faults.add("-p: " + axis.key, fmt::format("{} no such parameter{}",
                                                      families.size() == 1 ? families.front()->name + " has"
                                                                           : "these families have",
                                                      nearest_hint(axis.key, names)));
        }
    }
}

FamilyGrid family_grid(const Family& family, const std::vector<ParamAxis>& given,
                       std::vector<ParamAxis> others, OptionFaults& faults) {
    FamilyGrid result{&family,
                      {family.name, {}, {}, own_axes(family, given), implied_axes(family, given)},
                      resolve_params(family, {})};
    check_param_axes(family, result.grid.params, "-p", faults);
    for (auto& axis : others) {
        const bool known =
            std::any_of(given.begin(), given.end(), [&](const ParamAxis& a) { return a.key == axis.key; });
        if (!known) {
            result.grid.params.push_back(std::move(axis));
        }
    }
    return result;
}

}  // namespace gpumodel::cli
