#include "traces/trace/native/access_probe.h"

#include <fmt/format.h>

#include <algorithm>

namespace gpumodel {

namespace {

using Steps = std::array<std::int64_t, max_dimensions>;

constexpr int further_points = 24;  // beside the corners (estimated: enough for ranges cut in the middle)

// Knuth's multiplicative generator (MMIX); only to spread the points.
std::uint64_t spread(std::uint64_t& state) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return state >> 33;
}

std::vector<std::int64_t> addresses_at(const AccessSite& site, const AccessDomain& domain,
                                       const Steps& step) {
    std::vector<std::int64_t> list;
    list.reserve(static_cast<std::size_t>(domain.threads()) * static_cast<std::size_t>(site.words));
    Coord at = domain.at(step);
    for (at.thread = domain.thread_begin; at.thread < domain.thread_end; ++at.thread) {
        for (int word = 0; word < site.words; ++word) {
            list.push_back(site.address(at, word));
        }
    }
    return list;
}

// Addresses of all phases, `ahead` periods on in dimension d.
std::vector<std::int64_t> phase_addresses(const AccessSite& site, const AccessDomain& domain,
                                          const AddressTable& table, std::size_t d, std::int64_t ahead) {
    std::vector<std::int64_t> list;
    for (std::size_t phase = 0; phase < table.phases(); ++phase) {
        Steps step{};
        auto rest = phase;
        for (auto i = static_cast<std::size_t>(domain.dimensions); i-- > 0;) {
            step[i] = static_cast<std::int64_t>(rest % static_cast<std::size_t>(table.periods[i]));
            rest /= static_cast<std::size_t>(table.periods[i]);
        }
        // A period that the trips cut off has no next round; its stride is never used.
        const auto next = step[d] + ahead * table.periods[d];
        step[d] = next < domain.extent[d] ? next : step[d];
        const auto part = addresses_at(site, domain, step);
        list.insert(list.end(), part.begin(), part.end());
    }
    return list;
}

Stride stride_of(const std::vector<std::int64_t>& base, std::vector<std::int64_t> next) {
    bool uniform = true;
    for (std::size_t i = 0; i < base.size(); ++i) {
        next[i] -= base[i];
        uniform = uniform && next[i] == next[0];
    }
    if (uniform) {
        return {next.empty() ? 0 : next[0], nullptr};
    }
    return {0, std::make_shared<const std::vector<std::int64_t>>(std::move(next))};
}

// Do the addresses move by one constant per `period` steps, over the first few rounds?
bool moves_evenly(const AccessSite& site, const AccessDomain& domain, std::size_t d, int period) {
    constexpr std::int64_t rounds = 6;
    for (std::int64_t first = 0;
         first + std::int64_t{2} * period < std::min(domain.extent[d], rounds * period); ++first) {
        std::array<Coord, 3> at;
        for (std::size_t i = 0; i < at.size(); ++i) {
            Steps step{};
            step[d] = first + static_cast<std::int64_t>(i) * period;
            at.at(i) = domain.at(step);
        }
        for (int thread = domain.thread_begin; thread < domain.thread_end; ++thread) {
            at[0].thread = at[1].thread = at[2].thread = thread;
            for (int word = 0; word < site.words; ++word) {
                if (site.is_active(at[0], word) && site.is_active(at[1], word) &&
                    site.is_active(at[2], word) &&
                    site.address(at[2], word) - site.address(at[1], word) !=
                        site.address(at[1], word) - site.address(at[0], word)) {
                    return false;
                }
            }
        }
    }
    return true;
}

int period_of(const AccessSite& site, const AccessDomain& domain, std::size_t d) {
    for (int period = 1; period <= max_period; ++period) {
        if (moves_evenly(site, domain, d, period)) {
            return period;
        }
    }
    return 1;  // the check points will object
}

// The first active thread and word whose address is not what the table says.
std::string difference(const AccessSite& site, const AccessDomain& domain, const AddressTable& table) {
    const auto from_table = address_function(domain, site.words, table);
    for (const auto& step : check_points(domain)) {
        Coord at = domain.at(step);
        for (at.thread = domain.thread_begin; at.thread < domain.thread_end; ++at.thread) {
            for (int word = 0; word < site.words; ++word) {
                if (from_table(at, word) != site.address(at, word) && site.is_active(at, word)) {
                    return fmt::format(
                        "the address is not affine in the block coordinates and loop counters: block "
                        "{},{},{} thread {} word {}",
                        at.block_x, at.block_y, at.block_z, at.thread, word);
                }
            }
        }
    }
    return "";
}

}  // namespace

std::vector<std::array<std::int64_t, max_dimensions>> check_points(const AccessDomain& domain) {
    std::vector<std::size_t> moving;
    for (int d = 0; d < domain.dimensions; ++d) {
        if (domain.extent[static_cast<std::size_t>(d)] > 1) {
            moving.push_back(static_cast<std::size_t>(d));
        }
    }
    std::vector<Steps> points;
    for (unsigned corner = 0; corner < 1U << moving.size(); ++corner) {
        Steps step{};
        for (std::size_t i = 0; i < moving.size(); ++i) {
            step[moving[i]] = (corner >> i & 1) != 0 ? domain.extent[moving[i]] - 1 : 0;
        }
        points.push_back(step);
    }
    std::uint64_t state = 1;
    for (int i = 0; i < further_points && !moving.empty(); ++i) {
        Steps step{};
        for (const auto d : moving) {
            step[d] = static_cast<std::int64_t>(spread(state) % static_cast<std::uint64_t>(domain.extent[d]));
        }
        points.push_back(step);
    }
    std::sort(points.begin(), points.end());
    points.erase(std::unique(points.begin(), points.end()), points.end());
    return points;
}

std::optional<AddressTable> probe_addresses(const AccessSite& site, const AccessDomain& domain,
                                            std::string& reason) {
    AddressTable table;
    for (std::size_t d = 3; d < static_cast<std::size_t>(domain.dimensions); ++d) {
        table.periods[d] = period_of(site, domain, d);
    }
    auto base = phase_addresses(site, domain, table, 0, 0);
    for (std::size_t d = 0; d < static_cast<std::size_t>(domain.dimensions); ++d) {
        if (domain.extent[d] > table.periods[d]) {
            table.strides[d] = stride_of(base, phase_addresses(site, domain, table, d, 1));
        }
    }
    table.base = std::make_shared<const std::vector<std::int64_t>>(std::move(base));
    reason = difference(site, domain, table);
    if (!reason.empty()) {
        return std::nullopt;
    }
    return table;
}

}  // namespace gpumodel
