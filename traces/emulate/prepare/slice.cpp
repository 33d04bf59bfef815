#include "traces/emulate/prepare/slice.h"

#include <array>
#include <bitset>

namespace gpumodel::emulate {

namespace {

constexpr std::size_t value_count = first_constant_slot + predicate_count;
using Values = std::bitset<value_count>;

bool is_value(int slot) {
    return slot < first_constant_slot && slot != zero_slot && slot != uniform_zero_slot &&
           slot != discard_slot;
}
bool is_predicate_value(int predicate) {
    return predicate != true_predicate && predicate != first_uniform_predicate + true_predicate &&
           predicate != discard_predicate;
}
std::size_t of_predicate(int predicate) {
    return static_cast<std::size_t>(first_constant_slot + predicate);
}

// A guard that does not hold trivially: predicate and sign.
using Guard = std::size_t;
constexpr std::size_t guard_count = 2 * predicate_count;
Guard guard_of(PredicateUse use) {
    return 2 * static_cast<std::size_t>(use.index) + (use.inverted ? 1 : 0);
}
Guard opposite(Guard guard) {
    return guard ^ 1U;
}

// Values that are needed: in all lanes, or only in those for which a guard holds as it now stands. Compilers
// set registers under a guard and use them under the same guard only; without that distinction the old
// values, accumulators perhaps, would count as needed.
struct Needs {
    Values always;
    std::array<Values, guard_count> under{};
    bool operator==(const Needs&) const = default;

    void add(const Needs& other) {
        always |= other.always;
        for (std::size_t g = 0; g < guard_count; ++g) {
            under[g] |= other.under[g];
        }
    }
    void use(std::size_t value, const PredicateUse* guard) {
        if (guard == nullptr || under[opposite(guard_of(*guard))].test(value)) {
            always.set(value);
        } else {
            under[guard_of(*guard)].set(value);
        }
    }
    // Needed in lanes that an operation under the guard writes?
    [[nodiscard]] bool wants(std::size_t value, const PredicateUse* guard) const {
        bool wanted = always.test(value);
        for (std::size_t g = 0; g < guard_count; ++g) {
            wanted =
                wanted || (under[g].test(value) && (guard == nullptr || g != opposite(guard_of(*guard))));
        }
        return wanted;
    }
    void define(std::size_t value, const PredicateUse* guard) {
        if (guard == nullptr) {
            always.reset(value);
            for (auto& values : under) {
                values.reset(value);
            }
        } else {
            under[guard_of(*guard)].reset(value);
            if (always.test(value)) {
                always.reset(value);
                under[opposite(guard_of(*guard))].set(value);
            }
        }
    }
    // A predicate changes: what is needed under it is needed always before.
    void forget_guard(int predicate) {
        for (const bool inverted : {false, true}) {
            auto& values = under[guard_of({static_cast<std::uint8_t>(predicate), inverted})];
            always |= values;
            values.reset();
        }
    }
};

class Slicer {
public:
    Slicer(const Program& program, DeviceStores stores)
        : program_(program),
          device_data_(stores == DeviceStores::needed),
          needs_(program.blocks.size()),
          needed_(program.ops.size(), false) {}

    std::vector<bool> run() {
        bool changed = true;
        while (changed) {
            changed = false;
            for (std::size_t b = program_.blocks.size(); b-- > 0;) {
                changed = (program_.blocks[b].reachable && update(b)) || changed;
            }
        }
        return std::move(needed_);
    }

private:
    bool update(std::size_t b) {
        const auto& block = program_.blocks[b];
        const bool shared = shared_data_, local = local_data_, tile = tile_data_;
        Needs needs;
        for (const int next : block.successors) {
            needs.add(needs_[static_cast<std::size_t>(next)]);
        }
        use_terminator(needs, block.last);
        for (std::size_t i = block.op_end; i-- > block.op_begin;) {
            step(needs, i);
        }
        const bool changed =
            !(needs == needs_[b]) || shared != shared_data_ || local != local_data_ || tile != tile_data_;
        needs_[b] = needs;
        return changed;
    }

    static void use_predicate(Needs& needs, PredicateUse use) {
        if (is_predicate_value(use.index)) {
            needs.use(of_predicate(use.index), nullptr);
        }
    }
    static void use_slot(Needs& needs, int slot, const PredicateUse* guard) {
        if (is_value(slot)) {
            needs.use(static_cast<std::size_t>(slot), guard);
        }
    }

    static void use_terminator(Needs& needs, const Terminator& last) {
        for (const auto use : {last.guard, last.condition, last.vote}) {
            use_predicate(needs, use);
        }
        use_slot(needs, last.slot, nullptr);
        use_slot(needs, last.count_slot, nullptr);
    }

    [[nodiscard]] bool is_needed(const Needs& needs, const MicroOp& op, const PredicateUse* guard) const {
        const bool shared = op.writes_tile ? tile_data_ : shared_data_;
        bool needed = op.always || (op.writes_shared && shared) || (op.writes_local && local_data_) ||
                      (op.writes_global && device_data_);
        for (const int slot : op.to) {
            needed = needed || (is_value(slot) && needs.wants(static_cast<std::size_t>(slot), guard));
        }
        for (const int predicate : op.predicate_to) {
            needed =
                needed || (is_predicate_value(predicate) && needs.wants(of_predicate(predicate), nullptr));
        }
        return needed;
    }

    void step(Needs& needs, std::size_t i) {
        const auto& op = program_.ops[i];
        const auto* guard = is_predicate_value(op.guard.index) ? &op.guard : nullptr;
        if (!is_needed(needs, op, guard)) {
            return;
        }
        needed_[i] = true;
        shared_data_ = shared_data_ || op.reads_shared;
        tile_data_ = tile_data_ || (op.reads_shared && !op.reads_barrier);
        local_data_ = local_data_ || op.reads_local;
        define_results(needs, op, guard);
        use_predicate(needs, op.guard);
        for (const auto use : op.predicate_from) {
            use_predicate(needs, use);
        }
        for (const int slot : op.from) {
            use_slot(needs, slot, guard);
        }
    }

    static void define_results(Needs& needs, const MicroOp& op, const PredicateUse* guard) {
        for (const int slot : op.to) {
            if (is_value(slot)) {
                needs.define(static_cast<std::size_t>(slot), guard);
            }
        }
        for (const int predicate : op.predicate_to) {
            if (is_predicate_value(predicate)) {
                needs.forget_guard(predicate);
                if (guard == nullptr) {
                    needs.define(of_predicate(predicate), nullptr);
                }
            }
        }
    }

    const Program& program_;
    bool device_data_;
    std::vector<Needs> needs_;
    std::vector<bool> needed_;
    bool shared_data_ = false, tile_data_ = false;
    bool local_data_ = false;
};

}  // namespace

std::vector<bool> needed_operations(const Program& program, DeviceStores stores) {
    return Slicer(program, stores).run();
}

}  // namespace gpumodel::emulate
