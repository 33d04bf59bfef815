#include "traces/codegen/program_code.h"

#include <algorithm>

namespace gpumodel {
namespace {

class KeyWriter {
public:
    explicit KeyWriter(std::string& key) : key_(key) {}

    template <class... Values>
    void add(Values... values) {
        (key_.append(reinterpret_cast<const char*>(&values), sizeof(values)), ...);
    }

    void nodes(const std::vector<Node>& nodes) {
        add(nodes.size());
        for (const auto& node : nodes) {
            if (const auto* loop = std::get_if<Loop>(&node)) {
                this->loop(*loop);
                continue;
            }
            const auto& interval = std::get<Interval>(node);
            add(interval.barrier_after, interval.warp_barrier_after, interval.segments.size());
            for (const auto& segment : interval.segments) {
                this->segment(segment);
            }
        }
    }

private:
    void loop(const Loop& loop) {
        const auto copies = std::clamp<std::int64_t>(loop.unroll, 1, std::max<std::int64_t>(loop.trips, 1));
        add('L', copies, std::min<std::int64_t>(loop.trips / copies, 2), loop.trips % copies);
        nodes(loop.body);
    }

    void segment(const Segment& s) {
        const auto& wait = s.dependency;
        add('S', s.thread_begin, s.thread_end, s.ops, s.product.r, s.product.s, s.product.steps,
            s.product.a_along_k, wait.serial_global_loads, wait.serial_shared_loads,
            wait.prefetched_global_loads, wait.trips_ahead, s.order.load_window, s.order.loads_first,
            s.order.loads_late, s.sites.size());
        for (const auto& site : s.sites) {
            add(site.space, site.kind, site.role, site.words, site.vector_words, site.sub_word_bytes,
                site.stage_id, site.thread_private, site.read_only, site.past_l1, site.copies);
        }
    }

    std::string& key_;
};

}  // namespace

std::size_t ProgramCode::instructions() const {
    std::size_t count = 0;
    for (const auto& segment : segments) {
        count += segment.code.size();
    }
    return count;
}

ProgramCode code_of(const KernelProgram& generated) {
    ProgramCode all;
    all.mnemonics = generated.mnemonics;
    const auto add = [&all](const Segment& s) { all.segments.push_back({s.code, s.ops, s.dependency}); };
    each_segment(generated.body, add);
    for (const auto& variant : generated.variants) {
        each_segment(variant.body, add);
    }
    return all;
}

std::string code_key(const KernelProgram& tiles, const Target& target) {
    std::string key = tiles.kernel + ' ' + tiles.params + ' ';
    KeyWriter writer(key);
    writer.add(target.cc.number(), target.warp_size, target.max_threads_per_block,
               target.max_registers_per_thread, target.registers_per_block,
               tiles.resources.registers_per_thread, tiles.accumulators, tiles.c_is_read,
               tiles.variants.size());
    writer.nodes(tiles.body);
    for (const auto& variant : tiles.variants) {
        writer.nodes(variant.body);
    }
    return key;
}

}  // namespace gpumodel
