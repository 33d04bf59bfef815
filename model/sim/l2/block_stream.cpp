#include "model/sim/l2/block_stream.h"

#include <algorithm>
#include <bit>

#include "model/memory/costs/store_merging.h"
#include "model/memory/site_statistics.h"
#include "model/sim/l2/l2_cache.h"
#include "model/sim/l2/warp_walk.h"
#include "model/sim/line.h"
#include "model/sim/memory/l1_tags.h"

namespace gpumodel::sim {
namespace {

constexpr std::int64_t recent_bytes = 64 * 1024;
// Warp accesses of one block beyond which long loops are cut.
constexpr double most_accesses = 1e6;
constexpr std::size_t least_step = 64;  // transfers; shorter steps go together

constexpr std::uint32_t all_sectors = 0xf;

// Tells the transfers of one step with how many others they share a row of DRAM.
void count_rows(std::vector<Transfer>& transfers) {
    const auto together = [](const Transfer& a, const Transfer& b) {
        return a.access == b.access && a.line / lines_per_row == b.line / lines_per_row;
    };
    for (auto begin = transfers.begin(); begin != transfers.end();) {
        const auto end =
            std::find_if(begin, transfers.end(), [&](const Transfer& t) { return !together(*begin, t); });
        const auto count = static_cast<std::int32_t>(end - begin);
        std::for_each(begin, end, [count](Transfer& t) { t.of_row = count; });
        begin = end;
    }
}

// Sectors of `wanted` that the tags do not hold; they do from now on.
std::uint32_t take_in(L1Tags& tags, std::int64_t number, std::uint32_t wanted) {
    auto* line = tags.find(number);
    const auto missing = line != nullptr ? wanted & ~line->sectors : wanted;
    line = line != nullptr || missing == 0 ? line : tags.insert(number);
    if (line != nullptr) {
        line->sectors |= missing;
    }
    return missing;
}

class Builder {
public:
    Builder(const DecodedProgram& decoded, AccessTable& table, const Dim3& block, std::int64_t l1_bytes,
            std::int64_t read_only_bytes, bool whole_lines)
        : table_(table),
          patterns_(table.patterns(block)),
          l1_(l1_bytes),
          read_only_(read_only_bytes),
          recent_(recent_bytes),
          whole_lines_(whole_lines) {
        out_.body = table.body_of(block);
        out_.origin = block;
        from_pattern_ = minus(block, patterns_.origin);
        body_ = &decoded.bodies[static_cast<std::size_t>(out_.body)];
        plan_walks();
        add_accesses();
    }
    BlockStream run();

private:
    struct Seen {  // a stream's access as the last warp made it
        std::int32_t pattern = no_pattern;
        std::int64_t address = -1, step = -1;
    };

    void plan_walks();
    void add_accesses();
    void visit(std::size_t warp, const WarpWalk& walk);
    void load(const AccessCost& cost, std::int64_t first_line, GlobalPath path, std::int32_t index);
    void store(std::size_t warp, const AccessCost& cost, std::int64_t first_line, std::int32_t index);
    // How many of the store's pieces of sectors join those of the warp's store before.
    [[nodiscard]] double joined_sectors(std::size_t warp, const AccessCost& cost, std::int64_t first_line);
    void transfer(std::int64_t line, std::uint32_t words, std::int32_t index);
    void end_step();

