#include "traces/fold/folded_block.h"

#include <algorithm>
#include <bit>

namespace gpumodel {
namespace {

constexpr std::size_t weight_of_an_access = 10;  // an AccessSite beside an Instruction

struct WarpState {
    LoopFolder folder;
    int last_end = -1;  // of the path so far
    int piece_end = 0;  // of the piece that accesses belong to
    int run_end = 0;    // of the straight run that is being cut into pieces
    std::uint32_t active = 0;
};

class BlockRecorder : public WarpSink {
public:
    BlockRecorder(CutPoints& cuts, int warps, const StaticCode& code)
        : cuts_(cuts), code_(code), warps_(static_cast<std::size_t>(warps)) {}

    void straight(int warp, int begin, int end, std::uint32_t active) override {
        auto& w = warps_.at(static_cast<std::size_t>(warp));
        finish_run(w);
        work_ += end - begin + work_of_a_run;
        if (w.last_end >= 0 && w.last_end != begin) {
            surprised_ = cuts_.note_jump(w.last_end, begin) || surprised_;
        }
        const auto* by = w.last_end >= 0 ? cuts_.loop_of(w.last_end, begin) : nullptr;
        w.last_end = end;
        w.piece_end = begin;
        w.run_end = end;
        w.active = active;
        next_piece(w, by);
    }

    void access(int warp, const AccessEvent& event) override {
        auto& w = warps_.at(static_cast<std::size_t>(warp));
        while (event.instruction >= w.piece_end && w.piece_end < w.run_end) {
            next_piece(w);
        }
        ++events_;
        work_ += work_of_an_access;
        PathAccess access;
        access.instruction = event.instruction;
        access.array = event.array;
        access.active = event.active;
        access.space = event.space;
        auto& path = w.folder.current();
        add(path, access, event.address);
        if (is_copy(event)) {
            access.space = MemorySpace::shared;
            access.array = -1;
            access.copy_target = true;
            add(path, access, event.shared_address);
        }
    }

    FoldResult finish(LanePatterns& patterns) {
        if (surprised_) {
            return {nullptr, work_};
        }
        auto block = std::make_unique<FoldedBlock>();
        block->events = events_;
        block->work = work_;
        for (auto& w : warps_) {
            finish_run(w);
            block->warps.push_back(compact(w.folder.finish(), patterns));
            const auto warps = block->warps.size();
            const bool repeats = warps > 1 && block->warps[warps - 2].same_code(block->warps[warps - 1]);
            block->weight += repeats ? 0 : weight(block->warps.back());
        }
        return {std::move(block), work_};
    }

private:
    [[nodiscard]] bool is_copy(const AccessEvent& event) const {
        return code_.instructions[static_cast<std::size_t>(event.instruction)].access_kind ==
               AccessKind::async_copy;
    }

    static void add(Path& path, const PathAccess& access, const LaneAddresses& addresses) {
        path.add_access(access, addresses);
        if (access.active == ~std::uint32_t{0}) {
            return;
        }
        auto& lanes = path.addresses.back();
        const auto first = access.active == 0
                               ? std::int64_t{0}
                               : lanes[static_cast<std::size_t>(std::countr_zero(access.active))];
        for (unsigned lane = 0; lane < 32; ++lane) {
            if (((access.active >> lane) & 1U) == 0) {
                lanes[lane] = first;
            }
        }
    }

    // `by`: the loop whose jump leads here.
    void next_piece(WarpState& w, const BackwardJump* by = nullptr) {
        const int begin = w.piece_end;
        w.piece_end = std::min(cuts_.next(begin), w.run_end);
        if (cuts_.is_head(begin)) {
            w.folder.arrive(cuts_.loops(begin), by);
        }
        auto& path = w.folder.current();
        if (!path.empty() && !cuts_.is_cut(begin)) {
            auto& last = path.tokens.back();
            if (last.kind == PathToken::Kind::straight && last.end == begin && last.active == w.active) {
                last.end = w.piece_end;
                return;
            }
        }
        path.add_piece(begin, w.piece_end, w.active);
    }

    void finish_run(WarpState& w) {
        while (w.piece_end < w.run_end) {
            next_piece(w);
        }
    }

    static std::int64_t weight(const FoldedWarp& warp) {
        auto sum = static_cast<std::int64_t>(warp.tokens.size() + weight_of_an_access * warp.accesses.size());
        for (const auto& token : warp.tokens) {
            sum += token.end - token.begin;
        }
        return sum;
    }

    static FoldedWarp compact(const Path& path, LanePatterns& patterns) {
        FoldedWarp warp;
        warp.tokens = path.tokens;
        warp.accesses = path.accesses;
        for (const auto& addresses : path.addresses) {
            warp.base.push_back(addresses[0]);
            warp.pattern.push_back(patterns.intern(addresses));
        }
        return warp;
    }

    CutPoints& cuts_;
    const StaticCode& code_;
    std::vector<WarpState> warps_;
    std::int64_t events_ = 0;
    std::int64_t work_ = work_of_a_block;
    bool surprised_ = false;
};

}  // namespace

int LanePatterns::intern(const LaneAddresses& addresses) {
    LaneAddresses offsets = addresses;
    for (auto& offset : offsets) {
        offset -= addresses[0];
    }
    const auto [found, added] = ids_.try_emplace(offsets, static_cast<int>(by_id_.size()));
    if (added) {
        by_id_.push_back(&found->first);
    }
    return found->second;
}

FoldResult fold_block(BlockSource& source, const Dim3& block, int warps, CutPoints& cuts,
                      LanePatterns& patterns) {
    BlockRecorder recorder(cuts, warps, source.code());
    source.run_block(block, recorder);
    return recorder.finish(patterns);
}

}  // namespace gpumodel
