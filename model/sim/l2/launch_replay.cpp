#include "model/sim/l2/launch_replay.h"

#include <algorithm>
#include <bit>
#include <map>

#include "base/hash.h"
#include "model/memory/block_sharing.h"
#include "model/sim/l2/block_classes.h"
#include "model/sim/l2/sector_count.h"
#include "model/sim/l2/split_l2.h"
#include "model/sim/l2/step_reads.h"

namespace gpumodel::sim {
namespace {

constexpr double most_transfers = 6e7;
constexpr double most_sampled = 4e5;
constexpr std::int64_t most_one_in = 64;
constexpr int usual_ways = 16;  // estimated, where the spec has none

DramShares no_dram_shares(const DecodedProgram& decoded) {
    DramShares shares;
    for (const auto& body : decoded.bodies) {
        auto& of_body = shares.emplace_back();
        for (const auto& stream : body.streams) {
            of_body.emplace_back(stream.accesses.size());
        }
    }
    return shares;
}

class Replay {
public:
    Replay(const ReplaySetup& setup, AccessTable& table);
    DramShares run(Traffic& traffic);

private:
    void plan_waves();
    void choose_sample();
    void play_all();
    [[nodiscard]] std::string key(const std::vector<std::vector<std::size_t>>& order) const;
    [[nodiscard]] std::vector<std::vector<std::size_t>> order_of_accesses() const;
    void warm_up();
    void restore();
    [[nodiscard]] std::int64_t restored_lines(const ArrayUse& array) const;
    void play(const Wave& wave);
    void play(std::size_t kind, const TransferRange& range, const Shift& shift);
    void touch(std::size_t kind, const Transfer& transfer, std::int64_t line, std::uint32_t words,
               const BlocksOfHalf& blocks);
    void read(const Transfer& transfer, std::int64_t line, std::uint32_t words, const BlocksOfHalf& blocks,
              ReplayedAccess& sum);
    void set_traffic(Traffic& traffic) const;
    DramShares shares(Traffic& traffic) const;
    [[nodiscard]] SplitL2 make_cache() const;

