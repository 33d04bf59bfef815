#include "model/sim/l2/split_l2.h"

#include "model/sim/l2/sector_count.h"

namespace gpumodel::sim {

SplitL2::SplitL2(int halves, std::int64_t capacity_bytes, int ways, int one_in, const DramAccess& dram) {
    halves_.reserve(static_cast<std::size_t>(halves));
    for (int half = 0; half < halves; ++half) {
        halves_.emplace_back(capacity_bytes / halves, ways, one_in, dram);
    }
}

// A half numbers the lines at home there one after another, and the copies apart from them, so that each kind
// fills its sets evenly (H200: 28 of 30 MiB at home stay, whatever else is kept).
std::int64_t SplitL2::number_in(std::size_t half, std::int64_t line) {
    constexpr std::int64_t copies = std::int64_t{1} << 48;
    return number_at_home(line) + (static_cast<int>(half) == home_half(line) ? 0 : copies);
}

LineRead SplitL2::read(std::int64_t line, std::uint32_t words, const BlocksOfHalf& blocks, double& cost,
                       int lines_of_row) {
    LineRead read;
    if (halves_.size() == 1) {
        read.fetched = sector_count(halves_.front().fetch(line, words, lines_of_row, cost));
        read.waited = static_cast<double>(read.fetched) * blocks[0];
        return read;
    }
    const auto home = static_cast<std::size_t>(home_half(line)), other = 1 - home;
    std::uint32_t from_dram = 0;
    if (blocks[home] > 0) {
        from_dram = halves_[home].fetch(number_in(home, line), words, lines_of_row, cost);
        read.waited += static_cast<double>(sector_count(from_dram)) * blocks[home];
    }
    if (blocks[other] > 0) {
        const auto missing = halves_[other].fill(number_in(other, line), words);
        if (missing != 0) {
            from_dram |= halves_[home].fetch(number_in(home, line), words_of(missing), lines_of_row, cost);
            const auto late = missing & from_dram;
            read.crossed = sector_count(missing);
            read.waited += static_cast<double>(sector_count(late)) * blocks[other];
            read.far = static_cast<double>(sector_count(missing & ~late)) * blocks[other];
        }
    }
    read.fetched = sector_count(from_dram);
    return read;
}

void SplitL2::write(std::int64_t line, std::uint32_t words, const BlocksOfHalf& blocks, int lines_of_row) {
    if (halves_.size() == 1) {
        halves_.front().write(line, words, lines_of_row);
        return;
    }
    const auto home = static_cast<std::size_t>(home_half(line));
    halves_[home].write(number_in(home, line), words, lines_of_row);
    if (blocks[1 - home] > 0) {
        halves_[1 - home].occupy(number_in(1 - home, line), words);
    } else {
        halves_[1 - home].drop(number_in(1 - home, line), words);
    }
}

void SplitL2::next_step() {
    for (auto& half : halves_) {
        half.next_step();
    }
}

L2Counts SplitL2::counts() const {
    L2Counts sum;
    for (const auto& half : halves_) {
        sum.fetched_sectors += half.counts().fetched_sectors;
        sum.written_back_sectors += half.counts().written_back_sectors;
        sum.write_back_cost += half.counts().write_back_cost;
        sum.for_reads_cost += half.counts().for_reads_cost;
    }
    return sum;
}

void SplitL2::reset_counts() {
    for (auto& half : halves_) {
        half.reset_counts();
    }
}

}  // namespace gpumodel::sim
