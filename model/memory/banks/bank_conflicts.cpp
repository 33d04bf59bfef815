#include "model/memory/banks/bank_conflicts.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <tuple>

#include "base/diagnostics.h"
#include "model/memory/banks/bank_half_warp.h"
#include "model/memory/banks/bank_phases.h"
#include "model/memory/coalescing/coalescing_distinct.h"
#include "model/memory/coalescing/coalescing_lanes.h"

namespace gpumodel {

namespace {

constexpr std::size_t max_banks = 1024;

// A lane's adjacent banks are always named together, so a phase can be counted in units of the access
// width: unit = address / span, bank group = unit mod groups, and two lanes of one group collide when
// their keys (words of the span, or rows on cc 3.x) differ.
struct UnitMap {
    unsigned span_shift = 0;
    unsigned key_shift = 0;
    std::uint64_t group_mask = 0;
};

unsigned log2_of(int power_of_two) {
    return static_cast<unsigned>(std::countr_zero(static_cast<unsigned>(power_of_two)));
}

constexpr int kepler_row_bytes_per_bank = 8;  // bank width of cc 3.x (programming guide 11, appendix on 3.x)

int bytes_per_pass(const BankGeometry& geometry) {
    const int width =
        geometry.rule == SharedMemoryRule::cc3_x ? kepler_row_bytes_per_bank : geometry.bank_width_bytes;
    return geometry.banks * width;
}

UnitMap unit_map(const BankGeometry& geometry, int bytes) {
    const int span = std::max(bytes, geometry.bank_width_bytes);
    UnitMap map;
    map.span_shift = log2_of(span);
    map.key_shift =
        geometry.rule == SharedMemoryRule::cc3_x ? log2_of(bytes_per_pass(geometry)) : map.span_shift;
    map.group_mask =
        static_cast<std::uint64_t>(std::max(geometry.banks * geometry.bank_width_bytes / span, 1)) - 1;
    return map;
}

// Distinct keys of the fullest bank group. Each group chains the keys seen so far; a key beyond all keys
// seen is known to be new, so only patterns that go to and fro walk a chain.
class GroupCounter {
public:
    explicit GroupCounter(const UnitMap& map) : map_(map) {
        std::fill_n(count_.begin(), map.group_mask + 1, std::uint8_t{0});
    }
    void add(std::uint64_t address) {
        const auto group = static_cast<std::size_t>((address >> map_.span_shift) & map_.group_mask);
        const auto key = address >> map_.key_shift;
        if (key <= highest_ && key >= lowest_ && known(group, key)) {
            return;
        }
        highest_ = std::max(highest_, key);
        lowest_ = std::min(lowest_, key);
        key_[used_] = key;
        next_[used_] = head_[group];
        head_[group] = used_++;
        worst_ = std::max<int>(worst_, ++count_[group]);
    }
    [[nodiscard]] int worst() const { return worst_; }

private:
    [[nodiscard]] bool known(std::size_t group, std::uint64_t key) const {
        auto entry = head_[group];
        for (int left = count_[group]; left > 0; --left, entry = next_[entry]) {
            if (key_[entry] == key) {
                return true;
            }
        }
        return false;
    }

