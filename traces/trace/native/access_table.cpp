#include "traces/trace/native/access_table.h"

#include <algorithm>

namespace gpumodel {

namespace {

std::int64_t coordinate(const Coord& at, int dimension) {
    switch (dimension) {
        case 0:
            return at.block_x;
        case 1:
            return at.block_y;
        case 2:
            return at.block_z;
        default:
            return at.loop[static_cast<std::size_t>(dimension - 3)];
    }
}

// Position in a table of `words` per thread; -1 for a thread or word that the site does not have.
std::int64_t position(const AccessDomain& domain, int words, const Coord& at, int word) {
    if (at.thread < domain.thread_begin || at.thread >= domain.thread_end || word < 0 || word >= words) {
        return -1;
    }
    return std::int64_t{at.thread - domain.thread_begin} * words + word;
}

// Unsigned: coordinates outside the domain may overflow, which must stay defined.
std::uint64_t times(std::int64_t a, std::int64_t b) {
    return static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b);
}

}  // namespace

std::size_t AddressTable::phases() const {
    std::size_t product = 1;
    for (const int period : periods) {
        product *= static_cast<std::size_t>(period);
    }
    return product;
}

Coord AccessDomain::at(const std::array<std::int64_t, max_dimensions>& step) const {
    Coord coord{first[0] + step[0], first[1] + step[1], first[2] + step[2], {}, 0};
    for (int d = 3; d < dimensions; ++d) {
        const auto index = static_cast<std::size_t>(d);
        coord.loop[index - 3] = first[index] + step[index];
    }
    return coord;
}

std::function<std::int64_t(const Coord&, int word)> address_function(const AccessDomain& domain, int words,
                                                                     AddressTable table) {
    return [domain, words, table = std::move(table)](const Coord& at, int word) -> std::int64_t {
        const auto index = position(domain, words, at, word);
        if (index < 0) {
            return 0;
        }
        std::array<std::int64_t, max_dimensions> rounds{};
        std::int64_t phase = 0;
        for (int d = 0; d < domain.dimensions; ++d) {
            const auto i = static_cast<std::size_t>(d);
            const auto step = coordinate(at, d) - domain.first[i];
            const auto period = table.periods[i];
            rounds[i] = step / period;
            phase = phase * period + std::max<std::int64_t>(0, step % period);
        }
        const auto entry = static_cast<std::size_t>(phase * domain.threads() * words + index);
        auto address = static_cast<std::uint64_t>((*table.base)[entry]);
        for (int d = 0; d < domain.dimensions; ++d) {
            const auto& stride = table.strides[static_cast<std::size_t>(d)];
            address += times(stride.table ? (*stride.table)[entry] : stride.uniform,
                             rounds[static_cast<std::size_t>(d)]);
        }
        return static_cast<std::int64_t>(address);
    };
}

std::function<bool(const Coord&, int word)> predicate_function(const AccessDomain& domain, int words,
                                                               PredicateTable table) {
    return [domain, words, table = std::move(table)](const Coord& at, int word) {
        const auto index = position(domain, words, at, word);
        if (index < 0) {
            return false;
        }
        std::size_t combination = 0;
        for (int d = 0; d < domain.dimensions; ++d) {
            const auto& starts = table.starts[static_cast<std::size_t>(d)];
            const auto step = coordinate(at, d) - domain.first[static_cast<std::size_t>(d)];
            const auto after = std::upper_bound(starts.begin() + 1, starts.end(), step);
            combination = combination * starts.size() + static_cast<std::size_t>(after - starts.begin() - 1);
        }
        const auto entry = static_cast<std::size_t>(index);
        return (static_cast<unsigned char>((*table.bits[combination])[entry / 8]) >> entry % 8 & 1) != 0;
    };
}

}  // namespace gpumodel
