// Branches, convergence and barriers.
#include <algorithm>
#include <charconv>

#include "traces/emulate/operations/control_operations.h"
#include "traces/emulate/operations/lane_operations.h"
#include "traces/emulate/translate/translator.h"
#include "traces/sass/reader/register_name.h"

namespace gpumodel::emulate {

namespace {

using Kind = Terminator::Kind;

void translate_nothing(Translator&) {}

bool is_call(const SassInstruction& in) {
    return in.opcode == "CALL" || in.opcode == "CAL" || in.opcode == "JCAL";
}

// An address that the linker was to fill in reads 0, where the entry itself begins; nothing calls that.
bool leaves_function(const Translator& t, const SassOperand& target) {
    const bool may_leave = is_call(t.in()) || t.in().opcode == "JMP";
    return may_leave &&
           (target.value <= 0 || !t.function().index_at(static_cast<std::uint64_t>(target.value)));
}

// Calls return values in R4 and behind (the compiler's calling convention): nobody knows them. Registers that
// a callee may overwrite hold nothing that its caller reads again.
void leave(Translator& t, std::string why) {
    constexpr int first = 4, end = 16;
    for (int r = first; r < end; ++r) {
        auto op = t.make(&map1<[](u32 a) { return a; }>);
        op.to[0] = static_cast<std::uint16_t>(r);
        t.add(op);
    }
    t.end().kind = Kind::leaves;
    t.unsupported(std::move(why));
}

// Before Volta: "CC.NEU" among the operands, what the last result with .CC was.
PredicateUse condition_of(Translator& t) {
    for (std::size_t i = 0; i < t.value_count(); ++i) {
        const auto& text = t.value_operand(i).text;
        if (t.value_operand(i).kind != OperandKind::other || !text.starts_with("CC.")) {
            continue;
        }
        const bool equal = text == "CC.EQ" || text == "CC.EQU";
        if (!equal && text != "CC.NE" && text != "CC.NEU") {
            t.end().kind = Kind::unsupported;
            t.unsupported("asks the condition code for " + text);
        }
        return {zero_flag, !equal};
    }
    return t.predicate(0);
}

// The immediate that a register was last loaded with, in the order of the code.
std::optional<std::int64_t> loaded_number(const Translator& t, std::size_t before, int index) {
    for (auto i = before; i-- > 0;) {
        const auto& in = t.function().instructions[i];
        if (!in.effect || in.effect->results == 0 || in.operands.empty() ||
            in.operands.front().kind != OperandKind::reg || in.operands.front().index != index) {
            continue;
        }
        const auto immediate =
            std::find_if(in.operands.begin(), in.operands.end(),
                         [](const SassOperand& operand) { return operand.kind == OperandKind::integer; });
        return immediate == in.operands.end() ? std::nullopt : std::optional(immediate->value);
    }
    return std::nullopt;
}

// What the module's table of addresses holds where the called register was last loaded from.
std::string symbol_in_register(const Translator& t, int index) {
    for (auto i = static_cast<std::size_t>(t.instruction()); i-- > 0;) {
        const auto& in = t.function().instructions[i];
        if (in.operands.size() < 2 || in.operands.front().kind != OperandKind::reg ||
            in.operands.front().index != index || !in.effect || in.effect->results == 0) {
            continue;
        }
        const auto& source = in.operands[1];
        const bool based = source.base != sass_no_register && source.base != sass_rz;
        const auto base = based ? loaded_number(t, i, source.base) : 0;
        if (source.kind != OperandKind::constant || !base) {
            return "";
        }
        const auto at = static_cast<std::uint64_t>(source.value + *base);
        for (const auto& bank : t.function().constants.list) {
            for (const auto& r : bank->relocations) {
                if (bank->bank == source.bank && r.at == at) {
                    return r.symbol;
                }
            }
        }
        return "";
    }
    return "";
}

std::string called_symbol(const Translator& t) {
    const auto& relocations = t.function().relocations;
    const auto found = std::find_if(relocations.begin(), relocations.end(),
                                    [&](const SassRelocation& r) { return r.at == t.in().address; });
    if (found != relocations.end()) {
        return found->symbol;
    }
    const bool through_register = t.value_count() > 0 && t.value_operand(0).kind == OperandKind::reg;
    return through_register ? symbol_in_register(t, t.value_operand(0).index) : "";
}

// What the call leads to, as far as the listing says.
std::string call_words(const Translator& t, const std::string& unnamed) {
    const auto symbol = called_symbol(t);
    if (symbol.empty()) {
        return unnamed;
    }
    const std::string what = symbol == "vprintf"                      ? " (printf)"
                             : symbol == "__assertfail"               ? " (a failed assert)"
                             : symbol == "malloc" || symbol == "free" ? " (the device's heap)"
                                                                      : "";
    return "calls " + symbol + what + ", code outside this entry";
}

void translate_jump(Translator& t) {
    const auto* target = branch_target(t.in());
    if (target == nullptr) {
        if (is_call(t.in())) {
            leave(t, call_words(t, "calls through a pointer"));
        } else {
            t.end().kind = Kind::unsupported;
            t.unsupported("has no target in the function");
        }
        return;
    }
    if (leaves_function(t, *target)) {
        leave(t, call_words(t,
                            "calls code outside this entry (printf, malloc, assert or a function linked "
                            "from elsewhere; cuobjdump -sass -elf names it)"));
        return;
    }
    t.end().kind = t.in().opcode == "CAL" || t.in().opcode == "JCAL" ? Kind::call
                   : t.has("DIV") && t.in().opcode == "BRA"          ? Kind::jump_if_diverged
                                                                     : Kind::jump;
    t.end().target_address = static_cast<std::uint64_t>(target->value);
    t.end().condition = condition_of(t);
    t.end().any = t.has("ANY");
    t.end().slot = t.constant(all_lanes);
    if (t.end().kind == Kind::jump_if_diverged && t.value_operand(0).kind != OperandKind::target) {
        t.end().slot = t.value(0);
    }
}

// "R20 0x0" or "R20": the register and the constant added to it.
void translate_return(Translator& t) {
    if (t.before_volta()) {
        t.end().kind = Kind::ret;
        return;
    }
    const auto& operand = t.value_operand(0);
    std::string_view text = operand.text;
    const auto space = text.find(' ');
    OperandKind kind = operand.kind;
    int index = operand.index;
    if (operand.kind == OperandKind::other &&
        match_register(text.substr(0, space), kind, index) != NameFit::fits) {
        t.end().kind = Kind::unsupported;
        t.unsupported("has an operand that is not understood");
        return;
    }
    SassOperand base;
    base.kind = kind;
    base.index = index;
    t.end().kind = Kind::indirect;
    t.end().slot = t.register_slot(base);
    if (space != std::string_view::npos) {
        auto digits = text.substr(space + 1);
        const bool negative = digits.starts_with('-');
        digits.remove_prefix(negative ? 1 : 0);
        digits.remove_prefix(digits.starts_with("0x") ? 2 : 0);
        std::uint64_t value = 0;
        std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
        t.end().immediate = static_cast<std::int64_t>(negative ? 0 - value : value);
    }
}

void translate_indirect(Translator& t) {
    t.end().kind = Kind::unsupported;
    t.unsupported("jumps through a table that the listing does not show");
}

void translate_exit(Translator& t) {
    t.end().kind = Kind::exit;
    t.end().condition = condition_of(t);
}

int barrier_register(const Translator& t) {
    for (std::size_t i = 0; i < t.value_count(); ++i) {
        if (t.value_operand(i).kind == OperandKind::barrier_reg) {
            return t.value_operand(i).index;
        }
    }
    return 0;
}

void add_opening(Translator& t, Handler run, Meeting::Kind kind) {
    const auto* target = branch_target(t.in());
    auto op = t.make(run);
    op.always = op.has_target = true;
    op.immediate = target == nullptr ? 0 : target->value;
    op.option = run == &open_barrier ? static_cast<u32>(barrier_register(t)) : static_cast<u32>(kind);
    op.predicate_from[0] = t.predicate(0);
    t.add(op);
}

void translate_bssy(Translator& t) {
    add_opening(t, &open_barrier, Meeting::Kind::sync);
}
void translate_ssy(Translator& t) {
    add_opening(t, &push_meeting, Meeting::Kind::sync);
}
void translate_pbk(Translator& t) {
    add_opening(t, &push_meeting, Meeting::Kind::loop_break);
}
void translate_pcnt(Translator& t) {
    add_opening(t, &push_meeting, Meeting::Kind::loop_continue);
}

void translate_bsync(Translator& t) {
    t.end().kind = Kind::meet;
    t.end().barrier = barrier_register(t);
    t.end().condition = t.predicate(0);
}
void translate_sync(Translator& t) {
    t.end().kind = Kind::meet;
}
void translate_brk(Translator& t) {
    t.end().kind = Kind::loop_break;
}
void translate_cont(Translator& t) {
    t.end().kind = Kind::loop_continue;
}

void translate_break(Translator& t) {
    auto op = t.make(&leave_barrier);
    op.always = true;
    op.option = static_cast<u32>(barrier_register(t));
    op.predicate_from[0] = t.predicate(0);
    t.add(op);
}

// BMOV.32.CLEAR R0, B0 saves a convergence barrier, BMOV.32 B0, R0 restores it.
void translate_bmov(Translator& t) {
    const bool restores = t.value_operand(0).kind == OperandKind::barrier_reg;
    const auto& other = t.value_operand(restores ? 1 : 0);
    if (other.kind != OperandKind::reg || t.has("64") || t.has("PQUAD")) {
        if (!restores && !t.has("64")) {
            return;
        }
        t.unsupported("is not emulated");
        return;
    }
    auto op = t.make(restores ? &restore_barrier : &save_barrier);
    op.always = true;
    op.option = static_cast<u32>(barrier_register(t)) | (t.has("CLEAR") ? clears_barrier : 0);
    const auto slot = t.register_slot(other);
    if (restores) {
        op.from[0] = slot;
    } else {
        op.to[0] = slot == zero_slot ? static_cast<std::uint16_t>(discard_slot) : slot;
    }
    t.add(op);
}

void translate_bar(Translator& t) {
    auto& end = t.end();
    end.kind = Kind::block_barrier;
    end.arrives_only = t.has("ARV");
    end.reduces = t.has("RED");
    end.reduction = t.has("AND") ? 1 : t.has("OR") ? 2 : 0;
    end.slot = t.value(0);
    end.has_count = t.value_count() > 1;
    end.count_slot = t.value(1);
    end.vote = t.predicate(0);
    if (t.has("SCAN")) {
        t.unsupported("is not emulated");
    }
}

// WARPSYNC of a mask; .ALL is all lanes; .COLLECTIVE names a code address too.
void translate_warpsync(Translator& t) {
    t.end().kind = Kind::warp_sync;
    t.end().slot = t.constant(all_lanes);
    t.end().condition = t.predicate(0);
    for (std::size_t i = 0; i < t.value_count(); ++i) {
        const auto kind = t.value_operand(i).kind;
        if (i == 0 && (kind == OperandKind::reg || kind == OperandKind::uniform_reg ||
                       (kind == OperandKind::integer && !t.has("ALL")))) {
            t.end().slot = t.value(i);
        }
    }
}

void translate_cluster_wait(Translator& t) {
    t.end().kind = Kind::block_barrier;
    t.end().slot = t.constant(cluster_barrier_number);
}

// Registers are there whenever a warp asks for them: what others give back first is not modelled.
void translate_setmaxreg(Translator& t) {
    if (t.has("TRY_ALLOC")) {
        auto op = t.make([](Warp& warp, const MicroOp& self, u32 mask) {
            warp.set_predicate(self.predicate_to[0], mask, mask);
        });
        op.predicate_to[0] = t.predicate_result(0);
        t.add(op);
    }
}

void translate_yield(Translator& t) {
    t.end().kind = Kind::yield;
}

void translate_membar(Translator& t) {
    t.end().kind = t.has("CTA") ? Kind::fall : Kind::fence;
}

}  // namespace

const std::vector<OpcodeEntry>& control_opcodes() {
    static const std::vector<OpcodeEntry> entries{
        {"BRA", translate_jump},
        {"JMP", translate_jump},
        {"CALL", translate_jump},
        {"CAL", translate_jump},
        {"JCAL", translate_jump},
        {"RET", translate_return},
        {"BRX", translate_indirect},
        {"JMX", translate_indirect},
        {"PRET", translate_indirect},
        {"EXIT", translate_exit},
        {"KILL", translate_exit},
        {"BPT", translate_exit},
        {"BSSY", translate_bssy},
        {"SSY", translate_ssy},
        {"PBK", translate_pbk},
        {"PCNT", translate_pcnt},
        {"BSYNC", translate_bsync},
        {"SYNC", translate_sync},
        {"BRK", translate_brk},
        {"CONT", translate_cont},
        {"BREAK", translate_break},
        {"BMOV", translate_bmov},
        {"BAR", translate_bar},
        {"UCGABAR_ARV", translate_nothing},
        {"UCGABAR_WAIT", translate_cluster_wait},
        {"WARPSYNC", translate_warpsync},
        {"YIELD", translate_yield},
        {"NANOSLEEP", translate_yield},
        {"NOP", translate_nothing},
        {"MEMBAR", translate_membar},
        {"ERRBAR", translate_nothing},
        {"CCTL", translate_nothing},
        {"DEPBAR", translate_nothing},
        {"TEXDEPBAR", translate_nothing},
        {"LDGDEPBAR", translate_nothing},
        {"CCTLL", translate_nothing},
        {"CCTLT", translate_nothing},
        {"FENCE", translate_nothing},
        {"CGAERRBAR", translate_nothing},
        {"PMTRIG", translate_nothing},
        {"ENDCOLLECTIVE", translate_nothing},
        {"ACQBULK", translate_nothing},
        {"PREEXIT", translate_nothing},
        {"USETMAXREG", translate_setmaxreg},
    };
    return entries;
}

}  // namespace gpumodel::emulate
