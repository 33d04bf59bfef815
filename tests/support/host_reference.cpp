#include "tests/support/host_reference.h"

#include <fmt/format.h>

#include <stdexcept>

#include "traces/kernel/tiling/shared_memory_check.h"

namespace gpumodel {

namespace {

constexpr std::size_t max_faults = 100;
constexpr std::int64_t word_bytes = 4;

// What one thread of the running block holds.
struct ThreadState {
    std::vector<float> accumulators;
    std::map<int, std::vector<float>> staged;  // by stage id
    std::vector<float> a, b;                   // fragments
    std::vector<float> old_results;
    std::vector<float> copied;
};

class Executor {
public:
    Executor(const KernelProgram& program, HostRun& run, float alpha, float beta)
        : program_(program), run_(run), alpha_(alpha), beta_(beta) {}

    void run_block(std::int64_t x, std::int64_t y) {
        at_ = {};
        at_.block_x = x;
        at_.block_y = y;
        threads_.assign(static_cast<std::size_t>(program_.resources.threads), {});
        for (ThreadState& thread : threads_) {
            thread.accumulators.assign(static_cast<std::size_t>(program_.accumulators), 0.0F);
        }
        const auto bytes = program_.resources.static_shared_bytes + program_.resources.dynamic_shared_bytes;
        shared_.assign(static_cast<std::size_t>(bytes / word_bytes), 0.0F);
        check_ = SharedMemoryCheck(shared_.size());
        run_nodes(program_.body, 0);
    }

private:
    void run_nodes(const std::vector<Node>& nodes, int depth) {
        for (const Node& node : nodes) {
            if (const auto* interval = std::get_if<Interval>(&node)) {
                run_interval(*interval);
                continue;
            }
            const Loop& loop = std::get<Loop>(node);
            auto& count = at_.loop.at(static_cast<std::size_t>(depth));
            for (count = 0; count < loop.trips; ++count) {
                run_nodes(loop.body, depth + 1);
            }
            count = 0;
        }
    }

    void run_interval(const Interval& interval) {
        for (const Segment& segment : interval.segments) {
            run_segment(segment);
        }
        if (interval.barrier_after) {
            check_.block_barrier();
        }
        if (interval.warp_barrier_after) {
            check_.warp_barrier();
        }
    }

    // All threads do one site before any does the next; products before results are written.
    void run_segment(const Segment& segment) {
        if (segment.product.r > 0) {
            for_threads(segment, [&](ThreadState& state) { clear_fragments(segment.product, state); });
        }
        int a_begin = 0;
        int b_begin = 0;
        for (const AccessSite& site : segment.sites) {
            if (site.role == SiteRole::none) {
                continue;
            }
            int& begin = site.role == SiteRole::fragment_a ? a_begin : b_begin;
            select_array(site);
            for_threads(segment, [&](ThreadState& state) { run_site(site, begin, state); });
            begin += site.words;
        }
        if (segment.product.r > 0) {
            for_threads(segment, [&](ThreadState& state) { multiply(segment.product, state); });
        }
    }

    // The global array that the running site names.
    void select_array(const AccessSite& site) {
        if (site.space == MemorySpace::global) {
            array_ = &run_.arrays.at(site.array);
            writes_ = site.kind == AccessKind::store ? &run_.write_count.at(site.array) : nullptr;
        }
    }

    template <class Work>
    void for_threads(const Segment& segment, Work work) {
        for (int thread = segment.thread_begin; thread < segment.thread_end; ++thread) {
            at_.thread = thread;
            work(threads_.at(static_cast<std::size_t>(thread)));
        }
        at_.thread = 0;
    }

    static void clear_fragments(const ProductStep& product, ThreadState& state) {
        const int a_words = product.r * product.steps;
        const int b_words = product.s * product.steps;
        state.a.assign(static_cast<std::size_t>(a_words), 0.0F);
        state.b.assign(static_cast<std::size_t>(b_words), 0.0F);
    }

    void run_site(const AccessSite& site, int fragment_begin, ThreadState& state) {
        prepare(site, state);
        for (int word = 0; word < site.words; ++word) {
            if (!site.is_active(at_, word)) {
                continue;
            }
            const std::int64_t address = site.address(at_, word);
            if (check_vector(site, word, address)) {
                move_word(site, word, fragment_begin, address, state);
            }
        }
    }

    static void prepare(const AccessSite& site, ThreadState& state) {
        const auto words = static_cast<std::size_t>(site.words);
        if (site.role == SiteRole::stage_load) {
            state.staged[site.stage_id].assign(words, 0.0F);
        } else if (site.role == SiteRole::result_read) {
            state.old_results.assign(words, 0.0F);
        } else if (site.role == SiteRole::copy_load) {
            state.copied.assign(words, 0.0F);
        }
    }

    // Alignment to the access width, and consecutive words within one access.
    bool check_vector(const AccessSite& site, int word, std::int64_t address) {
        const int lane_word = word % site.vector_words;
        const std::int64_t start = address - word_bytes * lane_word;
        if (start % site.bytes_per_lane() != 0) {
            return fault(site,
                         fmt::format("address {} is not aligned to {} bytes", start, site.bytes_per_lane()));
        }
        if (lane_word > 0 && site.address(at_, word - lane_word) != start) {
            return fault(site, fmt::format("words {} and {} of one access are not neighbours",
                                           word - lane_word, word));
        }
        return true;
    }