    UnitMap map_;
    std::array<std::uint8_t, max_banks> count_;  // first groups only are set and read
    std::array<std::uint8_t, max_banks> head_;   // read where count_ > 0
    std::array<std::uint64_t, 32> key_;          // read below used_
    std::array<std::uint8_t, 32> next_;
    std::uint8_t used_ = 0;
    std::uint64_t highest_ = 0;
    std::uint64_t lowest_ = ~std::uint64_t{0};
    int worst_ = 0;
};

int worst_group(const WarpAccess& access, std::uint32_t lanes, const UnitMap& map) {
    GroupCounter counter(map);
    for_each_lane(lanes,
                  [&](std::size_t lane) { counter.add(static_cast<std::uint64_t>(access.address[lane])); });
    return counter.worst();
}

// The guide's rule for 16-byte accesses on cc 2.x: one pass more than the worst bank of the quarter-warp
// (programming guide 4.2, F.4.3.3).
int extra_passes(SharedMemoryRule rule, int bytes) {
    return rule == SharedMemoryRule::cc2_x && bytes == 16 ? 1 : 0;
}

int passes(const WarpAccess& access, const BankPhase& phase, const BankGeometry& geometry,
           AccessDirection direction) {
    if (geometry.rule == SharedMemoryRule::cc1_x) {
        return half_warp_steps(access, phase, geometry, direction);
    }
    return worst_group(access, phase.lanes, unit_map(geometry, phase.bytes)) +
           extra_passes(geometry.rule, phase.bytes);
}

}  // namespace

BankGeometry bank_geometry(const SharedMemory& shared_memory) {
    const int banks = shared_memory.banks;
    if (banks < 4 || banks > static_cast<int>(max_banks) || (banks & (banks - 1)) != 0) {
        throw InputError(InputErrorKind::invalid_input,
                         {{"", 0, 0, "sm.shared_memory.banks",
                           fmt::format("{} banks; the bank analysis takes a power of two from 4 to {}", banks,
                                       max_banks)}});
    }
    return {banks, shared_memory.default_bank_width_bytes, shared_memory.rule};
}

BankGeometry data_stage_geometry(const SharedMemory& shared_memory) {
    return shared_memory.rule == SharedMemoryRule::cc3_x ? BankGeometry{32, 4, SharedMemoryRule::cc5_x}
                                                         : bank_geometry(shared_memory);
}

BankConflicts analyse_bank_conflicts(const WarpAccess& access, const BankGeometry& geometry,
                                     AccessDirection direction) {
    BankConflicts result;
    if (access.pieces() > 1) {
        for (int i = 0; i < access.pieces(); ++i) {
            const auto part = analyse_bank_conflicts(access.piece(i), geometry, direction);
            result.phases += part.phases;
            result.wavefronts += part.wavefronts;
            result.conflicts += part.conflicts;
            result.degree = std::max(result.degree, part.degree);
            result.ideal_wavefronts += part.ideal_wavefronts;
        }
        return result;
    }
    const auto phases = bank_phases(access, geometry.rule, direction);
    for (int i = 0; i < phases.count; ++i) {
        const int needed = passes(access, phases.phase[static_cast<std::size_t>(i)], geometry, direction);
        result.wavefronts += needed;
        result.degree = std::max(result.degree, needed);
    }
    result.phases = phases.least_passes;
    result.wavefronts = std::max(result.wavefronts, result.phases);
    result.conflicts = result.wavefronts - result.phases;
    const int bytes =
        count_distinct(access, access.active, log2_of(access.bytes_per_lane)) * access.bytes_per_lane;
    const int per_pass = bytes_per_pass(geometry);
    const int ideal = (bytes + per_pass - 1) / per_pass;
    result.ideal_wavefronts = ideal;
    return result;
}

std::vector<BankWord> bank_picture(const WarpAccess& access, const BankGeometry& geometry,
                                   AccessDirection direction) {
    std::vector<BankWord> picture;
    const auto phases = bank_phases(access, geometry.rule, direction);
    for (int p = 0; p < phases.count; ++p) {
        const auto& phase = phases.phase[static_cast<std::size_t>(p)];
        for_each_lane(phase.lanes, [&](std::size_t lane) {
            const auto first = access.address[lane] + phase.byte_offset;
            for (auto address = first; address < first + phase.bytes; address += geometry.bank_width_bytes) {
                const auto word = address / geometry.bank_width_bytes;
                const auto key =
                    geometry.rule == SharedMemoryRule::cc3_x ? address / bytes_per_pass(geometry) : word;
                picture.push_back({p, static_cast<int>(word % geometry.banks), key, 1U << lane});
            }
        });
    }
    const auto place = [](const BankWord& w) { return std::tuple(w.phase, w.bank, w.word); };
    std::stable_sort(picture.begin(), picture.end(),
                     [&](const BankWord& a, const BankWord& b) { return place(a) < place(b); });
    std::vector<BankWord> merged;
    for (const auto& word : picture) {
        if (!merged.empty() && place(merged.back()) == place(word)) {
            merged.back().lanes |= word.lanes;
        } else {
            merged.push_back(word);
        }
    }
    return merged;
}

}  // namespace gpumodel