    const ReplaySetup& setup_;
    const AccessTable& table_;
    L2Halves halves_;
    BlockClasses classes_;
    std::vector<Wave> waves_;
    double transfers_ = 0;
    double played_blocks_ = 0;
    double trips_kept_ = 1;
    std::int64_t one_in_ = 1;
    SplitL2 cache_;
    std::vector<std::vector<ReplayedAccess>> sampled_;  // [kind][access]
    StepReads reads_of_step_;
    bool several_kinds_ = false;  // in the wave that is played
    L2Counts counts_;
};

// One who asks, in either half in turn: of each two pages of the other home one is his own.
BlocksOfHalf someone(std::int64_t line) {
    BlocksOfHalf blocks{};
    blocks[static_cast<std::size_t>(line >> (lines_of_home_bits + 1) & 1)] = 1;
    return blocks;
}

BlockClasses::Sizes sizes_of(const ReplaySetup& s) {
    const auto resident = s.waves.blocks_per_sm;
    return {s.arch.l1.caches_global_loads ? s.l1_bytes / resident : 0, s.arch.read_only.size_bytes / resident,
            s.arch.l1.sector_bytes > sector_bytes};
}

Replay::Replay(const ReplaySetup& setup, AccessTable& table)
    : setup_(setup),
      table_(table),
      halves_(setup.arch, setup.waves.blocks),
      classes_(setup.program, setup.decoded, table, sizes_of(setup), halves_),
      cache_(1, 0, 1, 1) {
    plan_waves();
    choose_sample();
    for (const auto& stream : classes_.streams()) {
        sampled_.emplace_back(stream.accesses.size());
    }
}

void Replay::plan_waves() {
    const auto& w = setup_.waves;
    const auto resident = static_cast<std::int64_t>(w.sm_count) * w.blocks_per_sm;
    for (std::int64_t begin = 0; begin < w.blocks && transfers_ <= most_transfers; begin += resident) {
        const auto end = std::min(begin + resident, w.blocks);
        waves_.push_back(classes_.wave(begin, end));
        transfers_ += classes_.transfers(waves_.back());
        played_blocks_ += static_cast<double>(end - begin);
    }
    trips_kept_ = classes_.streams().front().trips_kept;
    one_in_ = setup_.sample_one_in;
    if (one_in_ == 0) {
        const auto needed = static_cast<std::uint64_t>(transfers_ / most_sampled) + 1;
        const auto most = halves_.count() == 1 ? most_one_in : most_one_in / 2;
        one_in_ = std::min(most, static_cast<std::int64_t>(std::bit_ceil(needed)));
    }
}

SplitL2 Replay::make_cache() const {
    const double capacity = static_cast<double>(setup_.arch.l2.size_bytes) * trips_kept_;
    const auto& dram = setup_.arch.dram;
    return {halves_.count(), static_cast<std::int64_t>(capacity),
            setup_.arch.l2.associativity.value_or(usual_ways), static_cast<int>(one_in_),
            DramAccess{dram.access_bytes.value_or(setup_.arch.l2.sector_bytes) / setup_.arch.l2.sector_bytes,
                       dram.least_read_bytes.value_or(0) / sector_bytes,
                       dram.least_write_bytes.value_or(0) / sector_bytes}};
}

// A cache is sampled by whole sets, at least and (unless the caller says otherwise) at most so many.
void Replay::choose_sample() {
    constexpr std::int64_t least_sets = 8, most_sets = 4096;
    constexpr double least_sampled = 16384;
    constexpr std::int64_t line = 128;
    const auto ways = setup_.arch.l2.associativity.value_or(usual_ways);
    while (setup_.sample_one_in == 0 && transfers_ > 2 * least_sampled * static_cast<double>(one_in_) &&
           setup_.arch.l2.size_bytes / (line * ways * one_in_) > most_sets) {
        one_in_ *= 2;
    }
    while (one_in_ > 1 &&
           setup_.arch.l2.size_bytes / (line * ways * one_in_ * halves_.count()) < least_sets) {
        one_in_ /= 2;
    }
}

DramShares Replay::run(Traffic& traffic) {
    if (setup_.known == nullptr) {
        play_all();
    } else {
        const auto order = order_of_accesses();
        const auto name = key(order);
        if (const auto known = setup_.known->find(name)) {
            counts_ = known->counts;
            for (std::size_t k = 0; k < order.size(); ++k) {
                for (std::size_t i = 0; i < order[k].size(); ++i) {
                    sampled_[k][order[k][i]] = known->accesses[k][i];
                }
            }
        } else {
            play_all();
            Replayed done{{}, counts_};
            for (std::size_t k = 0; k < order.size(); ++k) {
                auto& of_kind = done.accesses.emplace_back();
                for (const auto access : order[k]) {
                    of_kind.push_back(sampled_[k][access]);
                }
            }
            setup_.known->add(name, std::move(done), 1);
        }
    }
    set_traffic(traffic);
    return shares(traffic);
}

void Replay::play_all() {
    cache_ = make_cache();
    if (setup_.state == L2State::warm) {
        warm_up();
    }
    for (const auto& wave : waves_) {
        play(wave);
    }
    cache_.next_step();
    counts_ = cache_.counts();
}

// Each kind's accesses by their first transfers.
std::vector<std::vector<std::size_t>> Replay::order_of_accesses() const {
    std::vector<std::vector<std::size_t>> order;
    for (const auto& stream : classes_.streams()) {
        auto& of_kind = order.emplace_back();
        std::vector<bool> seen(stream.accesses.size());
        for (const auto& t : stream.transfers) {
            const auto access = static_cast<std::size_t>(t.access);
            if (!seen[access]) {
                seen[access] = true;
                of_kind.push_back(access);
            }
        }
    }
    return order;
}

// All that play() reads.
std::string Replay::key(const std::vector<std::vector<std::size_t>>& order) const {
    ValueHash hash;
    hash.add(one_in_, trips_kept_, waves_.size(), order.size());
    for (const auto& array : setup_.program.arrays) {
        if (restored_lines(array) > 0) {
            hash.add(table_.knows(array.name) ? table_.first_line(array.name) : 0, restored_lines(array));
        }
    }
    for (std::size_t k = 0; k < order.size(); ++k) {
        const auto& stream = classes_.streams()[k];
        std::vector<std::size_t> place(stream.accesses.size());
        for (std::size_t i = 0; i < order[k].size(); ++i) {
            place[order[k][i]] = i;
            hash.add(stream.accesses[order[k][i]].store, stream.accesses[order[k][i]].atomic);
        }
        for (const auto& t : stream.transfers) {
            hash.add(t.line, t.words, place[static_cast<std::size_t>(t.access)]);
        }
        for (const auto& step : stream.steps) {
            hash.add(step.size());
            for (const auto& [group, begin, end] : step) {
                hash.add(group, begin, end);
            }
        }
    }
    for (const auto& wave : waves_) {
        for (const auto& of_kind : wave) {
            hash.add(of_kind.blocks, of_kind.of_group.size());
            for (const auto& shifts : of_kind.of_group) {
                hash.add(shifts.size());
                for (const auto& shift : shifts) {
                    hash.add(shift.bytes, shift.blocks[0], shift.blocks[1]);
                }
            }
        }
        hash.add(wave.size());
    }
    return std::to_string(hash.value());
}

void Replay::warm_up() {
    const double enough = 2 * static_cast<double>(setup_.arch.l2.size_bytes) * trips_kept_;
    auto first = waves_.size();
    for (double bytes = 0; first > 0 && bytes < enough;) {
        bytes += classes_.bytes(waves_[--first]);
    }
    for (auto w = first; w < waves_.size(); ++w) {
        play(waves_[w]);
    }
    cache_.next_step();
    restore();
    cache_.reset_counts();
    for (auto& of_kind : sampled_) {
        of_kind.assign(of_kind.size(), {});
    }
}

std::int64_t Replay::restored_lines(const ArrayUse& array) const {
    constexpr std::int64_t line = 128;
    return array.restored ? static_cast<std::int64_t>(static_cast<double>(array.bytes) * trips_kept_) / line
                          : 0;
}

// Arrays that are copied from elsewhere between two launches, one after the other.
void Replay::restore() {
    constexpr std::int64_t elsewhere = std::int64_t{1} << 40;  // lines, far from all arrays
    constexpr std::uint32_t whole = ~0U;
    double nobodys = 0;
    for (const auto& array : setup_.program.arrays) {
        const auto first = table_.knows(array.name) ? table_.first_line(array.name) : 2 * elsewhere;
        for (std::int64_t i = 0; i < restored_lines(array); ++i) {
            if (const auto from = elsewhere + first + i; cache_.samples(from)) {
                cache_.read(from, whole, someone(i), nobodys);
            }
            if (cache_.samples(first + i)) {
                cache_.write(first + i, whole, someone(i));
            }
        }
        cache_.next_step();
    }
}

void Replay::play(const Wave& wave) {
    std::size_t steps = 0, kinds = 0;
    for (std::size_t k = 0; k < wave.size(); ++k) {
        steps = std::max(steps, wave[k].blocks > 0 ? classes_.streams()[k].steps.size() : 0);
        kinds += wave[k].blocks > 0 ? 1U : 0U;
    }
    several_kinds_ = kinds > 1;
    for (std::size_t step = 0; step < steps; ++step) {
        cache_.next_step();
        for (std::size_t k = 0; k < wave.size(); ++k) {
            const auto& stream = classes_.streams()[k];
            if (wave[k].blocks == 0 || step >= stream.steps.size()) {
                continue;
            }
            for (const auto& range : stream.steps[step]) {
                for (const auto& shift : wave[k].of_group[static_cast<std::size_t>(range.group)]) {
                    play(k, range, shift);
                }
            }
        }
        if (several_kinds_) {
            reads_of_step_.play(cache_);
        }
    }
}

void Replay::play(std::size_t kind, const TransferRange& range, const Shift& shift) {
    constexpr unsigned line_shift = 7, word_shift = 2, half = 32;
    const auto& transfers = classes_.streams()[kind].transfers;
    const auto lines = shift.bytes >> line_shift;
    const auto words = static_cast<unsigned>(shift.bytes & (line_bytes - 1)) >> word_shift;
    for (auto i = range.begin; i < range.end; ++i) {
        const auto& t = transfers[static_cast<std::size_t>(i)];
        if (words == 0) {
            touch(kind, t, t.line + lines, t.words, shift.blocks);
            continue;
        }
        const auto moved = static_cast<std::uint64_t>(t.words) << words;
        touch(kind, t, t.line + lines, static_cast<std::uint32_t>(moved), shift.blocks);
        touch(kind, t, t.line + lines + 1, static_cast<std::uint32_t>(moved >> half), shift.blocks);
    }
}

inline void Replay::touch(std::size_t kind, const Transfer& transfer, std::int64_t line, std::uint32_t words,
                          const BlocksOfHalf& blocks) {
    if (words == 0 || !cache_.samples(line)) {
        return;
    }
    const auto access = static_cast<std::size_t>(transfer.access);
    const auto& at = classes_.streams()[kind].accesses[access];
    if (at.atomic) {  // done where the line is at home
        BlocksOfHalf at_home{};
        at_home[halves_.count() == 1 ? 0 : static_cast<std::size_t>(home_half(line))] = blocks[0] + blocks[1];
        read(transfer, line, words, at_home, sampled_[kind][access]);
    } else if (!at.store) {
        read(transfer, line, words, blocks, sampled_[kind][access]);
    }
    if (at.store && several_kinds_) {
        reads_of_step_.write(cache_, line, words, blocks, transfer.of_row);
    } else if (at.store) {
        cache_.write(line, words, blocks, transfer.of_row);
    }
}

inline void Replay::read(const Transfer& transfer, std::int64_t line, std::uint32_t words,
                         const BlocksOfHalf& blocks, ReplayedAccess& sum) {
    if (several_kinds_) {
        reads_of_step_.add(line, words, blocks, transfer.of_row, sum);
        return;
    }
    const auto read = cache_.read(line, words, blocks, sum.cost, transfer.of_row);
    sum.fetched += read.fetched;
    sum.waited += read.waited;
    sum.crossed += read.crossed;
    sum.far += read.far;
    sum.read += static_cast<double>(sector_count(sectors_of(words))) * (blocks[0] + blocks[1]);
}

void Replay::set_traffic(Traffic& traffic) const {
    traffic.l2_read_bytes = traffic.l2_served_bytes = 0;
    traffic.l2_write_bytes = traffic.l2_joined_write_bytes = 0;
    traffic.l1_shared_sectors = 0;
    const double blocks = static_cast<double>(setup_.waves.blocks) / played_blocks_;
    const double bytes = sector_bytes * blocks / trips_kept_;
    const BlockBox whole{{0, 0, 0}, setup_.program.grid};
    const double in_step = blocks_in_step(setup_.program, setup_.waves, setup_.arch);
    for (std::size_t k = 0; k < classes_.streams().size(); ++k) {
        const auto& stream = classes_.streams()[k];
        double of_kind = 0;
        for (const auto& wave : waves_) {
            of_kind += k < wave.size() ? static_cast<double>(wave[k].blocks) : 0;
        }
        std::vector<double> unmerged, sharing;
        for (const auto& group : stream.groups) {
            unmerged.push_back(unmerged_reads(setup_.program.grid, whole, group, in_step, setup_.arch));
            sharing.push_back(blocks_that_share(setup_.program.grid, group, setup_.waves) /
                              static_cast<double>(setup_.waves.blocks));
        }
        for (const auto& access : stream.accesses) {
            const double read = of_kind * bytes * access.read_sectors;
            traffic.l2_read_bytes += read;
            traffic.l2_served_bytes +=
                read * (access.store ? 1 : unmerged[static_cast<std::size_t>(access.group)]);
            traffic.l1_shared_sectors +=
                access.cached ? read / sector_bytes * sharing[static_cast<std::size_t>(access.group)] : 0;
            traffic.l2_write_bytes += of_kind * bytes * access.written_sectors;
            traffic.l2_joined_write_bytes += of_kind * bytes * access.joined_sectors;
        }
    }
    double loaded = 0, crossed = 0, cost = 0;
    for (const auto& of_kind : sampled_) {
        for (const auto& access : of_kind) {
            loaded += access.fetched;
            crossed += access.crossed;
            cost += access.cost;
        }
    }
    const double lines = static_cast<double>(one_in_);
    traffic.far_read_bytes = crossed * bytes * lines;
    traffic.dram_read_bytes = static_cast<double>(counts_.fetched_sectors) * bytes * lines;
    traffic.dram_read_for_writes = (static_cast<double>(counts_.fetched_sectors) - loaded) * bytes * lines;
    traffic.dram_write_bytes = static_cast<double>(counts_.written_back_sectors) * bytes * lines;
    traffic.dram_write_cost_bytes = counts_.write_back_cost * bytes * lines;
    traffic.dram_write_cost_of_reads = counts_.for_reads_cost * bytes * lines;
    traffic.dram_read_cost_bytes = cost * bytes * lines;
}

DramShares Replay::shares(Traffic& traffic) const {
    auto shares = no_dram_shares(setup_.decoded);
    std::map<DramShare*, ReplayedAccess> sums;  // of the same access in several kinds of blocks
    ReplayedAccess all;
    for (std::size_t k = 0; k < sampled_.size(); ++k) {
        const auto& stream = classes_.streams()[k];
        for (std::size_t a = 0; a < sampled_[k].size(); ++a) {
            const auto& at = stream.accesses[a];
            auto& share = shares[static_cast<std::size_t>(stream.body)][static_cast<std::size_t>(at.stream)]
                                [static_cast<std::size_t>(at.access)];
            auto& sum = sums[&share];
            sum += sampled_[k][a];
            all += sampled_[k][a];
            if (sum.read > 0) {
                share = {sum.cost / sum.read, sum.waited / sum.read, sum.crossed / sum.read,
                         sum.far / sum.read};
            }
        }
    }
    traffic.dram_wait_fraction = all.read > 0 ? all.waited / all.read : 0;
    traffic.far_wait_fraction = all.read > 0 ? all.far / all.read : 0;
    return shares;
}

}  // namespace

DramShares replay_launch(const ReplaySetup& setup, AccessTable& table, Traffic& traffic) {
    return setup.arch.l2.size_bytes > 0 ? Replay(setup, table).run(traffic) : no_dram_shares(setup.decoded);
}

}  // namespace gpumodel::sim
