// Atomic operations, and barriers in shared memory.
#include <algorithm>

#include "traces/emulate/operations/lane_operations.h"
#include "traces/emulate/operations/memory_operations.h"
#include "traces/emulate/translate/memory_translation.h"
#include "traces/emulate/translate/translator.h"

namespace gpumodel::emulate {

namespace {

struct AtomicName {
    std::string_view modifier;
    AtomicOperation operation;
};
constexpr AtomicName atomic_names[] = {
    {"ADD", AtomicOperation::add},
    {"MIN", AtomicOperation::minimum},
    {"MAX", AtomicOperation::maximum},
    {"INC", AtomicOperation::increment},
    {"DEC", AtomicOperation::decrement},
    {"AND", AtomicOperation::bit_and},
    {"OR", AtomicOperation::bit_or},
    {"XOR", AtomicOperation::bit_xor},
    {"EXCH", AtomicOperation::exchange},
    {"CAS", AtomicOperation::compare_and_swap},
    {"CAST", AtomicOperation::compare_and_test},
};

bool adds_halves(const Translator& t) {
    const auto& list = t.in().modifiers;
    return std::any_of(list.begin(), list.end(), [](const std::string& modifier) {
        return modifier.starts_with("F16") || modifier.starts_with("BF16");
    });
}

// Of device memory what is not emulated leaves an unknown value; of shared memory it must not matter.
AtomicOperation atomic_operation(Translator& t, bool global) {
    if (global && adds_halves(t)) {
        return AtomicOperation::not_emulated;
    }
    if (t.has("POPC")) {
        return AtomicOperation::add;  // ATOMS.POPC.INC: one per lane
    }
    for (const auto& entry : atomic_names) {
        if (t.has(entry.modifier)) {
            const bool adds = entry.operation == AtomicOperation::add;
            return adds && t.has("F32")   ? AtomicOperation::add_float
                   : adds && t.has("F64") ? AtomicOperation::add_double
                                          : entry.operation;
        }
    }
    if (!global) {
        t.unsupported("names no operation that is emulated");
    }
    return AtomicOperation::not_emulated;
}

void set_atomic_operands(Translator& t, MicroOp& op, const Memory& memory) {
    const auto data = first_data(t);
    if (t.has("POPC")) {
        op.from[4] = t.constant(1);
        return;
    }
    op.from[4] = t.raw_value(data, 0);
    if (memory.words == 2) {
        op.from[5] = t.raw_value(data, 1);
    }
    op.from[6] = t.raw_value(data + 1, 0);
    if (memory.words == 2) {
        op.from[7] = t.raw_value(data + 1, 1);
    }
}

void translate_atomic(Translator& t) {
    const auto memory = report_access(t);
    if (!memory) {
        return;
    }
    const bool global = memory->space == SassSpace::global;
    auto op = data_op(t, *memory,
                      global                                ? &atomic_global
                      : memory->space == SassSpace::generic ? &atomic_generic
                                                            : &atomic_shared);
    const bool generic = memory->space == SassSpace::generic;
    op.reads_shared = op.writes_shared = !global;
    op.reads_global = op.writes_global = global || generic;
    op.swaps_global = op.reads_global && (t.has("CAS") || t.has("CAST"));
    op.option =
        static_cast<u32>(atomic_operation(t, global)) | (t.has("S32") || t.has("S64") ? atomic_signed : 0);
    set_atomic_operands(t, op, *memory);
    op.to[0] = t.result(0);
    // ATOMS.CAST of sm_100 says in a predicate, not in a register, whether it stored
    const bool tests = memory->space == SassSpace::shared && t.has("CAST");
    op.predicate_to[0] =
        generic || tests ? t.predicate_result(0) : static_cast<std::uint8_t>(discard_predicate);
    if (memory->words == 2) {
        op.to[1] = t.result(1);
    }
    t.add(op);
}

// ATOMS.ARRIVE: an arrival at a barrier in shared memory, not counted as an access. Others run before this
// warp looks at the barrier again.
void translate_atoms(Translator& t) {
    if (!t.has("ARRIVE")) {
        translate_atomic(t);
        return;
    }
    if (const auto memory = begin_access(t)) {
        auto op = data_op(t, *memory, &mbarrier_arrive);
        op.reads_shared = op.writes_shared = op.reads_barrier = true;
        op.to = {t.result(0), t.result(1)};
        t.add(op);
        t.end().kind = Terminator::Kind::pause;
        t.end().arrives = true;
    }
}

// ARRIVES.LDGSTSBAR: an arrival when the copies are done, which here they are at once. With .TRANSCNT it
// undoes a transaction that SYNCS counted.
void translate_arrives(Translator& t) {
    const auto memory = begin_access(t);
    if (!memory || t.has("TRANSCNT")) {
        return;
    }
    auto op = data_op(t, *memory, &mbarrier_arrive);
    op.option = mbarrier_later;
    op.writes_shared = true;
    t.add(op);
}

void translate_syncs(Translator& t) {
    if (t.has("CCTL")) {
        return;
    }
    const auto memory = begin_access(t);
    if (!memory || t.has("A0T1")) {
        return;
    }
    const bool check = t.has("PHASECHK"), arrive = t.has("ARRIVE"), exchange = t.has("EXCH");
    if ((!check && !exchange && !arrive) || t.has("ARTR")) {
        t.unsupported("is not emulated");
        return;
    }
    auto op = data_op(t, *memory, check ? &mbarrier_check : exchange ? &mbarrier_exchange : &mbarrier_arrive);
    op.option = mbarrier_hopper;
    op.reads_shared = op.reads_barrier = true;
    op.writes_shared = !check;
    op.from[4] = t.raw_value(first_data(t), 0);
    op.from[5] = exchange ? t.raw_value(first_data(t), 1) : static_cast<std::uint16_t>(zero_slot);
    op.predicate_to[0] = check ? t.predicate_result(0) : static_cast<std::uint8_t>(discard_predicate);
    if (!check) {
        op.to = {t.result(0), t.result(1)};
    }
    if (t.has("ART0")) {
        op.from[7] = op.from[4];
        op.option |= mbarrier_counts;
    } else if (arrive && !t.has("A1T0")) {
        // the bytes are the operand's; .A0TR without an arrival
        op.from[6] = op.from[4];
        op.option |= mbarrier_announces | (t.has("A0TR") ? mbarrier_no_arrival : 0);
    }
    op.always = t.has("TRYWAIT");
    t.add(op);
    if (t.has("TRYWAIT")) {
        t.end().kind = Terminator::Kind::retry;
        t.end().condition = {op.predicate_to[0], false};
    } else if (check || arrive) {
        t.end().kind = arrive ? Terminator::Kind::pause : Terminator::Kind::yield;
        t.end().arrives = arrive;
    }
}

}  // namespace

const std::vector<OpcodeEntry>& atomic_opcodes() {
    static const std::vector<OpcodeEntry> entries{
        {"ATOM", translate_atomic}, {"ATOMG", translate_atomic}, {"RED", translate_atomic},
        {"REDG", translate_atomic}, {"ATOMS", translate_atoms},  {"ARRIVES", translate_arrives},
        {"SYNCS", translate_syncs},
    };
    return entries;
}

}  // namespace gpumodel::emulate
