// The blocks of a launch by what they send to L2: streams of the few kinds of blocks, and for each wave the
// shifts at which a kind's transfers occur.
#pragma once

#include <cstdint>
#include <vector>

#include "model/launch/waves.h"
#include "model/sim/l2/block_stream.h"
#include "model/sim/l2/split_l2.h"

namespace gpumodel::sim {

// Blocks of a wave whose transfers of a group coincide.
struct Shift {
    std::int64_t bytes = 0;  // from the kind's origin block
    BlocksOfHalf blocks{};   // by the half of L2 that they read through
};

struct WaveOfKind {
    std::int64_t blocks = 0;
    std::vector<std::vector<Shift>> of_group;  // ascending
};
using Wave = std::vector<WaveOfKind>;  // by kind; kinds first seen later are missing

class BlockClasses {
public:
    struct Sizes {
        std::int64_t l1_bytes = 0;  // of one block
        std::int64_t read_only_bytes = 0;
        bool whole_lines = false;  // L1 fetches all sectors of a line
    };
    BlockClasses(const KernelProgram& program, const DecodedProgram& decoded, AccessTable& table,
                 const Sizes& sizes, const L2Halves& halves)
        : program_(program), decoded_(decoded), table_(table), sizes_(sizes), halves_(halves) {}

    // Blocks [begin, end) by linear index.
    [[nodiscard]] Wave wave(std::int64_t begin, std::int64_t end);
    [[nodiscard]] const std::vector<BlockStream>& streams() const { return streams_; }
    // Transfers of a wave.
    [[nodiscard]] double transfers(const Wave& wave) const { return sum(wave, group_transfers_); }
    // Bytes of its transfers; data touched again by the same block counts again.
    [[nodiscard]] double bytes(const Wave& wave) const { return sum(wave, group_bytes_); }

private:
    std::size_t kind_of(const Dim3& block);
    [[nodiscard]] static double sum(const Wave& wave, const std::vector<std::vector<double>>& of_group);
    [[nodiscard]] bool alike(const BlockPatterns& known, const BlockPatterns& other, int body) const;

    const KernelProgram& program_;
    const DecodedProgram& decoded_;
    AccessTable& table_;
    Sizes sizes_;
    L2Halves halves_;
    std::vector<BlockStream> streams_;
    std::vector<const BlockPatterns*> patterns_;                               // of the streams
    std::vector<std::pair<const BlockPatterns*, std::size_t>> kind_of_class_;  // the table's classes
    std::vector<std::vector<double>> group_transfers_, group_bytes_;           // of one block, by kind
};

}  // namespace gpumodel::sim
