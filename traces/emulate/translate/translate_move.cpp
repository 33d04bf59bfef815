// Moves: registers, predicates as bits, the constant bank.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/note.h"
#include "traces/emulate/operations/lane_operations.h"
#include "traces/emulate/prepare/program.h"
#include "traces/emulate/run/block_state.h"
#include "traces/emulate/translate/translator.h"

namespace gpumodel::emulate {

namespace {

constexpr u32 copy(u32 a) {
    return a;
}

// Up to Volta a mask may follow, which lanes of each four take the value.
void translate_mov(Translator& t) {
    constexpr std::int64_t all_four = 0xf;
    if (t.is_value(1) && t.value_operand(1).value != all_four) {
        t.unsupported("of some lanes in four is not emulated");
        return;
    }
    for (int part = 0; part < (t.has("64") ? 2 : 1); ++part) {
        auto op = t.make(&map1<copy>);
        op.from[0] = t.value(0, Reading::integer, part);
        op.to[0] = t.result(part);
        t.add(op);
    }
}

// RPCMOV.32 Rpc.LO, R2 and RPCMOV.32 R2, Rpc.LO
void translate_rpcmov(Translator& t) {
    const auto slot_of = [](const SassOperand& operand) {
        return static_cast<std::uint16_t>(first_return_slot + (operand.text == "Rpc.HI" ? 1 : 0));
    };
    const auto& first = t.value_operand(0);
    if (!t.has("32") || (first.text != "Rpc.LO" && first.text != "Rpc.HI")) {
        t.unsupported("is not emulated");
        return;
    }
    auto op = t.make(&map1<copy>);
    const bool reads = !t.is_value(1);
    op.from[0] = reads ? slot_of(first) : t.raw_value(1);
    op.to[0] = reads ? t.result() : slot_of(first);
    t.add(op);
}

// A uniform register takes the value of one lane.
u32 first_active(const Lanes& lanes, u32 mask) {
    return mask == 0 ? lanes.at[0] : lanes.at[static_cast<std::size_t>(std::countr_zero(mask))];
}

void to_uniform(Warp& warp, const MicroOp& op, u32 mask) {
    if (mask != 0) {
        fill(to(warp, op), first_active(from(warp, op, 0), mask));
    }
}

// R2UR P0, UR4, R2: which lanes have another value; with .OR (`option`) besides those that P0 holds. Code
// that serves the lanes of one value after the other loops on it.
void differs_from_uniform(Warp& warp, const MicroOp& op, u32 mask) {
    const auto& lanes = from(warp, op, 0);
    const u32 chosen = first_active(lanes, mask);
    u32 differs = op.option != 0 ? warp.predicates[op.predicate_to[0]] : 0;
    for (std::size_t i = 0; i < lane_count; ++i) {
        differs |= lanes.at[i] != chosen ? lane_bit[i] : 0;
    }
    warp.set_predicate(op.predicate_to[0], differs, mask);
}

void translate_r2ur(Translator& t) {
    t.add(t.simple(&to_uniform, 1));
    if (t.predicate_result(0) != discard_predicate) {
        auto op = t.make(&differs_from_uniform);
        op.from[0] = t.value(0);
        op.option = t.has("OR") ? 1 : 0;
        op.predicate_to[0] = t.predicate_result(0);
        op.predicate_from[0] = {op.predicate_to[0], false};
        t.add(op);
    }
}

// Bit k of the register in each lane <-> predicate k.
void predicate_to_bit(Warp& warp, const MicroOp& op, u32 mask) {
    const auto& a = from(warp, op, 0);
    const u32 set = warp.predicate(op.predicate_from[0]);
    const u32 bit = op.option;
    Lanes result;
    for (std::size_t i = 0; i < lane_count; ++i) {
        result.at[i] = (a.at[i] & ~bit) | ((set & lane_bit[i]) != 0 ? bit : 0);
    }
    assign(to(warp, op), result, mask);
}

void bit_to_predicate(Warp& warp, const MicroOp& op, u32 mask) {
    const auto& a = from(warp, op, 0);
    const u32 bit = op.option;
    u32 set = 0;
    for (std::size_t i = 0; i < lane_count; ++i) {
        set |= (a.at[i] & bit) != 0 ? lane_bit[i] : 0;
    }
    warp.set_predicate(op.predicate_to[0], set, mask);
}

constexpr std::uint8_t ordinary_predicates = 7;

// The byte that P2R.B1 writes and R2P reads of R3.B1.
u32 byte_shift(std::string_view name) {
    return name.size() == 2 && name[0] == 'B' ? 8U * static_cast<u32>(name[1] - '0') : 0;
}

// P2R R0, PR, R1, 0x7f: R1 with the masked bits replaced by the predicates.
void translate_p2r(Translator& t) {
    u32 shift = 0;
    for (const auto& modifier : t.in().modifiers) {
        shift = std::max(shift, byte_shift(modifier));
    }
    const auto bits = static_cast<u32>(t.value_operand(2).value);
    auto op = t.make(&map1<copy>);
    op.guard = {};
    op.from[0] = t.value(1);
    op.to[0] = t.temporary();
    t.add(op);
    const auto sum = op.to[0];
    for (std::uint8_t i = 0; i < ordinary_predicates; ++i) {
        if ((bits >> i & 1U) != 0) {
            auto bit = t.make(&predicate_to_bit);
            bit.guard = {};
            bit.from[0] = bit.to[0] = sum;
            bit.predicate_from[0] = {i, false};
            bit.option = 1U << (i + shift);
            t.add(bit);
        }
    }
    op = t.make(&map1<copy>);
    op.from[0] = sum;
    op.to[0] = t.result();
    t.add(op);
}

void translate_r2p(Translator& t) {
    const u32 shift = byte_shift(t.value_operand(1).text);
    const auto bits = static_cast<u32>(t.value_operand(2).value);
    for (std::uint8_t i = 0; i < ordinary_predicates; ++i) {
        if ((bits >> i & 1U) != 0) {
            auto op = t.make(&bit_to_predicate);
            op.from[0] = t.raw_value(1);
            op.predicate_to[0] = i;
            op.option = 1U << (i + shift);
            t.add(op);
        }
    }
}

struct ConstantLoad {
    int bytes = 4;
    bool is_signed = false;
};

ConstantLoad constant_load(const Translator& t) {
    if (t.has("U8") || t.has("S8")) {
        return {1, t.has("S8")};
    }
    if (t.has("U16") || t.has("S16")) {
        return {2, t.has("S16")};
    }
    return {t.has("64") ? 8 : t.has("128") ? 16 : 4, false};
}

u32 part_of_word(u32 word, u32 first_bit, u32 option) {
    const u32 unused = 32 - 8 * (option & 7U);
    const u32 bits = word >> first_bit << unused;
    return (option & 8U) != 0 ? static_cast<u32>(as_signed(bits) >> unused) : bits >> unused;
}

constexpr u32 bank_shift = 8;

// At an offset of each lane; what neither the launch nor the module defines reads as zero.
void load_indexed_constant(Warp& warp, const MicroOp& op, u32 mask) {
    const auto& base = from(warp, op, 0);
    const auto& program = *warp.block->program;
    const int bank = static_cast<int>(op.option >> bank_shift);
    Lanes result;
    bool as_initialised = false;
    for (std::size_t i = 0; i < lane_count; ++i) {
        const auto address = static_cast<i64>(as_signed(base.at[i])) + op.immediate;
        const auto aligned = address & ~i64{3};
        const auto word =
            bank == 0 ? program.bank.word(aligned) : program.module_constants.word(bank, aligned);
        result.at[i] = part_of_word(word.value_or(0), 8U * static_cast<u32>(address & 3), op.option);
        const u32 lane = 1U << static_cast<u32>(i);
        if (bank == variables_bank && (mask & lane) != 0 &&
            !program.module_constants.is_given(bank, aligned)) {
            const bool open = program.module_constants.is_open(bank, aligned);
            as_initialised = as_initialised || !open;
            if (open && warp.taint) {
                warp.taint->loaded |= lane;
            }
        }
    }
    if (as_initialised) {
        ++(*warp.block->notes)[noted(NoteId::constant_memory, variables_note)];
    }
    assign(to(warp, op), result, mask);
}

void extract_part(Warp& warp, const MicroOp& op, u32 mask) {
    const auto& a = from(warp, op, 0);
    Lanes result;
    for (std::size_t i = 0; i < lane_count; ++i) {
        result.at[i] = part_of_word(a.at[i], static_cast<u32>(op.immediate), op.option);
    }
    assign(to(warp, op), result, mask);
}

void translate_fixed_ldc(Translator& t, const ConstantLoad& load) {
    for (int part = 0; part < std::max(1, load.bytes / 4); ++part) {
        auto op = t.make(&extract_part);
        op.option = static_cast<u32>(std::min(load.bytes, 4)) | (load.is_signed ? 8U : 0);
        if (load.bytes < 4) {
            SassOperand aligned = t.value_operand(0);
            op.immediate = 8 * (aligned.value & 3);
            aligned.value &= ~std::int64_t{3};
            op.from[0] = t.constant_of(aligned);
        } else {
            op.from[0] = t.raw_value(0, part);
        }
        op.to[0] = t.result(part);
        t.add(op);
    }
}

// How many addresses the lanes name: what it costs, also where they lie in one word.
void count_named(Warp& warp, const MicroOp& op, u32 mask) {
    if (mask == 0) {
        return;
    }
    const auto& base = from(warp, op, 0);
    std::array<u32, lane_count> named{};
    std::size_t count = 0;
    for (std::size_t i = 0; i < lane_count; ++i) {
        if ((mask & lane_bit[i]) != 0) {
            named[count++] = base.at[i];
        }
    }
    const auto end = named.begin() + static_cast<std::ptrdiff_t>(count);
    std::sort(named.begin(), end);
    auto& seen = (*warp.block->matches)[op.instruction];
    ++seen.executions;
    seen.values += std::unique(named.begin(), end) - named.begin();
}

void count_addresses(Translator& t, const SassOperand& source) {
    auto op = t.make(&count_named);
    op.always = true;
    op.from[0] = static_cast<std::uint16_t>(source.base);
    t.add(op);
}

void translate_ldc(Translator& t) {
    const auto load = constant_load(t);
    const auto& source = t.value_operand(0);
    if (source.kind != OperandKind::constant) {
        t.unsupported("has no constant operand");
        return;
    }
    const bool indexed = source.base != sass_no_register && source.base != sass_rz;
    if (!indexed || source.uniform != sass_no_register) {
        translate_fixed_ldc(t, load);
        return;
    }
    if (source.bank != 0 && !t.function().constants.has(source.bank)) {
        t.unsupported(missing_constant(t.function(), fmt::format("c[{:#x}]", source.bank), source.bank));
        return;
    }
    t.note_indexed_read(source.bank);
    if (!source.uniform_base) {
        count_addresses(t, source);
    }
    auto base = static_cast<std::uint16_t>(source.base + (source.uniform_base ? first_uniform_slot : 0));
    if (load.bytes > 4) {  // the first word may go where the index is
        auto kept = t.make(&map1<copy>);
        kept.guard = {};
        kept.from[0] = base;
        kept.to[0] = base = t.temporary();
        t.add(kept);
    }
    for (int part = 0; part < std::max(1, load.bytes / 4); ++part) {
        auto op = t.make(&load_indexed_constant);
        op.option = static_cast<u32>(std::min(load.bytes, 4)) | (load.is_signed ? 8U : 0) |
                    static_cast<u32>(source.bank) << bank_shift;
        op.from[0] = base;
        op.immediate = source.value + 4 * part;
        op.to[0] = t.result(part);
        t.add(op);
    }
}

// What the last BAR.RED of this warp found.
void read_barrier_result(Warp& warp, const MicroOp& op, u32 mask) {
    assign(to(warp, op), from(warp, op, 0), mask);
    warp.set_predicate(op.predicate_to[0], warp.predicate(op.predicate_from[0]), mask);
}

void translate_b2r(Translator& t) {
    if (!t.has("RESULT")) {
        t.unsupported("is not emulated");
    }
    auto op = t.make(&read_barrier_result);
    op.from[0] = barrier_count_slot;
    op.predicate_from[0] = {barrier_predicate, false};
    op.to[0] = t.result();
    op.predicate_to[0] = t.predicate_result(0);
    t.add(op);
}

}  // namespace

const std::vector<OpcodeEntry>& move_opcodes() {
    static const std::vector<OpcodeEntry> entries{
        {"MOV", translate_mov},   {"MOV32I", translate_mov},    {"UMOV", translate_mov},
        {"R2UR", translate_r2ur}, {"P2R", translate_p2r},       {"R2P", translate_r2p},
        {"LDC", translate_ldc},   {"ULDC", translate_ldc},      {"LDCU", translate_ldc},
        {"B2R", translate_b2r},   {"RPCMOV", translate_rpcmov},
    };
    return entries;
}

}  // namespace gpumodel::emulate
