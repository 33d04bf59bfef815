#include "model/sim/l2/l2_cache.h"

#include <algorithm>
#include <bit>
#include <new>

#include "model/sim/l2/sector_count.h"
#include "model/sim/line.h"

namespace gpumodel::sim {
namespace {

constexpr unsigned sectors_per_line = 4;
constexpr unsigned words_per_sector = 8;
constexpr std::uint32_t whole_sector = 0xff;

std::uint32_t whole_sectors_of(std::uint32_t words) {
    std::uint32_t sectors = 0;
    for (unsigned s = 0; s < sectors_per_line; ++s) {
        const bool whole = (words >> (s * words_per_sector) & whole_sector) == whole_sector;
        sectors |= static_cast<std::uint32_t>(whole) << s;
    }
    return sectors;
}

}  // namespace

std::uint32_t sectors_of(std::uint32_t words) {
    std::uint32_t sectors = 0;
    for (unsigned s = 0; s < sectors_per_line; ++s) {
        const bool any = (words >> (s * words_per_sector) & whole_sector) != 0;
        sectors |= static_cast<std::uint32_t>(any) << s;
    }
    return sectors;
}

std::uint32_t words_of(std::uint32_t sectors) {
    std::uint32_t words = 0;
    for (unsigned s = 0; s < sectors_per_line; ++s) {
        words |= (sectors >> s & 1U) != 0 ? whole_sector << (s * words_per_sector) : 0;
    }
    return words;
}

L2Cache::L2Cache(std::int64_t capacity_bytes, int ways, int one_in, int access_sectors)
    : sample_mask_(static_cast<std::uint64_t>(one_in) - 1),
      sample_shift_(static_cast<unsigned>(std::countr_zero(static_cast<unsigned>(one_in)))),
      ways_(static_cast<std::size_t>(ways)),
      access_sectors_(access_sectors) {
    const auto lines = std::max<std::int64_t>(ways, capacity_bytes / line_bytes / one_in);
    sets_ = static_cast<std::uint64_t>(lines / ways);
    lines_.reset(static_cast<Line*>(std::calloc(static_cast<std::size_t>(sets_) * ways_, sizeof(Line))));
    if (!lines_) {
        throw std::bad_alloc();
    }
}

L2Cache::Line* L2Cache::set_of(std::int64_t number) {
    const auto kept = static_cast<std::uint64_t>(number) >> sample_shift_;
    const auto set = static_cast<std::size_t>((kept * golden >> half) * sets_ >> half);
    return lines_.get() + set * ways_;
}

L2Cache::Line& L2Cache::find_or_replace(std::int64_t number) {
    auto* const first = set_of(number);
    auto* oldest = first;
    for (auto* line = first; line != first + ways_; ++line) {
        if (line->number_and_one == number + 1) {
            line->last_use = ++now_;
            return *line;
        }
        oldest = line->last_use < oldest->last_use ? line : oldest;
    }
    write_back(*oldest);
    *oldest = {number + 1, ++now_, 0, 0};
    return *oldest;
}

void L2Cache::write_back(const Line& line) {
    const auto dirty = sectors_of(line.written);
    counts_.written_back_sectors += sector_count(dirty);
    counts_.fetched_sectors += sector_count(dirty & ~whole_sectors_of(line.written) & ~line.fetched);
}

// With the sectors that come along.
std::uint32_t L2Cache::accesses_of(std::uint32_t sectors) const {
    constexpr std::uint32_t pairs = 0b0101;
    if (access_sectors_ == 1 || sectors == 0) {
        return sectors;
    }
    const auto low = (sectors | sectors >> 1U) & pairs;
    return access_sectors_ == 2 ? low | low << 1U : 0b1111;
}

std::uint32_t L2Cache::fill(std::int64_t number, std::uint32_t words) {
    auto& line = find_or_replace(number);
    const auto here = line.fetched | whole_sectors_of(line.written);
    const auto missing = accesses_of(sectors_of(words) & ~here) & ~here;
    line.fetched = static_cast<std::uint8_t>(line.fetched | missing);
    return missing;
}

int L2Cache::read(std::int64_t number, std::uint32_t words) {
    const int fetched = sector_count(fill(number, words));
    counts_.fetched_sectors += fetched;
    return fetched;
}

void L2Cache::drop(std::int64_t number, std::uint32_t words) {
    auto* const first = set_of(number);
    auto* const line =
        std::find_if(first, first + ways_, [&](const Line& l) { return l.number_and_one == number + 1; });
    if (line != first + ways_) {
        line->fetched = static_cast<std::uint8_t>(line->fetched & ~sectors_of(words));
    }
}

void L2Cache::occupy(std::int64_t number, std::uint32_t words) {
    auto& line = find_or_replace(number);
    line.fetched = static_cast<std::uint8_t>(line.fetched & ~sectors_of(words));
}

void L2Cache::write(std::int64_t number, std::uint32_t words) {
    find_or_replace(number).written |= words;
}

}  // namespace gpumodel::sim
