// Rows of shared memory: model/memory/costs/shared_memory_costs.h.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "model/memory/banks/bank_conflicts.h"
#include "model/memory/costs/shared_memory_costs.h"
#include "validate/calibrate/forward_rows.h"

namespace gpumodel::forward {
namespace {

constexpr int bits_per_word = 32;
constexpr int lanes = 32;  // and as many banks in the pattern

struct SharedAccess {
    int words = 1;
    int wavefronts = 1;
    [[nodiscard]] int beyond_fewest() const { return std::max(0, wavefronts - fewest_wavefronts(words)); }
};

// DEGREE lanes of every phase (32 lanes of 32 bits, 16 of 64, 8 of 128) on one of 32 four-byte banks, each
// lane with words of its own; 0 = all lanes on the same words.
std::int64_t address_of(int lane, int words, int degree) {
    if (degree == 0) {
        return 0;
    }
    const int phase = lanes / words;
    const int rank = lane % phase;
    const int row = lane / phase * degree + rank % degree;
    return std::int64_t{4} * (row * lanes + rank / degree * words);
}

// None for a width or a degree that cannot be.
std::optional<SharedAccess> access_of(const MicrobenchmarkRow& row, const ArchSpec& base,
                                      AccessDirection direction) {
    const double bits = row.number("BITS");
    const double degree = row.number("DEGREE");
    if ((bits != 32 && bits != 64 && bits != 128) || degree != std::floor(degree) || degree > lanes) {
        return std::nullopt;
    }
    const int words = static_cast<int>(bits) / bits_per_word;
    WarpAccess access;
    access.bytes_per_lane = 4 * words;
    for (int lane = 0; lane < lanes; ++lane) {
        access.address[static_cast<std::size_t>(lane)] = address_of(lane, words, static_cast<int>(degree));
    }
    const auto conflicts = analyse_bank_conflicts(access, bank_geometry(base.sm.shared_memory), direction);
    return SharedAccess{words, conflicts.wavefronts};
}

double request_cycles(const ArchSpec& s, const SharedAccess& access) {
    return shared_memory_costs(s).request_cycles(access.words, access.wavefronts);
}

// One sub-partition alone: its wavefronts keep their spacing, the last one is as long as its request's
// charge.
double alone_cycles(const ArchSpec& s, const SharedAccess& access) {
    const auto costs = shared_memory_costs(s);
    const int beyond = access.wavefronts - 1;
    const double last =
        costs.request_cycles(access.words, access.wavefronts) - beyond * costs.wavefront_cycles;
    return beyond * costs.spacing_cycles + std::max(costs.interval_cycles, last);
}

constexpr const char* bad_access = "no access of that width and degree";

}  // namespace

RowModel shared_latency(const RowContext& at) {
    const auto access = access_of(at.row, at.base, AccessDirection::load);
    if (!access) {
        return unused(bad_access);
    }
    const auto& shared = at.base.sm.shared_memory;
    std::vector<std::string> keys{fmt::format("sm.shared_memory.latency_{}", access->words * bits_per_word)};
    if (access->beyond_fewest() > 0) {
        keys.emplace_back("sm.shared_memory.conflict_latency");
        if (shared.conflict_latency_per_word_cycles) {
            keys.emplace_back("sm.shared_memory.conflict_latency_per_word");
        }
    }
    return {keys,
            [access = *access](const ArchSpec& s) {
                return shared_memory_costs(s).load_latency(access.words, access.wavefronts);
            },
            {}};
}

RowModel shared_throughput(const RowContext& at) {
    const bool load = at.row.word("OP") == "ld";
    const auto access = access_of(at.row, at.base, load ? AccessDirection::load : AccessDirection::store);
    const double warps = at.row.number("WARPS");
    if (!access || warps < 1) {
        return unused(bad_access);
    }
    if (warps == 1) {
        if (load) {
            return unused("one warp may wait for what it loads");
        }
        if (alone_cycles(at.base, *access) <= request_cycles(at.base, *access)) {
            return unused("one warp suffices to fill the data pipe");
        }
        return {{"sm.shared_memory.sub_partition_interval"},
                [access = *access](const ArchSpec& s) { return alone_cycles(s, access); },
                {}};
    }
    if (warps < 2 * at.base.sm.schedulers) {
        return unused("too few warps to fill the data pipe, too many to see one sub-partition");
    }
    return {{"sm.shared_memory.bandwidth", "sm.shared_memory.min_cycles_per_request",
             "sm.shared_memory.extra_cycles_per_request"},
            [access = *access](const ArchSpec& s) { return request_cycles(s, access); },
            {}};
}

}  // namespace gpumodel::forward
