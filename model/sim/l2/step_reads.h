// What blocks of several kinds read within one step: a line that more than one kind asks for is asked of L2
// once, and all of them wait for what DRAM or the other half has to bring, as blocks of one kind do.
//
// Contract: add() and write() in the order in which blocks ask; play() asks L2 in the order of the first
// request for each line, gives every request its part by blocks, writes what was written behind a read of the
// same line (y = a * x + y), and forgets them all. The same requests give the same sums.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/hash.h"
#include "model/sim/l2/replayed_access.h"
#include "model/sim/l2/sector_count.h"
#include "model/sim/l2/split_l2.h"

namespace gpumodel::sim {

class StepReads {
public:
    void add(std::int64_t line, std::uint32_t words, const BlocksOfHalf& blocks, int lines_of_row,
             ReplayedAccess& sum) {
        const auto [found, fresh] = place_.try_emplace({line, words}, reads_.size());
        if (fresh) {
            reads_.push_back({line, words, lines_of_row, 0, {}});
        }
        auto& read = reads_[found->second];
        for (std::size_t half = 0; half < blocks.size(); ++half) {
            read.blocks[half] += blocks[half];
        }
        requests_.push_back({found->second, blocks[0] + blocks[1], &sum});
        lines_.insert(line);
    }
    void write(SplitL2& cache, std::int64_t line, std::uint32_t words, const BlocksOfHalf& blocks,
               int lines_of_row) {
        if (lines_.contains(line)) {
            writes_.push_back({line, words, lines_of_row, blocks});
        } else {
            cache.write(line, words, blocks, lines_of_row);
        }
    }

    void play(SplitL2& cache) {
        std::vector<ReplayedAccess> per_block;
        for (auto& read : reads_) {
            per_block.push_back(ask(cache, read));
        }
        cache.next_step();  // what lines cost of which only a part came
        for (const auto& request : requests_) {
            const auto& read = reads_[request.read];
            per_block[request.read].cost = read.cost / (read.blocks[0] + read.blocks[1]);
            *request.sum += per_block[request.read].times(request.blocks);
        }
        for (const auto& write : writes_) {
            cache.write(write.line, write.words, write.blocks, write.lines_of_row);
        }
        writes_.clear();
        lines_.clear();
        place_.clear();
        reads_.clear();
        requests_.clear();
    }

private:
    struct Read {
        std::int64_t line = 0;
        std::uint32_t words = 0;
        int lines_of_row = 1;
        double cost = 0;
        BlocksOfHalf blocks{};
    };
    struct Write {
        std::int64_t line = 0;
        std::uint32_t words = 0;
        int lines_of_row = 1;
        BlocksOfHalf blocks{};
    };
    struct Request {
        std::size_t read = 0;
        std::int32_t blocks = 0;
        ReplayedAccess* sum = nullptr;
    };
    struct Key {
        std::int64_t line = 0;
        std::uint32_t words = 0;
        friend bool operator==(const Key&, const Key&) = default;
    };
    struct KeyHash {
        std::size_t operator()(const Key& key) const {
            ValueHash hash;
            hash.add(key.line, key.words);
            return hash.value();
        }
    };

    static ReplayedAccess ask(SplitL2& cache, Read& read) {
        const auto done = cache.read(read.line, read.words, read.blocks, read.cost, read.lines_of_row);
        const double blocks = read.blocks[0] + read.blocks[1];
        ReplayedAccess sum{blocks * sector_count(sectors_of(read.words)),
                           static_cast<double>(done.waited),
                           static_cast<double>(done.fetched),
                           0,
                           static_cast<double>(done.far),
                           static_cast<double>(done.crossed)};
        return sum.times(1 / blocks);
    }

    std::unordered_map<Key, std::size_t, KeyHash> place_;
    std::vector<Read> reads_;
    std::vector<Request> requests_;
    std::unordered_set<std::int64_t> lines_;  // that were read
    std::vector<Write> writes_;
};

}  // namespace gpumodel::sim
