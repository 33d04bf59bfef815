// The GPU's L2, or one half of it: lines of 128 bytes with 32-byte sectors in sets, least recently used line
// out, write back, no fetch on write. The golden ratio times a line's number says which set it falls into:
// neighbouring lines spread evenly, and no stride favours a set.
//
// A sector that is read from DRAM counts once when it comes, with those that come along with it (an access of
// DRAM is one sector or more), a written one when its line leaves. A sector
// that was written only in part when its line leaves, or that is read then, is fetched too: memory with error
// correction writes whole sectors. Such a line's write and its fetch each take as long as alone, or in a row
// that was opened for others too (H200: a word of a line anywhere takes the time of 239 bytes of a copy, one
// of every other line 226, of each line, or two 64 bytes apart, 162: h200_sxm_random_words.csv and
// fill_stride of h200_sxm_memory.csv).
//
// Sampled: of every `one_in` neighbouring lines one is kept, in that part of the sets; counts stand for those
// lines alone.
//
// Ignored: compression.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

namespace gpumodel::sim {

struct L2Counts {
    std::int64_t fetched_sectors = 0;       // from DRAM
    std::int64_t written_back_sectors = 0;  // to DRAM
    // The time of those and of what is fetched for them, in sectors of whole lines.
    double write_back_cost = 0;
    double for_reads_cost = 0;  // part of it: of lines whose place a read took
};

// What DRAM gives at once, and the time of at most half a line alone, in sectors of whole lines.
struct DramAccess {
    int sectors = 1;  // 1, 2 or 4
    double least_read = 0, least_write = 0;
};

class L2Cache {
public:
    // one_in: a power of two, 1 = every line.
    L2Cache(std::int64_t capacity_bytes, int ways, int one_in, const DramAccess& dram = {});
    // What comes from now on comes at another time: parts of a line no longer come as one.
    void next_step();

    // One of every `one_in` neighbouring lines.
    [[nodiscard]] bool samples(std::int64_t line) const {
        const auto number = static_cast<std::uint64_t>(line);
        return ((number ^ (number >> sample_shift_) * golden >> half) & sample_mask_) == 0;
    }

    // Of lines that samples() accepts. `words`: bit w = 4-byte word w of the line.
    //
    // Reads what is not here from DRAM, whose row is opened for so many lines. Returns the sectors that came,
    // one bit each. `cost` gets the time, in sectors of whole lines: that of the sectors at once, and with
    // next_step(), until which it must live, what a line costs of which no more has come by then.
    std::uint32_t fetch(std::int64_t line, std::uint32_t words, int lines_of_row, double& cost);
    // The same from elsewhere than DRAM: nothing is counted.
    std::uint32_t fill(std::int64_t line, std::uint32_t words);
    void write(std::int64_t line, std::uint32_t words, int lines_of_row = 1);
    // As drop(), and the line takes a place if it has none.
    void occupy(std::int64_t line, std::uint32_t words);
    // The sectors of these words, if they are here unwritten, are no longer valid.
    void drop(std::int64_t line, std::uint32_t words);

    [[nodiscard]] const L2Counts& counts() const { return counts_; }
    void reset_counts() { counts_ = {}; }

private:
    // All zeros where nothing is kept: pages of the table that no line falls into are never touched, and a
    // small kernel does not pay for 50 MB of L2.
    struct Line {
        std::int64_t number_and_one;
        std::uint64_t last_use;
        std::uint32_t written;       // words
        std::uint8_t fetched;        // sectors
        std::uint8_t together;       // how many of them in the last step in which any came
        std::uint8_t stored_of_row;  // lines of the row that the last store came with
        std::uint32_t step;
    };
    // A line of which a part came in this step.
    struct Part {
        Line* line;
        std::int64_t number;
        int sectors;
        double alone;  // what it costs more if no other part comes
        double* cost;
    };
    struct Free {
        void operator()(void* memory) const { std::free(memory); }
    };
    [[nodiscard]] Line* set_of(std::int64_t line);
    Line& find_or_replace(std::int64_t line, bool to_read);
    void write_back(const Line& line, bool for_read);
    std::uint32_t fill(Line& line, std::uint32_t words);
    [[nodiscard]] std::uint32_t accesses_of(std::uint32_t sectors) const;

    static constexpr std::uint64_t golden = 0x9e3779b97f4a7c15ULL;  // Fibonacci hashing
    static constexpr unsigned half = 32;

    std::uint64_t sample_mask_;
    unsigned sample_shift_;
    std::size_t ways_;
    DramAccess dram_;
    std::uint32_t step_ = 1;
    std::vector<Part> parts_;
    std::uint64_t sets_;
    std::uint64_t now_ = 0;
    std::unique_ptr<Line[], Free> lines_;
    L2Counts counts_;
};

// Sectors of which any word is named, one bit each.
[[nodiscard]] std::uint32_t sectors_of(std::uint32_t words);
// All words of the sectors.
[[nodiscard]] std::uint32_t words_of(std::uint32_t sectors);

}  // namespace gpumodel::sim
