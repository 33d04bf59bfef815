// Texture and surface instructions: one micro-operation that reports the access, and one per channel or word.
#include "traces/emulate/operations/lane_operations.h"
#include "traces/emulate/operations/texture_operations.h"
#include "traces/emulate/translate/translator.h"
#include "traces/sass/opcodes/texture_operands.h"

namespace gpumodel::emulate {

namespace {

SassOperand register_operand(OperandKind kind, int index) {
    SassOperand operand;
    operand.kind = kind;
    operand.index = index;
    return operand;
}

std::uint16_t slot_of(const Translator& t, int index) {
    return index == sass_no_register ? static_cast<std::uint16_t>(zero_slot)
                                     : t.register_slot(register_operand(OperandKind::reg, index));
}

std::uint16_t object_slot(Translator& t, const TextureOperands& operands) {
    if (operands.uniform_handle != sass_no_register) {
        return t.register_slot(register_operand(OperandKind::uniform_reg, operands.uniform_handle));
    }
    if (operands.handle != sass_no_register) {
        return slot_of(t, operands.handle);
    }
    SassOperand place;
    place.kind = OperandKind::constant;
    place.value = operands.handle_offset;
    return t.constant_of(place);
}

struct Prepared {
    MicroOp op;
    int access = 0;
};

Prepared prepare(Translator& t, const TextureOperands& operands, Handler run, Access access) {
    access.instruction = t.instruction();
    access.kind = access_kind(t.in().effect->direction);
    access.bytes = t.in().effect->bytes;
    access.texture = t.in().effect->texture;
    access.dimensions = operands.dimensions;
    access.array = operands.array;
    Prepared result{t.make(run), t.add_access(access)};
    for (std::size_t i = 0; i < operands.coordinate.size(); ++i) {
        result.op.from[i] = slot_of(t, operands.coordinate[i]);
    }
    result.op.from[3] = slot_of(t, operands.layer);
    result.op.from[4] = object_slot(t, operands);
    result.op.immediate = result.access;
    return result;
}

void report(Translator& t, MicroOp op) {
    op.run = &report_texture;
    op.always = op.reports = true;
    t.add(op);
}

// Results overwrite coordinates that later channels still need: copies of them.
void keep_sources(Translator& t, MicroOp& op, std::uint16_t first, int count) {
    for (std::size_t k = 0; k < 5; ++k) {
        if (op.from[k] < first || op.from[k] >= first + count || op.from[k] >= zero_slot) {
            continue;
        }
        auto copy = t.make([](Warp& warp, const MicroOp& self, u32 mask) {
            assign(to(warp, self), from(warp, self, 0), mask);
        });
        copy.from[0] = op.from[k];
        copy.to[0] = op.from[k] = t.temporary();
        t.add(copy);
    }
}

int gathered_channel(const Translator& t) {
    constexpr std::string_view names = "RGBA";
    for (const auto& modifier : t.in().modifiers) {
        if (modifier.size() == 1 && names.find(modifier) != std::string_view::npos) {
            return static_cast<int>(names.find(modifier));
        }
    }
    return 0;
}

// Where the n-th channel that is returned goes.
std::uint16_t channel_slot(const Translator& t, int n) {
    constexpr int pair = 2;
    return t.in().effect->results == 1 ? t.result_of(0, n)
           : n < pair                  ? t.result_of(1, n)
                                       : t.result_of(0, n - pair);
}

void translate_texture(Translator& t) {
    const auto operands = texture_operands(t.in(), t.function().isa);
    if (!operands || operands->cube || t.has("MS")) {
        t.unsupported(operands && operands->cube ? "reads a cube map, whose faces are not emulated"
                      : t.has("MS")              ? "reads single samples of a multisampled texture"
                                                 : "has operands that are not emulated");
        return;
    }
    Access access;
    if (t.in().opcode == "TLD4" || t.in().opcode == "TLD4S") {
        access.gathered = gathered_channel(t);
    }
    auto [op, number] = prepare(t, *operands, &load_texture, access);
    report(t, op);
    op.reads_global = true;
    keep_sources(t, op, 0, zero_slot);
    int n = 0;
    for (u32 channel = 0; channel < 4; ++channel) {
        if ((operands->channels >> channel & 1U) != 0) {
            op.option = channel;
            op.to[0] = channel_slot(t, n++);
            t.add(op);
        }
    }
}

Access surface_access(const Translator& t) {
    Access access;
    access.outside = t.has("TRAP")  ? Access::Outside::trap
                     : t.has("IGN") ? Access::Outside::ignore
                                    : Access::Outside::clamp;
    access.sign_extended = t.has("S8") || t.has("S16");
    return access;
}

int words_of(const Translator& t) {
    return std::max(1, t.in().effect->bytes / 4);
}

void translate_surface_load(Translator& t) {
    const auto operands = texture_operands(t.in(), t.function().isa);
    if (!operands || !t.has("D")) {
        t.unsupported("has a form that is not emulated");
        return;
    }
    auto [op, number] = prepare(t, *operands, &load_texture, surface_access(t));
    report(t, op);
    op.reads_global = true;
    keep_sources(t, op, 0, zero_slot);
    for (int word = 0; word < words_of(t); ++word) {
        op.option = static_cast<u32>(word);
        op.to[0] = t.result(word);
        t.add(op);
    }
}

// The first register among the sources that is no address.
const SassOperand* data_operand(const Translator& t) {
    for (const auto& operand : t.in().operands) {
        if (operand.kind == OperandKind::reg) {
            return &operand;
        }
    }
    return nullptr;
}

void translate_surface_store(Translator& t) {
    const auto operands = texture_operands(t.in(), t.function().isa);
    const auto* data = data_operand(t);
    if (!operands || data == nullptr || !t.has("D")) {
        t.unsupported("has a form that is not emulated");
        return;
    }
    auto [op, number] = prepare(t, *operands, &store_surface, surface_access(t));
    report(t, op);
    op.writes_global = true;
    for (int word = 0; word < words_of(t); ++word) {
        op.option = static_cast<u32>(word);
        op.from[5] = t.register_slot(*data, word);
        t.add(op);
    }
}

void translate_surface_reduction(Translator& t) {
    t.unsupported("reduces on a surface: counted, its values are not emulated");
    if (const auto operands = texture_operands(t.in(), t.function().isa)) {
        report(t, prepare(t, *operands, &report_texture, surface_access(t)).op);
    }
}

void translate_query(Translator& t) {
    const auto& in = t.in();
    TextureOperands object;
    std::vector<const SassOperand*> integers;
    for (const auto& operand : in.operands) {
        if (operand.kind == OperandKind::integer) {
            integers.push_back(&operand);
        } else if (operand.kind == OperandKind::uniform_reg) {
            object.uniform_handle = operand.index;
        }
    }
    const bool dimension =
        std::any_of(in.operands.begin(), in.operands.end(),
                    [](const SassOperand& operand) { return operand.text == "TEX_HEADER_DIMENSION"; });
    constexpr u32 extents = 3;
    const auto channels = integers.empty() ? 0U : static_cast<u32>(integers.back()->value);
    if (!dimension || channels == 0 || channels >= 1U << extents) {
        t.unsupported("asks for something that is not emulated");
        return;
    }
    if (object.uniform_handle == sass_no_register) {
        const bool bindless = t.has("B");
        if (bindless) {
            object.handle = t.value_operand(0).index;
        } else {
            object.handle_offset = 4 * integers[integers.size() - 2]->value;
        }
    }
    auto [op, number] = prepare(t, object, &query_texture, {});
    int n = 0;
    for (u32 axis = 0; axis < extents; ++axis) {
        if ((channels >> axis & 1U) != 0) {
            op.option = axis;
            op.to[0] = channel_slot(t, n++);
            t.add(op);
        }
    }
}

}  // namespace

const std::vector<OpcodeEntry>& texture_opcodes() {
    static const std::vector<OpcodeEntry> entries{
        {"TEX", translate_texture},
        {"TLD", translate_texture},
        {"TLD4", translate_texture},
        {"TXD", translate_texture},
        {"TEXS", translate_texture},
        {"TLDS", translate_texture},
        {"TLD4S", translate_texture},
        {"TXQ", translate_query},
        {"SULD", translate_surface_load},
        {"SUST", translate_surface_store},
        {"SURED", translate_surface_reduction},
        {"SUATOM", translate_surface_reduction},
    };
    return entries;
}

}  // namespace gpumodel::emulate
