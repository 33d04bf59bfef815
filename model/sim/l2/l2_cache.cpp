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

// Of so many sectors of one line that DRAM reads or writes together, in a row opened for so many lines.
double time_of(int sectors, double least, int lines_of_row = 1) {
    constexpr int half_a_line = 2;
    return sectors > 0 && sectors <= half_a_line ? sectors + std::max(0.0, least - sectors) / lines_of_row
                                                 : sectors;
}

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

L2Cache::L2Cache(std::int64_t capacity_bytes, int ways, int one_in, const DramAccess& dram)
    : sample_mask_(static_cast<std::uint64_t>(one_in) - 1),
      sample_shift_(static_cast<unsigned>(std::countr_zero(static_cast<unsigned>(one_in)))),
      ways_(static_cast<std::size_t>(ways)),
      dram_(dram) {
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

L2Cache::Line& L2Cache::find_or_replace(std::int64_t number, bool to_read) {
    auto* const first = set_of(number);
    auto* oldest = first;
    for (auto* line = first; line != first + ways_; ++line) {
        if (line->number_and_one == number + 1) {
            line->last_use = ++now_;
            return *line;
        }
        oldest = line->last_use < oldest->last_use ? line : oldest;
    }
    write_back(*oldest, to_read);
    *oldest = {number + 1, ++now_, 0, 0, 0, 0, 0};
    return *oldest;
}

void L2Cache::write_back(const Line& line, bool for_read) {
    const auto dirty = sectors_of(line.written);
    const int fetched = sector_count(dirty & ~whole_sectors_of(line.written) & ~line.fetched);
    counts_.written_back_sectors += sector_count(dirty);
    counts_.fetched_sectors += fetched;
    double cost = 0;
    if (fetched == 0) {
        cost = time_of(sector_count(dirty), dram_.least_write);
    } else {
        constexpr int lines_of_an_opening = 4;  // of those of a row that come one after another
        const int together = std::max(1, line.stored_of_row / lines_of_an_opening);
        cost = time_of(std::max(sector_count(dirty), dram_.sectors), dram_.least_write, together) +
               time_of(std::max(fetched, dram_.sectors), dram_.least_read, together);
    }
    counts_.write_back_cost += cost;
    counts_.for_reads_cost += for_read ? cost : 0;
}

// With the sectors that come along.
std::uint32_t L2Cache::accesses_of(std::uint32_t sectors) const {
    constexpr std::uint32_t pairs = 0b0101;
    if (dram_.sectors == 1 || sectors == 0) {
        return sectors;
    }
    const auto low = (sectors | sectors >> 1U) & pairs;
    return dram_.sectors == 2 ? low | low << 1U : 0b1111;
}

std::uint32_t L2Cache::fill(Line& line, std::uint32_t words) {
    const auto here = line.fetched | whole_sectors_of(line.written);
    const auto missing = accesses_of(sectors_of(words) & ~here) & ~here;
    line.fetched = static_cast<std::uint8_t>(line.fetched | missing);
    return missing;
}

std::uint32_t L2Cache::fill(std::int64_t number, std::uint32_t words) {
    return fill(find_or_replace(number, true), words);
}

std::uint32_t L2Cache::fetch(std::int64_t number, std::uint32_t words, int lines_of_row, double& cost) {
    auto& line = find_or_replace(number, true);
    const auto missing = fill(line, words);
    if (missing != 0) {
        const int sectors = sector_count(missing);
        line.together = static_cast<std::uint8_t>((line.step == step_ ? line.together : 0) + sectors);
        line.step = step_;
        cost += sectors;
        counts_.fetched_sectors += sectors;
        const double alone = time_of(sectors, dram_.least_read, lines_of_row) - sectors;
        if (alone > 0 && line.together == sectors) {
            parts_.push_back({&line, number, sectors, alone, &cost});
        }
    }
    return missing;
}

void L2Cache::next_step() {
    for (const auto& part : parts_) {
        const bool replaced = part.line->number_and_one != part.number + 1 || part.line->step != step_;
        if (replaced || part.line->together == part.sectors) {
            *part.cost += part.alone;
        }
    }
    parts_.clear();
    ++step_;
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
    auto& line = find_or_replace(number, false);
    line.fetched = static_cast<std::uint8_t>(line.fetched & ~sectors_of(words));
}

void L2Cache::write(std::int64_t number, std::uint32_t words, int lines_of_row) {
    auto& line = find_or_replace(number, false);
    line.written |= words;
    line.stored_of_row = static_cast<std::uint8_t>(std::min(lines_of_row, lines_per_row));
}

}  // namespace gpumodel::sim
