// Access functions -> tables, by asking the functions.
//
// Tables are proved only where they are checked: at all corners of the domain and at further points chosen
// by a fixed sequence, for every thread and word that is active there.
#pragma once

#include <optional>
#include <string>

#include "traces/trace/native/access_table.h"

namespace gpumodel {

// Empty, with a reason, for addresses that are not affine in some coordinate.
[[nodiscard]] std::optional<AddressTable> probe_addresses(const AccessSite& site, const AccessDomain& domain,
                                                          std::string& reason);

// `predicate(coord, word)` for words 0 <= word < words. Empty, with a reason, if ranges of coordinates do not
// describe it.
[[nodiscard]] std::optional<PredicateTable> probe_predicate(
    const std::function<bool(const Coord&, int)>& predicate, int words, const AccessDomain& domain,
    std::string& reason);

// The points at which tables are checked.
[[nodiscard]] std::vector<std::array<std::int64_t, max_dimensions>> check_points(const AccessDomain& domain);

}  // namespace gpumodel
