#include "tests/traces/trace/same_program.h"

#include <fmt/format.h>

#include <random>

namespace gpumodel {

namespace {

bool same(const Instruction& a, const Instruction& b) {
    return a.op == b.op && a.mnemonic == b.mnemonic && a.result_count == b.result_count &&
           a.source_count == b.source_count &&
           std::equal(a.results.begin(), a.results.begin() + a.result_count, b.results.begin()) &&
           std::equal(a.sources.begin(), a.sources.begin() + a.source_count, b.sources.begin()) &&
           a.guard == b.guard && a.guard_negated == b.guard_negated && a.control == b.control &&
           a.access_bytes == b.access_bytes && a.filter == b.filter && a.access_kind == b.access_kind &&
           a.space == b.space && a.site == b.site && a.word == b.word && a.address == b.address &&
           a.arrives == b.arrives && a.copies_first == b.copies_first && a.copies_step == b.copies_step &&
           a.copies_ahead == b.copies_ahead && a.copies_alone == b.copies_alone &&
           a.arrivals_known == b.arrivals_known && a.arrivals_from == b.arrivals_from &&
           a.arrivals_first == b.arrivals_first && a.arrivals_step == b.arrivals_step &&
           a.arrivals_lag == b.arrivals_lag && a.arrivals_warps == b.arrivals_warps &&
           a.others_first == b.others_first && a.others_warps == b.others_warps;
}

bool same(const ArrayUse& a, const ArrayUse& b) {
    return a.name == b.name && a.bytes == b.bytes && a.read == b.read && a.written == b.written;
}

bool same(const BlockResources& a, const BlockResources& b) {
    return a.threads == b.threads && a.registers_per_thread == b.registers_per_thread &&
           a.registers_estimated == b.registers_estimated && a.registers_source == b.registers_source &&
           a.static_shared_bytes == b.static_shared_bytes &&
           a.dynamic_shared_bytes == b.dynamic_shared_bytes && a.barriers == b.barriers;
}

bool same_but_functions(const AccessSite& a, const AccessSite& b) {
    return a.name == b.name && a.array == b.array && a.space == b.space && a.kind == b.kind &&
           a.role == b.role && a.words == b.words && a.vector_words == b.vector_words &&
           a.sub_word_bytes == b.sub_word_bytes && a.stage_id == b.stage_id && a.read_only == b.read_only &&
           a.thread_private == b.thread_private && !a.active == !b.active && !a.word_active == !b.word_active;
}

bool same_but_sites(const Segment& a, const Segment& b) {
    const auto& d = a.dependency;
    const auto& e = b.dependency;
    return a.name == b.name && a.thread_begin == b.thread_begin && a.thread_end == b.thread_end &&
           a.ops == b.ops && a.lane_ops == b.lane_ops &&
           a.shared_barrier_operations == b.shared_barrier_operations &&
           d.serial_global_loads == e.serial_global_loads && d.serial_shared_loads == e.serial_shared_loads &&
           d.ilp == e.ilp && d.prefetched_global_loads == e.prefetched_global_loads &&
           a.product.r == b.product.r && a.product.s == b.product.s && a.product.steps == b.product.steps &&
           a.product.a_along_k == b.product.a_along_k && a.sites.size() == b.sites.size() &&
           a.code.size() == b.code.size() &&
           std::equal(a.code.begin(), a.code.end(), b.code.begin(),
                      [](const auto& x, const auto& y) { return same(x, y); });
}

class Comparison {
public:
    explicit Comparison(unsigned seed) : random_(seed) {}

    std::string bodies(const BlockBox& box, const std::vector<Node>& a, const std::vector<Node>& b) {
        low_ = {box.begin.x, box.begin.y, box.begin.z};
        high_ = {box.end.x - 1, box.end.y - 1, box.end.z - 1};
        return lists(a, b);
    }

private:
    std::string lists(const std::vector<Node>& a, const std::vector<Node>& b) {
        if (a.size() != b.size()) {
            return "number of nodes";
        }
        for (std::size_t i = 0; i < a.size(); ++i) {
            if (a[i].index() != b[i].index()) {
                return fmt::format("kind of node {}", i);
            }
            const auto* loop = std::get_if<Loop>(&a[i]);
            const auto found = loop ? loops(*loop, std::get<Loop>(b[i]))
                                    : intervals(std::get<Interval>(a[i]), std::get<Interval>(b[i]));
            if (!found.empty()) {
                return found;
            }
        }
        return "";
    }

