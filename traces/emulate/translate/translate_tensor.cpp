// Matrix products of a warp, and moves of 8x8 matrices.
#include <algorithm>
#include <optional>

#include "traces/emulate/operations/lane_operations.h"
#include "traces/emulate/operations/tensor_operations.h"
#include "traces/emulate/translate/memory_translation.h"
#include "traces/emulate/translate/translator.h"
#include "traces/sass/opcodes/matrix_operands.h"

namespace gpumodel::emulate {

namespace {

bool overlap(const SassOperand& a, const SassOperand& b) {
    return a.index != sass_rz && b.index != sass_rz && a.index < b.index + b.width &&
           b.index < a.index + a.width;
}

// Where the parts of a product's result go: its registers, or temporaries where an operation of the same
// instruction still has to read these.
class Results {
public:
    explicit Results(Translator& t) : t_(t) {
        const auto& d = t.in().operands.front();
        const auto& c = t.value_operand(2);
        kept_ = overlap(d, t.value_operand(0)) || overlap(d, t.value_operand(1)) ||
                (overlap(d, c) && d.index != c.index);
        for (int part = 0; part < d.width; ++part) {
            slots_.push_back(kept_ ? t.temporary() : t.result(part));
        }
    }
    [[nodiscard]] std::uint16_t at(int part) const { return slots_[static_cast<std::size_t>(part)]; }
    void finish() {
        for (std::size_t part = 0; kept_ && part < slots_.size(); ++part) {
            auto copy = t_.make(&map1<[](u32 x) { return x; }>);
            copy.from[0] = slots_[part];
            copy.to[0] = t_.result(static_cast<int>(part));
            t_.add(copy);
        }
    }

private:
    Translator& t_;
    bool kept_ = false;
    std::vector<std::uint16_t> slots_;
};

// Registers without signs, A along K in rows and B in columns, as compilers for sm_75 and later have them.
bool plain_operands(const Translator& t, bool orders_allowed) {
    for (std::size_t i = 0; i < 3; ++i) {
        const auto& operand = t.value_operand(i);
        const bool order = operand.text.empty() || operand.text == (i == 0 ? "ROW" : "COL") ||
                           (orders_allowed && (operand.text == "ROW" || operand.text == "COL"));
        if (operand.kind != OperandKind::reg || operand.negated || operand.absolute || !order) {
            return false;
        }
    }
    return t.value_count() == 3;
}

// The modifiers behind the shape; false if there are others.
bool only_modifiers(const Translator& t, std::initializer_list<std::string_view> allowed) {
    const auto& modifiers = t.in().modifiers;
    return std::all_of(modifiers.begin() + 1, modifiers.end(), [&](const std::string& modifier) {
        return std::find(allowed.begin(), allowed.end(), modifier) != allowed.end();
    });
}

// Two operations for 16 rows, one for 8; chunks of A alternate between the upper and the lower rows.
void add_rows(Translator& t, const TensorProduct& product) {
    const auto& d = t.in().operands.front();
    const int chunks = t.value_operand(1).width;
    const int halves = t.value_operand(0).width / chunks;
    const int sums = d.width / halves;
    Results results(t);
    for (int half = 0; half < halves; ++half) {
        auto op = t.make(&multiply_rows);
        op.option = product.packed(chunks);
        for (int c = 0; c < chunks; ++c) {
            op.from[static_cast<std::size_t>(c)] = t.raw_value(0, half + halves * c);
            op.from[static_cast<std::size_t>(2 + c)] = t.raw_value(1, c);
        }
        for (int s = 0; s < sums; ++s) {
            op.from[static_cast<std::size_t>(4 + s)] = t.raw_value(2, half * sums + s);
            op.to[static_cast<std::size_t>(s)] = results.at(half * sums + s);
        }
        t.add(op);
    }
    results.finish();
}

void add_steps(Translator& t, int step) {
    auto op = t.make(&multiply_quad_pairs);
    op.option = static_cast<u32>(step);
    op.option |= t.value_operand(0).text == "COL" ? quad_pair_a_columns : 0;
    op.option |= t.value_operand(1).text == "COL" ? quad_pair_b_columns : 0;
    op.option |= t.has("F16") ? quad_pair_f16 : 0;
    for (int part = 0; part < 2; ++part) {
        const auto at = static_cast<std::size_t>(part);
        op.from[at] = t.raw_value(0, part);
        op.from[2 + at] = t.raw_value(1, part);
        op.from[4 + at] = t.raw_value(2, part);
        op.to[at] = t.result(part);
    }
    t.add(op);
}

void translate_hmma_884(Translator& t) {
    const auto& modifiers = t.in().modifiers;
    constexpr std::string_view step = "STEP";
    const bool whole = modifiers.size() == 4 && modifiers[3].size() == step.size() + 1 &&
                       modifiers[3].starts_with(step) && modifiers[3].back() >= '0' &&
                       modifiers[3].back() <= '3';
    if (!whole || !plain_operands(t, true)) {
        t.unsupported("is not emulated");
        return;
    }
    add_steps(t, modifiers[3].back() - '0');
}

void translate_hmma(Translator& t) {
    if (t.has("884")) {
        translate_hmma_884(t);
        return;
    }
    if (!plain_operands(t, false) || !only_modifiers(t, {"F16", "F32", "BF16", "TF32"})) {
        t.unsupported("is not emulated");
        return;
    }
    const auto element = t.has("BF16")   ? TensorElement::bf16
                         : t.has("TF32") ? TensorElement::tf32
                                         : TensorElement::f16;
    add_rows(t, {element, element, t.has("F32") ? TensorSum::f32 : TensorSum::f16});
}

std::optional<TensorElement> integer_element(std::string_view name) {
    return name == "S8"   ? std::optional(TensorElement::s8)
           : name == "U8" ? std::optional(TensorElement::u8)
           : name == "S4" ? std::optional(TensorElement::s4)
           : name == "U4" ? std::optional(TensorElement::u4)
                          : std::nullopt;
}

void translate_imma(Translator& t) {
    const auto& modifiers = t.in().modifiers;
    const auto a = modifiers.size() > 2 ? integer_element(modifiers[1]) : std::nullopt;
    const auto b = modifiers.size() > 2 ? integer_element(modifiers[2]) : std::nullopt;
    if (!a || !b || !plain_operands(t, false) || !only_modifiers(t, {"S8", "U8", "S4", "U4", "SAT"})) {
        t.unsupported("is not emulated");
        return;
    }
    add_rows(t, {*a, *b, t.has("SAT") ? TensorSum::s32_saturated : TensorSum::s32});
}

void translate_bmma(Translator& t) {
    const bool exclusive = t.has("XOR");
    if (!t.has("POPC") || (!exclusive && !t.has("AND")) || !plain_operands(t, false) ||
        !only_modifiers(t, {"AND", "XOR", "POPC"})) {
        t.unsupported("is not emulated");
        return;
    }
    const auto element = exclusive ? TensorElement::b1_xor : TensorElement::b1_and;
    add_rows(t, {element, element, TensorSum::s32});
}

// Blocks of four k, each on top of the one before.
void translate_dmma(Translator& t) {
    if (!plain_operands(t, false) || !only_modifiers(t, {})) {
        t.unsupported("is not emulated");
        return;
    }
    const int blocks = t.value_operand(1).width / 2;
    const int halves = t.value_operand(0).width / 2 / blocks;
    Results results(t);
    for (int block = 0; block < blocks; ++block) {
        for (int number = 0; number < 2 * halves; ++number) {
            auto op = t.make(&multiply_doubles);
            op.option = static_cast<u32>(number % 2);
            for (int part = 0; part < 2; ++part) {
                const auto at = static_cast<std::size_t>(part);
                op.from[at] = t.raw_value(0, 2 * (number / 2 + halves * block) + part);
                op.from[2 + at] = t.raw_value(1, 2 * block + part);
                op.to[at] = results.at(2 * number + part);
                op.from[4 + at] = block == 0 ? t.raw_value(2, 2 * number + part) : op.to[at];
            }
            t.add(op);
        }
    }
    results.finish();
}

void translate_movm(Translator& t) {
    if (!t.has("MT88") || !t.has("16") || t.in().modifiers.size() != 2) {
        t.unsupported("is not emulated");
        return;
    }
    t.add(t.simple(&transpose_matrix, 1));
}

// LDSM and STSM of 16-bit matrices; the first lanes name their rows, eight per matrix.
std::optional<Memory> report_rows(Translator& t) {
    const bool known = t.has("16") && (t.has("M88") || t.has("MT88"));
    auto memory = report_access(t);
    if (!known) {
        t.unsupported("is not emulated");
        return std::nullopt;
    }
    return memory;
}

u32 matrix_option(const Translator& t, int matrix) {
    return static_cast<u32>(matrix) | (t.has("MT88") ? matrix_transposed : 0);
}

void translate_ldsm(Translator& t) {
    if (const auto memory = report_rows(t)) {
        auto op = data_op(t, *memory, &load_matrix);
        op.reads_shared = true;
        const int matrices = matrix_count(t.in());
        keep_address(t, op, matrices);
        for (int matrix = 0; matrix < matrices; ++matrix) {
            op.option = matrix_option(t, matrix);
            op.to[0] = t.result(matrix);
            t.add(op);
        }
    }
}

void translate_stsm(Translator& t) {
    if (const auto memory = report_rows(t)) {
        auto op = data_op(t, *memory, &store_matrix);
        op.writes_shared = true;
        for (int matrix = 0; matrix < matrix_count(t.in()); ++matrix) {
            op.option = matrix_option(t, matrix);
            op.from[4] = t.raw_value(first_data(t), matrix);
            t.add(op);
        }
    }
}

}  // namespace

const std::vector<OpcodeEntry>& tensor_opcodes() {
    static const std::vector<OpcodeEntry> entries{
        {"HMMA", translate_hmma}, {"IMMA", translate_imma}, {"BMMA", translate_bmma},
        {"DMMA", translate_dmma}, {"MOVM", translate_movm}, {"LDSM", translate_ldsm},
        {"STSM", translate_stsm},
    };
    return entries;
}

}  // namespace gpumodel::emulate
