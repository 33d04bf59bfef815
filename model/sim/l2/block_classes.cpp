#include "model/sim/l2/block_classes.h"

#include <algorithm>
#include <bit>

namespace gpumodel::sim {
namespace {

// Sorts and joins equal shifts.
void join(std::vector<Shift>& shifts) {
    std::sort(shifts.begin(), shifts.end(), [](const Shift& a, const Shift& b) { return a.bytes < b.bytes; });
    std::size_t last = 0;
    for (std::size_t i = 1; i < shifts.size(); ++i) {
        if (shifts[i].bytes == shifts[last].bytes) {
            for (std::size_t h = 0; h < most_l2_halves; ++h) {
                shifts[last].blocks[h] += shifts[i].blocks[h];
            }
        } else {
            shifts[++last] = shifts[i];
        }
    }
    shifts.resize(std::min(shifts.size(), last + 1));
}

}  // namespace

// The same patterns at addresses that the strides explain.
bool BlockClasses::alike(const BlockPatterns& known, const BlockPatterns& other, int body) const {
    const auto by = minus(other.origin, known.origin);
    const auto& streams = decoded_.bodies[static_cast<std::size_t>(body)].stream_of_warp;
    for (std::size_t w = 0; w < known.of_warp.size(); ++w) {
        const auto& strides = table_.strides(body, streams[w]);
        for (std::size_t a = 0; a < known.of_warp[w].size(); ++a) {
            const auto& p = known.of_warp[w][a];
            const auto& q = other.of_warp[w][a];
            const auto& s = strides[a];
            const auto moved = by.x * s.block_x + by.y * s.block_y + by.z * s.block_z;
            if (p.pattern != q.pattern || (p.pattern != no_pattern && p.address + moved != q.address)) {
                return false;
            }
        }
    }
    return true;
}

std::size_t BlockClasses::kind_of(const Dim3& block) {
    const auto* patterns = &table_.patterns(block);
    for (const auto& [known, kind] : kind_of_class_) {
        if (known == patterns) {
            return kind;
        }
    }
    const int body = table_.body_of(block);
    for (std::size_t k = 0; k < streams_.size(); ++k) {
        if (streams_[k].body == body && alike(*patterns_[k], *patterns, body)) {
            kind_of_class_.emplace_back(patterns, k);
            return k;
        }
    }
    kind_of_class_.emplace_back(patterns, streams_.size());
    patterns_.push_back(patterns);
    // not one on a diagonal, where two tiles of a block may coincide
    const auto& grid = program_.grid;
    const Dim3 inside{grid.x / 3, 2 * grid.y / 3, grid.z / 2};
    const auto& sample = &table_.patterns(inside) == patterns ? inside : block;
    const auto& stream = streams_.emplace_back(
        block_stream(decoded_, table_, sample, sizes_.l1_bytes, sizes_.read_only_bytes, sizes_.whole_lines));
    auto& transfers = group_transfers_.emplace_back(stream.groups.size(), 0.0);
    auto& bytes = group_bytes_.emplace_back(stream.groups.size(), 0.0);
    constexpr int word_bytes = 4;
    for (const auto& t : stream.transfers) {
        const auto& access = stream.accesses[static_cast<std::size_t>(t.access)];
        transfers[static_cast<std::size_t>(access.group)] += 1;
        bytes[static_cast<std::size_t>(access.group)] += word_bytes * std::popcount(t.words);
    }
    return streams_.size() - 1;
}

Wave BlockClasses::wave(std::int64_t begin, std::int64_t end) {
    Wave wave;
    for (auto b = begin; b < end; ++b) {
        const auto block = linear_block(program_.grid, b);
        const auto kind = kind_of(block);
        if (wave.size() <= kind) {
            wave.resize(kind + 1);
        }
        auto& of_kind = wave[kind];
        ++of_kind.blocks;
        const auto& stream = streams_[kind];
        of_kind.of_group.resize(stream.groups.size());
        const auto from_origin = minus(block, stream.origin);
        BlocksOfHalf one{};
        one[static_cast<std::size_t>(halves_.of_block(b))] = 1;
        for (std::size_t g = 0; g < stream.groups.size(); ++g) {
            of_kind.of_group[g].push_back({stream.groups[g].offset(from_origin), one});
        }
    }
    for (auto& of_kind : wave) {
        for (auto& shifts : of_kind.of_group) {
            join(shifts);
        }
    }
    return wave;
}

double BlockClasses::sum(const Wave& wave, const std::vector<std::vector<double>>& of_group) {
    double total = 0;
    for (std::size_t k = 0; k < wave.size(); ++k) {
        for (std::size_t g = 0; g < wave[k].of_group.size(); ++g) {
            total += of_group[k][g] * static_cast<double>(wave[k].of_group[g].size());
        }
    }
    return total;
}

}  // namespace gpumodel::sim
