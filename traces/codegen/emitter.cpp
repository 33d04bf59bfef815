#include "traces/codegen/emitter.h"

#include <algorithm>

#include "traces/codegen/transfers/transfers.h"

namespace gpumodel {

namespace {

// All arithmetic of the counts, each class spread evenly over the whole; thread indices come first and the
// compare late.
std::vector<OpClass> arithmetic_order(const OpCounts& ops) {
    struct Place {
        double at = 0;
        OpClass op = OpClass::mov;
    };
    std::vector<Place> places;
    for (std::size_t i = 0; i < op_class_count; ++i) {
        const auto op = static_cast<OpClass>(i);
        const int count = row_of(op).placement == Placement::spread ? static_cast<int>(ops[i]) : 0;
        for (int k = 0; k < count; ++k) {
            double at = (k + 0.5) / count;
            at -= op == OpClass::special_register ? 2.0 : 0.0;
            places.push_back({at, op});
        }
    }
    std::stable_sort(places.begin(), places.end(),
                     [](const Place& a, const Place& b) { return a.at < b.at; });
    std::vector<OpClass> order;
    order.reserve(places.size());
    for (const Place& place : places) {
        order.push_back(place.op);
    }
    return order;
}

OpClass access_class(const AccessSite& site) {
    if (site.kind == AccessKind::async_copy) {
        return OpClass::async_copy;
    }
    const bool load = site.kind == AccessKind::load;
    if (site.space == MemorySpace::shared) {
        return load ? OpClass::shared_load : OpClass::shared_store;
    }
    return load ? OpClass::global_load : OpClass::global_store;
}

constexpr RegisterUse loop_predicate{.kind = RegisterKind::predicate, .width = 1, .index = 0};

}  // namespace

RegisterUse vector_registers(int first, int width, int slot) {
    // Beyond the last register numbers begin anew: the compiler would keep the rest in local memory, which
    // the tile-level program does not say.
    if (first + width - 1 > RegisterPlan::last) {
        constexpr int room = (RegisterPlan::last + 1 - RegisterPlan::first_free) / quad * quad;
        first = RegisterPlan::first_free + (first - RegisterPlan::first_free) % room;
    }
    return {.kind = RegisterKind::vector,
            .width = static_cast<std::uint8_t>(width),
            .index = static_cast<std::int16_t>(first),
            .slot = static_cast<std::int8_t>(slot)};
}

void add_result(Instruction& instruction, const RegisterUse& use) {
    instruction.results.at(instruction.result_count++) = use;
}
void add_source(Instruction& instruction, const RegisterUse& use) {
    instruction.sources.at(instruction.source_count++) = use;
}

Emitter::Emitter(const CodeStyle& style, const RegisterPlan& plan, Mnemonics& names, Segment& segment)
    : style_(style),
      plan_(plan),
      names_(names),
      segment_(segment),
      arithmetic_(arithmetic_order(segment.ops)) {
    recent_.fill(RegisterPlan::thread_index);
    for (const OpClass op : {OpClass::barrier, OpClass::branch}) {
        left(op) = static_cast<int>(segment.ops[static_cast<std::size_t>(op)]);
    }
    double all = 0;
    for (const double count : segment.ops) {
        all += count;
    }
    code_.reserve(static_cast<std::size_t>(all));
}

Instruction& Emitter::add(OpClass op) {
    Instruction& added = code_.emplace_back();
    added.op = op;
    added.mnemonic = names_.of(op);
    return added;
}

Instruction& Emitter::access(int number, int word) {
    const AccessSite& site = segment_.sites[static_cast<std::size_t>(number)];
    Instruction& added = code_.emplace_back();
    added.op = access_class(site);
    added.mnemonic = names_.of_access(site);
    added.access_bytes = static_cast<std::uint8_t>(site.bytes_per_lane());
    added.access_kind = site.kind;
    added.space = site.thread_private ? MemorySpace::local : site.space;
    added.site = number;
    added.word = word;
    if (site.thread_private) {
        add_source(added, vector_registers(1));
    } else if (site.space == MemorySpace::shared) {
        add_source(added, vector_registers(address_));
    } else {
        add_source(added, vector_registers(pointer_, 2));
    }
    return added;
}

int Emitter::next_temporary(int width) {
    if (width == 2) {
        temporary_ = (temporary_ + 1) / 2 * 2;
    }
    temporary_ %= RegisterPlan::temporaries;
    const int reg = RegisterPlan::first_temporary + temporary_;
    temporary_ += width;
    return reg;
}

void Emitter::zero_some() {
    // Volta and later clear a pair at a time.
    const auto moves = static_cast<std::size_t>(
        std::max(1, static_cast<int>(segment_.ops[static_cast<std::size_t>(OpClass::mov)])));
    const std::size_t all = plan_.accumulators.size();
    const std::size_t at_once = std::clamp<std::size_t>((all + moves - 1) / moves, 1, 3);
    Instruction& move = add(OpClass::mov);
    move.mnemonic = names_.of_zeroing();
    for (std::size_t i = 0; i < at_once && zeroed_ < all; ++i) {
        add_result(move, vector_registers(plan_.accumulators[zeroed_++]));
    }
    zeroing_ = zeroed_ < all;
}

void Emitter::count_trips() {
    closes_loop_ = true;
    for (const OpClass op : {OpClass::iadd, OpClass::compare}) {
        const auto found = std::find(arithmetic_.rbegin(), arithmetic_.rend(), op);
        if (found != arithmetic_.rend()) {
            std::rotate(found.base() - 1, found.base(), arithmetic_.end());
        }
    }
}

void Emitter::arithmetic(OpClass op) {
    if (op == OpClass::mov && zeroing_) {
        zero_some();
        return;
    }
    Instruction& added = add(op);
    if (op == OpClass::uniform) {
        constexpr std::int16_t chains = 4;
        const auto reg = static_cast<std::int16_t>(uniform_++ % chains);
        add_source(added, {.kind = RegisterKind::uniform, .index = reg});
        add_result(added, {.kind = RegisterKind::uniform, .index = reg});
    } else if (op == OpClass::compare) {
        add_source(added, vector_registers(RegisterPlan::counter, 1, 0));
        add_result(added, loop_predicate);
        compared_ = true;
    } else if (op == OpClass::iadd && closes_loop_ && is_last_addition()) {
        add_source(added, vector_registers(RegisterPlan::counter, 1, 0));
        add_result(added, vector_registers(RegisterPlan::counter));
    } else {
        compute(added);
    }
}

void Emitter::compute(Instruction& instruction) {
    const OpClass op = instruction.op;
    // Three chains side by side, as independent indices and addresses are computed.
    const int source = recent_[0];
    std::rotate(recent_.begin(), recent_.begin() + 1, recent_.end());
    const int width = op == OpClass::imad_wide ? 2 : 1;
    const int result = next_temporary(width);
    recent_.back() = result;
    add_result(instruction, vector_registers(result, width));
    if (op == OpClass::special_register) {
        return;
    }
    add_source(instruction, vector_registers(source, 1, 0));
    if (op == OpClass::iadd || op == OpClass::imad) {
        add_source(instruction, vector_registers(RegisterPlan::shared_base, 1, 1));
    }
    if (op == OpClass::imad_wide) {
        add_source(instruction, vector_registers(RegisterPlan::pointers, 2, 2));
        pointer_ = result;
        return;
    }
    address_ = keeps_address_ ? RegisterPlan::shared_base : result;
    if (op == OpClass::imad && style_.kepler()) {
        pointer_ = result / 2 * 2;  // the halves of a pointer come one by one
    }
}

void Emitter::arithmetic(int count) {
    for (int i = 0; i < count && next_arithmetic_ < arithmetic_.size(); ++i) {
        arithmetic(arithmetic_[next_arithmetic_++]);
    }
}

void Emitter::forward_branch() {
    Instruction& branch = add(OpClass::branch);
    if (compared_) {
        branch.guard = loop_predicate;
    }
    --left(OpClass::branch);
}

void Emitter::finish(Ending ending) {
    arithmetic(arithmetic_left());
    while (left(OpClass::barrier) > 0 && left(OpClass::branch) > 0) {
        forward_branch();
    }
    for (; left(OpClass::barrier) > 0; --left(OpClass::barrier)) {
        add(OpClass::barrier);
    }
    while (left(OpClass::branch) > 0) {
        forward_branch();
    }
    if (!code_.empty() && code_.back().op == OpClass::branch) {
        Instruction& last = code_.back();
        if (ending == Ending::loop) {
            last.guard = loop_predicate;
        } else if (ending == Ending::program) {
            last.mnemonic = names_.of_exit();
            last.guard = {};
        }
    }
    segment_.code = std::move(code_);
}

}  // namespace gpumodel