    AccessTable& table_;
    const BlockPatterns& patterns_;
    Dim3 from_pattern_;  // of the block
    const BodyStreams* body_ = nullptr;
    L1Tags l1_, read_only_, recent_;
    bool whole_lines_;
    BlockStream out_;
    std::vector<WalkPlan> plans_;              // by stream
    std::vector<std::int32_t> first_access_;   // by stream, into out_.accesses
    std::vector<const StreamAccess*> sites_;   // as out_.accesses
    std::vector<Seen> seen_;                   // as out_.accesses
    std::vector<std::vector<Transfer>> step_;  // by group
    std::size_t step_size_ = 0;
    struct StoredLine {
        std::int64_t line = 0;
        std::uint32_t words = 0;
    };
    std::vector<std::vector<StoredLine>> last_store_;  // by warp
};

void Builder::plan_walks() {
    double accesses = 0;
    for (const int stream : body_->stream_of_warp) {
        accesses += WalkPlan(body_->streams[static_cast<std::size_t>(stream)], 1).accesses();
    }
    out_.trips_kept = std::min(1.0, most_accesses / std::max(1.0, accesses));
    for (const auto& stream : body_->streams) {
        plans_.emplace_back(stream, out_.trips_kept);
    }
}

void Builder::add_accesses() {
    for (std::size_t s = 0; s < body_->streams.size(); ++s) {
        first_access_.push_back(static_cast<std::int32_t>(out_.accesses.size()));
        const auto& strides = table_.strides(out_.body, static_cast<int>(s));
        for (std::size_t a = 0; a < strides.size(); ++a) {
            const BlockStrides key{strides[a].block_x, strides[a].block_y, strides[a].block_z};
            const auto known = std::find(out_.groups.begin(), out_.groups.end(), key);
            StreamedAccess access;
            access.stream = static_cast<int>(s);
            access.access = static_cast<int>(a);
            access.group = static_cast<int>(known - out_.groups.begin());
            if (known == out_.groups.end()) {
                out_.groups.push_back(key);
            }
            sites_.push_back(&body_->streams[s].accesses[a]);
            const auto kind = sites_.back()->site->kind;
            access.atomic = kind == AccessKind::atomic;
            access.store = kind == AccessKind::store || access.atomic;
            out_.accesses.push_back(access);
        }
    }
    seen_.resize(out_.accesses.size());
    step_.resize(out_.groups.size());
}

BlockStream Builder::run() {
    std::vector<WarpWalk> walks;
    last_store_.resize(body_->stream_of_warp.size());
    for (const int stream : body_->stream_of_warp) {
        walks.emplace_back(plans_[static_cast<std::size_t>(stream)]);
    }
    for (;;) {
        bool any = false;
        std::int64_t step = 0;
        for (const auto& walk : walks) {
            if (!walk.done()) {
                step = any ? std::min(step, walk.step()) : walk.step();
                any = true;
            }
        }
        if (!any) {
            break;
        }
        for (std::size_t w = 0; w < walks.size(); ++w) {
            for (auto& walk = walks[w]; !walk.done() && walk.step() == step; walk.next()) {
                visit(w, walk);
            }
        }
        if (step_size_ >= least_step) {
            end_step();
        }
    }
    end_step();
    return std::move(out_);
}

void Builder::visit(std::size_t warp, const WarpWalk& walk) {
    const auto stream = static_cast<std::size_t>(body_->stream_of_warp[warp]);
    const auto access = static_cast<std::size_t>(walk.access());
    const auto index = first_access_[stream] + walk.access();
    const auto& pattern = patterns_.of_warp[warp][access];
    if (pattern.pattern == no_pattern) {
        return;
    }
    const auto& strides = table_.strides(out_.body, static_cast<int>(stream))[access];
    const auto address = address_at(pattern, strides, from_pattern_, walk.counters());
    const auto& cost = table_.cost(pattern.pattern, address);
    if (out_.accesses[static_cast<std::size_t>(index)].store) {
        store(warp, cost, address / line_bytes, index);
        return;
    }
    const auto path = table_.path(pattern.pattern);
    auto& seen = seen_[static_cast<std::size_t>(index)];
    const bool again = seen.pattern == pattern.pattern && seen.address == address && seen.step == walk.step();
    seen = {pattern.pattern, address, walk.step()};
    if (!again) {
        load(cost, address / line_bytes, path, index);
    } else if (path == GlobalPath::l1_bypassed) {
        out_.accesses[static_cast<std::size_t>(index)].read_sectors += cost.sectors;
    }
}

void Builder::load(const AccessCost& cost, std::int64_t first_line, GlobalPath path, std::int32_t index) {
    const bool cached = path == GlobalPath::l1_cached || path == GlobalPath::read_only;
    out_.accesses[static_cast<std::size_t>(index)].cached |=
        path == GlobalPath::l1_cached && !is_private(*sites_[static_cast<std::size_t>(index)]->site);
    for (std::int32_t i = 0; i < cost.line_count; ++i) {
        const auto& touched = table_.lines(cost)[i];
        const auto line = first_line + touched.line;
        auto sectors = touched.sectors;
        if (cached) {
            sectors = take_in(path == GlobalPath::l1_cached ? l1_ : read_only_, line,
                              whole_lines_ ? all_sectors : sectors);
        }
        out_.accesses[static_cast<std::size_t>(index)].read_sectors += std::popcount(sectors);
        if (sectors != 0) {
            transfer(line, words_of(cached ? sectors : take_in(recent_, line, sectors)), index);
        }
    }
}

double Builder::joined_sectors(std::size_t warp, const AccessCost& cost, std::int64_t first_line) {
    constexpr unsigned sectors_per_line = 4, words_per_sector = 8;
    constexpr int bytes_per_word = 4;
    constexpr std::uint32_t whole = 0xff;
    const StoreMerging merging;
    auto& before = last_store_[warp];
    std::vector<StoredLine> lines;
    double joined = 0;
    for (std::int32_t i = 0; i < cost.line_count; ++i) {
        const auto& touched = table_.lines(cost)[i];
        const StoredLine line{first_line + touched.line,
                              touched.words != 0 ? touched.words : words_of(touched.sectors)};
        const auto known = std::find_if(before.begin(), before.end(),
                                        [&](const StoredLine& b) { return b.line == line.line; });
        for (unsigned s = 0; known != before.end() && s < sectors_per_line; ++s) {
            const auto piece = line.words >> (s * words_per_sector) & whole;
            const auto other = known->words >> (s * words_per_sector) & whole;
            if (piece != 0 && other != 0 && other != whole) {
                joined += merging.joining(bytes_per_word * std::popcount(piece));
            }
        }
        lines.push_back(line);
    }
    before = std::move(lines);
    return joined;
}

void Builder::store(std::size_t warp, const AccessCost& cost, std::int64_t first_line, std::int32_t index) {
    auto& access = out_.accesses[static_cast<std::size_t>(index)];
    access.written_sectors += cost.sectors;
    const bool atomic = sites_[static_cast<std::size_t>(index)]->site->kind == AccessKind::atomic;
    access.joined_sectors += atomic ? 0 : joined_sectors(warp, cost, first_line);
    access.read_sectors += atomic ? cost.sectors : 0;
    for (std::int32_t i = 0; i < cost.line_count; ++i) {
        const auto& touched = table_.lines(cost)[i];
        const auto words = touched.words != 0 ? touched.words : words_of(touched.sectors);
        transfer(first_line + touched.line, atomic ? words_of(touched.sectors) : words, index);
    }
}

void Builder::transfer(std::int64_t line, std::uint32_t words, std::int32_t index) {
    if (words == 0 || is_private(*sites_[static_cast<std::size_t>(index)]->site)) {
        return;
    }
    const auto group = static_cast<std::size_t>(out_.accesses[static_cast<std::size_t>(index)].group);
    step_[group].push_back({line, words, index});
    ++step_size_;
}

void Builder::end_step() {
    if (step_size_ == 0) {
        return;
    }
    auto& ranges = out_.steps.emplace_back();
    for (std::size_t g = 0; g < step_.size(); ++g) {
        if (step_[g].empty()) {
            continue;
        }
        const auto begin = static_cast<std::int32_t>(out_.transfers.size());
        count_rows(step_[g]);
        out_.transfers.insert(out_.transfers.end(), step_[g].begin(), step_[g].end());
        ranges.push_back(
            {static_cast<std::int32_t>(g), begin, static_cast<std::int32_t>(out_.transfers.size())});
        step_[g].clear();
    }
    step_size_ = 0;
}

}  // namespace

BlockStream block_stream(const DecodedProgram& decoded, AccessTable& table, const Dim3& block,
                         std::int64_t l1_bytes, std::int64_t read_only_bytes, bool whole_lines) {
    return Builder(decoded, table, block, l1_bytes, read_only_bytes, whole_lines).run();
}

}  // namespace gpumodel::sim