    std::string loops(const Loop& a, const Loop& b) {
        if (a.name != b.name || a.trips != b.trips || a.unroll != b.unroll) {
            return "loop " + a.name;
        }
        low_.push_back(0);
        high_.push_back(std::max<std::int64_t>(0, a.trips - 1));
        auto found = lists(a.body, b.body);
        low_.pop_back();
        high_.pop_back();
        return found;
    }

    std::string intervals(const Interval& a, const Interval& b) {
        if (a.barrier_after != b.barrier_after || a.warp_barrier_after != b.warp_barrier_after ||
            a.segments.size() != b.segments.size()) {
            return "interval";
        }
        for (std::size_t i = 0; i < a.segments.size(); ++i) {
            if (!same_but_sites(a.segments[i], b.segments[i])) {
                return "segment " + a.segments[i].name;
            }
            for (std::size_t j = 0; j < a.segments[i].sites.size(); ++j) {
                if (auto found = sites(a.segments[i], a.segments[i].sites[j], b.segments[i].sites[j]);
                    !found.empty()) {
                    return found;
                }
            }
        }
        return "";
    }

    Coord point(unsigned choice) {
        std::vector<std::int64_t> value(low_);
        for (std::size_t d = 0; d < value.size(); ++d) {
            const bool inside = choice >= corners_;
            const bool far = (choice >> d & 1) != 0;
            value[d] = inside ? std::uniform_int_distribution(low_[d], high_[d])(random_)
                              : (far ? high_[d] : low_[d]);
        }
        Coord at{value[0], value[1], value[2], {}, 0};
        std::copy(value.begin() + 3, value.end(), at.loop.begin());
        return at;
    }

    std::string sites(const Segment& segment, const AccessSite& a, const AccessSite& b) {
        if (!same_but_functions(a, b)) {
            return "site " + a.name;
        }
        corners_ = 1U << low_.size();
        for (unsigned choice = 0; choice < corners_ + 20; ++choice) {
            Coord at = point(choice);
            for (at.thread = segment.thread_begin; at.thread < segment.thread_end; ++at.thread) {
                for (int word = 0; word < a.words; ++word) {
                    const bool active = a.is_active(at, word);
                    if (active != b.is_active(at, word) ||
                        (active && a.address(at, word) != b.address(at, word))) {
                        return fmt::format("site {} of {}: thread {} word {} block {},{},{} loop {},{}",
                                           a.name, segment.name, at.thread, word, at.block_x, at.block_y,
                                           at.block_z, at.loop[0], at.loop[1]);
                    }
                }
            }
        }
        return "";
    }

    std::mt19937 random_;
    std::vector<std::int64_t> low_, high_;
    unsigned corners_ = 0;
};

}  // namespace

std::string difference(const KernelProgram& a, const KernelProgram& b, unsigned seed) {
    if (a.kernel != b.kernel || a.params != b.params || a.m != b.m || a.n != b.n || a.k != b.k ||
        a.grid != b.grid || a.block != b.block || !same(a.resources, b.resources)) {
        return "launch";
    }
    if (!std::equal(a.arrays.begin(), a.arrays.end(), b.arrays.begin(), b.arrays.end(),
                    [](const auto& x, const auto& y) { return same(x, y); })) {
        return "arrays";
    }
    if (a.accumulators != b.accumulators || a.c_is_read != b.c_is_read || a.flops != b.flops ||
        a.effective_bytes != b.effective_bytes || a.notes != b.notes ||
        a.mnemonics.names() != b.mnemonics.names() || a.variants.size() != b.variants.size()) {
        return "figures";
    }
    Comparison comparison(seed);
    for (std::size_t i = 0; i < a.variants.size(); ++i) {
        const auto& [box, body, executed] = a.variants[i];
        if (box.begin != b.variants[i].blocks.begin || box.end != b.variants[i].blocks.end ||
            executed != b.variants[i].executed) {
            return "box of a variant";
        }
        if (auto found = comparison.bodies(box, body, b.variants[i].body); !found.empty()) {
            return fmt::format("variant {}: {}", i, found);
        }
    }
    return a.variants.empty() ? comparison.bodies({{0, 0, 0}, a.grid}, a.body, b.body) : "";
}

}  // namespace gpumodel
