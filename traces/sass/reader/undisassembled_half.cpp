#include "traces/sass/reader/undisassembled_half.h"

#include "traces/sass/reader/control_word.h"

namespace gpumodel {

namespace {

// Source of all bits: PTX min and max on f16x2 and bf16x2, with signs, .NaN and single halves of registers,
// by CUDA 13.0's assembler for sm_90, which joins two of them; HMNMX2, which is listed, has the same in the
// same places but for the third source. .FTZ and .XORSIGN are not joined and so not known here.
constexpr std::uint64_t opcode_registers = 0x247, opcode_immediate = 0x847;

struct SourceBits {
    int half, absolute, negated;  // the first bit of two, and one bit each
};
constexpr SourceBits first_source{74, 73, 72}, second_source{60, 62, 63}, third_source{76, 83, 84};
constexpr int nan_bit = 81, bfloats_bit = 85, choice_first = 87, choice_inverted_bit = 90, control_bit = 105;

class HalfChoice {
public:
    explicit HalfChoice(const std::array<std::uint64_t, 2>& encoding) : words_(encoding) {}

    [[nodiscard]] bool is_understood() const {
        return (bits(0, 12) == opcode_registers || bits(0, 12) == opcode_immediate) && rest_is_clear() &&
               half_is_known(first_source) && half_is_known(third_source) &&
               (has_immediate() || (half_is_known(second_source) && bits(40, 20) == 0));
    }

    void decode(SassInstruction& instruction) const {
        instruction.opcode = "VHMNMX";
        if (bits(bfloats_bit, 1) != 0) {
            instruction.modifiers.emplace_back("BF16_V2");
        }
        if (bits(nan_bit, 1) != 0) {
            instruction.modifiers.emplace_back("NAN");
        }
        SassOperand result;
        result.kind = OperandKind::reg;
        result.index = static_cast<int>(bits(16, 8));
        instruction.operands = {result, source(24, first_source), second(), source(64, third_source),
                                choice()};
        const auto reuse = volta_control(words_[1]).reuse;
        for (std::size_t i = 0; i < 3; ++i) {
            instruction.operands[i + 1].reuse = (reuse >> i & 1U) != 0;
        }
    }

private:
    // Fields do not run across the words.
    [[nodiscard]] std::uint64_t bits(int first, int count) const {
        return words_[first >= 64 ? 1 : 0] >> (first % 64) & ((std::uint64_t{1} << count) - 1);
    }
    [[nodiscard]] bool has_immediate() const { return bits(0, 12) == opcode_immediate; }
    // 0 both, 2 the lower, 3 the upper one for both
    [[nodiscard]] bool half_is_known(const SourceBits& place) const { return bits(place.half, 2) != 1; }

    [[nodiscard]] bool rest_is_clear() const {
        return bits(78, 3) == 0 && bits(82, 1) == 0 && bits(86, 1) == 0 &&
               bits(choice_inverted_bit + 1, control_bit - choice_inverted_bit - 1) == 0;
    }

    [[nodiscard]] SassOperand source(int first, const SourceBits& place) const {
        SassOperand operand;
        operand.kind = OperandKind::reg;
        operand.index = static_cast<int>(bits(first, 8));
        operand.absolute = bits(place.absolute, 1) != 0;
        operand.negated = bits(place.negated, 1) != 0;
        const auto half = bits(place.half, 2);
        operand.text = half == 2 ? "H0_H0" : half == 3 ? "H1_H1" : "";
        return operand;
    }

    // An immediate holds both halves as they are.
    [[nodiscard]] SassOperand second() const {
        if (!has_immediate()) {
            return source(32, second_source);
        }
        SassOperand operand;
        operand.kind = OperandKind::integer;
        operand.value = static_cast<std::int64_t>(bits(32, 32));
        return operand;
    }

    [[nodiscard]] SassOperand choice() const {
        SassOperand operand;
        operand.kind = OperandKind::predicate;
        operand.index = static_cast<int>(bits(choice_first, 3));
        operand.inverted = bits(choice_inverted_bit, 1) != 0;
        return operand;
    }

    const std::array<std::uint64_t, 2>& words_;
};

}  // namespace

bool decode_half_choice(const std::array<std::uint64_t, 2>& encoding, SassInstruction& instruction) {
    const HalfChoice choice(encoding);
    if (!choice.is_understood()) {
        return false;
    }
    choice.decode(instruction);
    return true;
}

}  // namespace gpumodel