    void move_word(const AccessSite& site, int word, int begin, std::int64_t address, ThreadState& state) {
        const auto w = static_cast<std::size_t>(word);
        switch (site.role) {
            case SiteRole::stage_load:
                state.staged.at(site.stage_id).at(w) = load(site, address);
                break;
            case SiteRole::stage_store:
                store(site, address, state.staged.at(site.stage_id).at(w));
                break;
            case SiteRole::fragment_a:
                load_fragment(site, word, begin, address, state.a);
                break;
            case SiteRole::fragment_b:
                load_fragment(site, word, begin, address, state.b);
                break;
            case SiteRole::result_read:
                state.old_results.at(w) = load(site, address);
                break;
            case SiteRole::result_write:
                store(site, address, result(word, state));
                break;
            case SiteRole::copy_load:
                state.copied.at(w) = load(site, address);
                break;
            case SiteRole::copy_store:
                store(site, address, state.copied.at(w));
                break;
            case SiteRole::none:
                break;
        }
    }

    void load_fragment(const AccessSite& site, int word, int begin, std::int64_t address,
                       std::vector<float>& to) {
        const int index = site.fragment_index ? site.fragment_index(word) : begin + word;
        if (index >= 0) {
            to.at(static_cast<std::size_t>(index)) = load(site, address);
        }
    }

    void multiply(const ProductStep& product, ThreadState& state) const {
        const int base = product.acc_base ? product.acc_base(at_) : 0;
        for (int step = 0; step < product.steps; ++step) {
            for (int i = 0; i < product.r; ++i) {
                const int a_word = product.a_along_k ? i * product.steps + step : step * product.r + i;
                for (int j = 0; j < product.s; ++j) {
                    const int b_word = step * product.s + j;
                    const int index = product.acc ? product.acc(at_, i, j) : base + i * product.s + j;
                    state.accumulators.at(static_cast<std::size_t>(index)) +=
                        state.a.at(static_cast<std::size_t>(a_word)) *
                        state.b.at(static_cast<std::size_t>(b_word));
                }
            }
        }
    }

    [[nodiscard]] float result(int word, const ThreadState& state) const {
        const float product = state.accumulators.at(static_cast<std::size_t>(program_.result_acc(at_, word)));
        if (!program_.c_is_read) {
            return product;
        }
        return alpha_ * product + beta_ * state.old_results.at(static_cast<std::size_t>(word));
    }

    float load(const AccessSite& site, std::int64_t address) {
        const std::int64_t index = address / word_bytes;
        if (site.space == MemorySpace::shared) {
            if (!in_bounds(site, index, shared_.size())) {
                return 0.0F;
            }
            report(site, index, check_.read(index, at_.thread));
            return shared_[static_cast<std::size_t>(index)];
        }
        return in_bounds(site, index, array_->size()) ? (*array_)[static_cast<std::size_t>(index)] : 0.0F;
    }

    void store(const AccessSite& site, std::int64_t address, float value) {
        const std::int64_t index = address / word_bytes;
        if (site.space == MemorySpace::shared) {
            if (in_bounds(site, index, shared_.size())) {
                report(site, index, check_.write(index, at_.thread));
                shared_[static_cast<std::size_t>(index)] = value;
            }
            return;
        }
        if (!in_bounds(site, index, array_->size())) {
            return;
        }
        (*array_)[static_cast<std::size_t>(index)] = value;
        if (++(*writes_)[static_cast<std::size_t>(index)] > 1) {
            fault(site, fmt::format("{}[{}] is written again", site.array, index));
        }
    }

    bool in_bounds(const AccessSite& site, std::int64_t index, std::size_t size) {
        if (index >= 0 && static_cast<std::size_t>(index) < size) {
            return true;
        }
        return fault(site, fmt::format("word {} is outside {} ({} words)", index, site.array, size));
    }

    void report(const AccessSite& site, std::int64_t index, std::string_view what) {
        if (!what.empty()) {
            fault(site, fmt::format("shared word {}: {}", index, what));
        }
    }

    bool fault(const AccessSite& site, const std::string& what) {
        if (run_.faults.size() < max_faults) {
            run_.faults.push_back(fmt::format("{}, block ({}, {}), thread {}: {}", site.name, at_.block_x,
                                              at_.block_y, at_.thread, what));
        }
        return false;
    }

    const KernelProgram& program_;
    HostRun& run_;
    float alpha_;
    float beta_;
    Coord at_;
    std::vector<ThreadState> threads_;
    std::vector<float>* array_ = nullptr;
    std::vector<std::int32_t>* writes_ = nullptr;
    std::vector<float> shared_;
    SharedMemoryCheck check_{0};
};

// Arrays as they are before the launch; what is only written starts at zero.
void set_up_arrays(const KernelProgram& program, const std::map<std::string, std::vector<float>>& inputs,
                   HostRun& run) {
    for (const ArrayUse& use : program.arrays) {
        const auto words = static_cast<std::size_t>(use.bytes / word_bytes);
        const auto found = inputs.find(use.name);
        if (use.read && (found == inputs.end() || found->second.size() != words)) {
            throw std::invalid_argument(fmt::format("input {} must hold {} words", use.name, words));
        }
        run.arrays[use.name] = use.read ? found->second : std::vector<float>(words, 0.0F);
        if (use.written) {
            run.write_count[use.name].assign(words, 0);
        }
    }
}

}  // namespace

HostRun run_on_host(const KernelProgram& program, const std::map<std::string, std::vector<float>>& inputs,
                    float alpha, float beta) {
    HostRun run;
    set_up_arrays(program, inputs, run);
    Executor executor(program, run, alpha, beta);
    for (std::int64_t y = 0; y < program.grid.y; ++y) {
        for (std::int64_t x = 0; x < program.grid.x; ++x) {
            executor.run_block(x, y);
        }
    }
    return run;
}

}  // namespace gpumodel
