#include "traces/sass/reader/undisassembled.h"

#include <fmt/format.h>

#include <optional>

#include "traces/sass/reader/control_word.h"
#include "traces/sass/reader/undisassembled_half.h"

namespace gpumodel {

namespace {

// Layout of the 128-bit encodings (Jia et al. 2018): opcode 0-11, guard 12-14 with its negation 15,
// destination 16-23, first source 24-31, second source 32-63 (an immediate, or a register in its low bits).
std::uint64_t field(std::uint64_t word, int first, int bits) {
    return (word >> first) & ((std::uint64_t{1} << bits) - 1);
}

SassOperand register_operand(OperandKind kind, std::uint64_t index) {
    SassOperand operand;
    operand.kind = kind;
    operand.index = static_cast<int>(index);
    return operand;
}

SassOperand immediate_operand(std::uint64_t bits) {
    SassOperand operand;
    operand.kind = OperandKind::integer;
    operand.value = static_cast<std::int64_t>(bits);
    return operand;
}

// Modifiers in the upper word. Source: PTX statements (validate/instructions/ptx_forms.py) by CUDA 13.0's
// assembler for sm_90, whose encodings differ in one property each.
constexpr int third_first = 64, third_bits = 8;
constexpr int signed_bit = 72, halves_bit = 73, relu_bit = 76;
constexpr int moved_negated_bit = 75;  // of VIADDMNMX's second source, where the third is an immediate
constexpr int predicate_results_first = 81, predicate_results_bits = 6;
constexpr int predicate_first = 87, predicate_inverted_bit = 90, uniform_bit = 91;
constexpr int control_first = 105;
constexpr int second_negated_bit = 63;  // of the lower word

struct Known {
    std::uint64_t opcode;  // without its form, bits 8-11
    const char* name;
    bool sums, chooses, third;
};
constexpr Known known_opcodes[] = {
    {0x36, "VIADD", true, false, false},
    {0x46, "VIADDMNMX", true, true, true},
    {0x48, "VIMNMX", false, true, false},
    {0x0f, "VIMNMX3", false, true, true},
};

// Where the operand that is no register stands: 2 none, 8 immediate second, 4 immediate third, c uniform
// second, e uniform third.
enum class Form : std::uint64_t {
    registers = 2,
    third_immediate = 4,
    immediate = 8,
    uniform = 12,
    third_uniform = 14
};

class Decoder {
public:
    explicit Decoder(const std::array<std::uint64_t, 2>& encoding) : low_(encoding[0]), high_(encoding[1]) {}

    // The known opcode, if all that its encoding says is understood.
    [[nodiscard]] const Known* opcode() const {
        for (const auto& known : known_opcodes) {
            if (field(low_, 0, 8) == known.opcode && is_plain(known)) {
                return &known;
            }
        }
        return nullptr;
    }

    void decode(const Known& known, SassInstruction& instruction) const {
        instruction.opcode = known.name;
        instruction.modifiers = modifiers(known);
        const auto reuse = volta_control(high_).reuse;
        auto& operands = instruction.operands;
        operands = {register_operand(OperandKind::reg, field(low_, 16, 8)),
                    register_operand(OperandKind::reg, field(low_, 24, 8))};
        auto third = register_operand(OperandKind::reg, upper(third_first, third_bits));
        // with a third source that is no register the one in its place is the second
        const bool moved = third_is_apart();
        third.negated = moved && known.sums && upper(moved_negated_bit, 1) != 0;
        operands.push_back(moved ? third : second());
        if (known.third) {
            operands.push_back(moved ? second() : third);
        }
        operands[1].reuse = (reuse & 1U) != 0;
        operands[2].reuse = (reuse & 2U) != 0;
        if (known.chooses) {
            operands.push_back(register_operand(OperandKind::predicate, upper(predicate_first, 3)));
            operands.back().inverted = upper(predicate_inverted_bit, 1) != 0;
        }
    }

private:
    [[nodiscard]] std::uint64_t upper(int first, int bits) const { return field(high_, first - 64, bits); }
    [[nodiscard]] Form form() const { return static_cast<Form>(field(low_, 8, 4)); }

    [[nodiscard]] bool third_is_apart() const {
        return form() == Form::third_immediate || form() == Form::third_uniform;
    }
    [[nodiscard]] bool is_uniform() const { return form() == Form::uniform || form() == Form::third_uniform; }

    [[nodiscard]] bool is_plain(const Known& known) const {
        const auto mask = [](int first, int bits) {
            return ((std::uint64_t{1} << bits) - 1) << (first - 64);
        };
        std::uint64_t open = mask(halves_bit, 1);
        open |= known.chooses ? mask(signed_bit, 1) | mask(relu_bit, 1) | mask(predicate_first, 4) : 0;
        open |= known.third ? mask(third_first, third_bits) : 0;
        open |= known.sums && third_is_apart() ? mask(moved_negated_bit, 1) : 0;
        // VIMNMX has two predicate results, PT
        const auto fixed =
            known.chooses && !known.third ? mask(predicate_results_first, predicate_results_bits) : 0;
        const auto uniform = is_uniform() ? mask(uniform_bit, 1) : 0;
        const bool form_fits = form() == Form::registers || form() == Form::immediate ||
                               form() == Form::uniform || (third_is_apart() && known.third);
        return form_fits && (field(high_, 0, control_first - 64) & ~open) == (fixed | uniform);
    }

    [[nodiscard]] std::vector<std::string> modifiers(const Known& known) const {
        const bool is_signed = upper(signed_bit, 1) != 0;
        std::vector<std::string> list;
        if (upper(halves_bit, 1) != 0) {
            list.emplace_back(!known.chooses ? "16x2" : is_signed ? "S16x2" : "U16x2");
        } else if (known.chooses && !is_signed) {
            list.emplace_back("U32");
        }
        if (known.chooses && upper(relu_bit, 1) != 0) {
            list.emplace_back("RELU");
        }
        return list;
    }

    // The operand in bits 32-63.
    [[nodiscard]] SassOperand second() const {
        if (form() == Form::immediate || form() == Form::third_immediate) {
            return immediate_operand(field(low_, 32, 32));
        }
        auto operand = is_uniform() ? register_operand(OperandKind::uniform_reg, field(low_, 32, 6))
                                    : register_operand(OperandKind::reg, field(low_, 32, 8));
        operand.negated = field(low_, second_negated_bit, 1) != 0;
        return operand;
    }

    std::uint64_t low_, high_;
};

}  // namespace

SassInstruction decode_undisassembled(const std::array<std::uint64_t, 2>& encoding) {
    SassInstruction instruction;
    const auto low = encoding[0];
    instruction.encoding = encoding;
    instruction.guard.predicate = static_cast<int>(field(low, 12, 3));
    instruction.guard.negated = field(low, 15, 1) != 0;
    const Decoder decoder(encoding);
    if (const auto* known = decoder.opcode()) {
        decoder.decode(*known, instruction);
    } else if (!decode_half_choice(encoding, instruction)) {
        instruction.opcode = fmt::format("OPCODE_{:#05x}", field(low, 0, 12));
    }
    return instruction;
}

}  // namespace gpumodel
