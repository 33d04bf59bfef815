// Products of a warp group's matrices, and what orders them.
#include <algorithm>
#include <optional>

#include "traces/emulate/operations/group_operations.h"
#include "traces/emulate/translate/translator.h"
#include "traces/sass/opcodes/matrix_operands.h"

namespace gpumodel::emulate {

namespace {

bool overlap(const SassOperand& a, const SassOperand& b) {
    return a.index != sass_rz && b.index != sass_rz && a.index < b.index + b.width &&
           b.index < a.index + a.width;
}

bool has_suffix(const Translator& t, std::string_view suffix) {
    return std::any_of(t.in().operands.begin(), t.in().operands.end(), [&](const SassOperand& operand) {
        return is_matrix_descriptor(operand) && operand.text.find(suffix) != std::string::npos;
    });
}

std::optional<TensorElement> integer_element(const std::string& name) {
    return name == "S8"   ? std::optional(TensorElement::s8)
           : name == "U8" ? std::optional(TensorElement::u8)
                          : std::nullopt;
}

// HGMMA.64xNxK.F32, .F16, .F32.BF16, .F32.TF32; IGMMA.64xNx32.S8.S8[.SAT]
std::optional<TensorProduct> product_of(const Translator& t) {
    const auto& m = t.in().modifiers;
    const auto k = group_shape(t.in()).value_or(GroupShape{}).k;
    const auto rest = m.size() > 2 ? m[2] : std::string();
    if (t.in().opcode == "IGMMA") {
        const auto a = m.size() > 2 ? integer_element(m[1]) : std::nullopt;
        const auto b = m.size() > 2 ? integer_element(m[2]) : std::nullopt;
        const bool saturates = m.size() == 4 && m[3] == "SAT";
        return a && b && k == 32 && (m.size() == 3 || saturates)
                   ? std::optional(
                         TensorProduct{*a, *b, saturates ? TensorSum::s32_saturated : TensorSum::s32})
                   : std::nullopt;
    }
    const auto sum = m.size() > 1 && m[1] == "F16" ? TensorSum::f16 : TensorSum::f32;
    const auto element = rest == "TF32"   ? TensorElement::tf32
                         : rest == "BF16" ? TensorElement::bf16
                                          : TensorElement::f16;
    const bool known = m.size() > 1 && m.size() < 4 && (m[1] == "F32" || (m[1] == "F16" && rest.empty())) &&
                       (rest.empty() || element != TensorElement::f16);
    return known && k == (element == TensorElement::tf32 ? 8 : 16)
               ? std::optional(TensorProduct{element, element, sum})
               : std::nullopt;
}

// D, [A, ] descriptors, C as D or RZ [, whether C counts][, gsb0]
bool operands_fit(const Translator& t, bool a_in_registers) {
    const auto& d = t.in().operands.front();
    const std::size_t at = a_in_registers ? 1 : 0;
    const auto& c = t.value_operand(at + 1);
    return is_matrix_descriptor(t.value_operand(at)) && c.kind == OperandKind::reg && d.text.empty() &&
           (c.index == d.index || c.index == sass_rz) &&
           (!a_in_registers || (t.value_operand(0).kind == OperandKind::reg &&
                                t.value_operand(0).text.empty() && !overlap(t.value_operand(0), d)));
}

void translate_group_product(Translator& t) {
    const auto timing = group_product(t.in());
    const auto product = product_of(t);
    const bool from_registers = timing.a_in_registers;
    const std::size_t at = from_registers ? 1 : 0;
    if (!product || !operands_fit(t, from_registers)) {
        t.unsupported("is not emulated");
        return;
    }
    GroupPart part;
    part.a_in_registers = from_registers;
    part.a_transposed = has_suffix(t, "tnspA");
    part.b_transposed = has_suffix(t, "tnspB");
    part.negative = has_suffix(t, "negA") != has_suffix(t, "negB");
    const int sums = product->sum == TensorSum::f16 ? 1 : 2;
    for (int column = 0; column < timing.columns; column += 8) {
        for (int half = 0; half < 2; ++half) {
            auto op = t.make(&multiply_group);
            op.uniform = false;
            op.option = product->packed(2);
            part.column = column;
            part.half = half;
            op.immediate = part.packed();
            op.reads_shared = true;
            op.predicate_from[0] = t.predicate(0);
            for (int word = 0; word < 2; ++word) {
                const auto w = static_cast<std::size_t>(word);
                op.from[w] = t.raw_value(0, from_registers ? half + 2 * word : word);
                op.from[2 + w] = t.raw_value(at, 2 + word);
                if (word < sums) {
                    const int sum = (column / 8 * 2 + half) * sums + word;
                    op.from[4 + w] = t.raw_value(at + 1, sum);
                    op.to[w] = t.result(sum);
                }
            }
            t.add(op);
        }
    }
}

void translate_8_bit_floats(Translator& t) {
    t.unsupported("multiplies numbers of 8 bits, which is not emulated");
}

void translate_single_bits(Translator& t) {
    t.unsupported("multiplies single bits, which is not emulated for warp groups");
}

// ARRIVE, DEPBAR: products are done when they are met, and in order.
void translate_order(Translator&) {}

}  // namespace

const std::vector<OpcodeEntry>& group_opcodes() {
    static const std::vector<OpcodeEntry> entries{
        {"HGMMA", translate_group_product}, {"IGMMA", translate_group_product},
        {"QGMMA", translate_8_bit_floats},  {"BGMMA", translate_single_bits},
        {"WARPGROUP", translate_order},     {"WARPGROUPSET", translate_order},
    };
    return entries;
}

}  // namespace gpumodel::emulate
