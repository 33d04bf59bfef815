#include "traces/sass/opcodes/texture_operands.h"

#include <algorithm>
#include <bit>
#include <map>
#include <vector>

namespace gpumodel {

namespace {

struct Shape {
    int dimensions = 0;
    bool array = false, cube = false;
};

std::optional<Shape> shape_of(std::string_view name) {
    static const std::map<std::string_view, Shape> shapes{{"1D", {1}},
                                                          {"2D", {2}},
                                                          {"3D", {3}},
                                                          {"CUBE", {3, false, true}},
                                                          {"ARRAY_1D", {1, true}},
                                                          {"ARRAY_2D", {2, true}},
                                                          {"ARRAY_CUBE", {3, true, true}},
                                                          {"1D_ARRAY", {1, true}},
                                                          {"2D_ARRAY", {2, true}}};
    const auto found = shapes.find(name);
    return found == shapes.end() ? std::nullopt : std::optional(found->second);
}

bool is_one_of(const std::string& opcode, std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), opcode) != names.end();
}

void set_handle(const std::vector<const SassOperand*>& integers,
                const std::vector<const SassOperand*>& uniform, SassIsa isa, TextureOperands& result) {
    constexpr std::int64_t word = 4;
    if (!uniform.empty()) {
        result.uniform_handle = uniform.front()->index;
    } else if (isa == SassIsa::volta && integers.size() == 2 && integers[0]->value == 0) {
        result.handle_offset = word * integers[1]->value;
    } else if (is_before_volta(isa) && !integers.empty() && integers[0]->value != 0) {
        result.handle_offset = word * integers[0]->value;
    }
}

// Registers from two operands, `first` of them from the first.
class Values {
public:
    Values(const std::vector<const SassOperand*>& registers, int first)
        : registers_(registers), first_(first) {}
    int next() {
        const int at = taken_++;
        const std::size_t which = at < first_ ? 0 : 1;
        if (which >= registers_.size()) {
            lacking_ = true;
            return sass_no_register;
        }
        const int index = registers_[which]->index;
        return index == sass_rz ? sass_rz : index + (which == 0 ? at : at - first_);
    }
    [[nodiscard]] bool lacking() const { return lacking_; }
    [[nodiscard]] int taken() const { return taken_; }

private:
    const std::vector<const SassOperand*>& registers_;
    int first_, taken_ = 0;
    bool lacking_ = false;
};

void take_coordinates(Values& values, TextureOperands& result) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(result.dimensions); ++i) {
        result.coordinate[i] = values.next();
    }
}

// The lists of the header.
bool assign(const SassInstruction& in, SassIsa isa, const std::vector<const SassOperand*>& registers,
            TextureOperands& result) {
    const bool in_register = result.handle_offset < 0 && result.uniform_handle == sass_no_register;
    const bool has_level = in.has_modifier("LL");
    const bool derivatives = in.opcode == "TXD";
    const int coordinates = result.dimensions + (result.array ? 1 : 0);
    const int all = coordinates + (in_register ? 1 : 0) + (has_level ? 1 : 0);
    const bool is_kepler = isa == SassIsa::kepler;
    const bool halves = !is_kepler && in.has_modifier("SCR");
    if (halves && all > 4) {
        return false;
    }
    const int first = is_kepler ? 4 : halves ? (all + 1) / 2 : coordinates;
    if (derivatives && in_register) {
        return false;  // not seen in code with known arguments
    }
    Values values(registers, first);
    if (is_kepler && in_register) {
        result.handle = values.next();
    }
    const bool layer_last = derivatives && !is_kepler;
    if (result.array && !layer_last) {
        result.layer = values.next();
    }
    take_coordinates(values, result);
    if (result.array && layer_last) {
        result.layer = values.next();
    }
    if (!is_kepler && in_register) {
        result.handle = values.next();
    }
    if (has_level) {
        result.level = values.next();
    }
    result.first_width = std::min(first, values.taken());
    result.second_width = derivatives ? 2 * result.dimensions : std::max(0, values.taken() - first);
    return !values.lacking();
}

std::optional<TextureOperands> of_surface(const SassInstruction& in, SassIsa isa) {
    TextureOperands result;
    std::optional<Shape> shape;
    for (const auto& modifier : in.modifiers) {
        shape = shape ? shape : shape_of(modifier);
    }
    std::vector<const SassOperand*> integers, uniform, registers;
    const SassOperand* address = nullptr;
    for (const auto& operand : in.operands) {
        if (operand.kind == OperandKind::memory) {
            address = &operand;
        }
        auto* list = operand.kind == OperandKind::integer       ? &integers
                     : operand.kind == OperandKind::uniform_reg ? &uniform
                     : operand.kind == OperandKind::reg         ? &registers
                                                                : nullptr;
        if (list != nullptr) {
            list->push_back(&operand);
        }
    }
    if (!shape || address == nullptr || address->base == sass_no_register) {
        return std::nullopt;
    }
    result.dimensions = shape->dimensions;
    result.array = shape->array;
    set_handle(integers, uniform, isa, result);
    if (result.handle_offset < 0 && result.uniform_handle == sass_no_register && !registers.empty()) {
        result.handle = registers.back()->index;
    }
    const auto at = [&](int i) { return address->base == sass_rz ? sass_rz : address->base + i; };
    for (int i = 0; i < result.dimensions; ++i) {
        result.coordinate[static_cast<std::size_t>(i)] = at(i);
    }
    result.layer = result.array ? at(result.dimensions) : sass_no_register;
    result.first_width = result.dimensions + (result.array ? 1 : 0);
    return result;
}

bool is_short(const SassInstruction& instruction) {
    return is_one_of(instruction.opcode, {"TEXS", "TLDS", "TLD4S"});
}

std::size_t result_operands(const SassInstruction& instruction, SassIsa isa) {
    return is_before_volta(isa) && !is_short(instruction) ? 1 : 2;
}

// "RG": the channels of TEXS and TLDS.
unsigned channels_named(std::string_view name) {
    constexpr std::string_view all = "RGBA";
    unsigned channels = 0;
    for (const char c : name) {
        const auto at = all.find(c);
        if (at == std::string_view::npos) {
            return 0;
        }
        channels |= 1U << at;
    }
    return channels;
}

// How many of the layer, coordinates and level stand in the first source (the list of the header).
int first_of_short(const SassInstruction& in, const Shape& shape) {
    const bool fetches = in.opcode == "TLDS";
    if (in.opcode == "TEXS" && !in.has_modifier("LL")) {
        return shape.dimensions + (shape.array ? 1 : 0) - 1;
    }
    if (fetches && shape.array) {
        return 1;
    }
    return in.opcode == "TLD4S" ? 1 : std::min(2, shape.dimensions);
}

// Depth comparison, offsets and multisampling put other values among the sources.
std::optional<TextureOperands> of_short(const SassInstruction& in, SassIsa isa) {
    std::optional<Shape> shape = in.opcode == "TLD4S" ? std::optional(Shape{2}) : std::nullopt;
    TextureOperands result;
    std::vector<const SassOperand*> registers, integers;
    for (std::size_t i = result_operands(in, isa); i < in.operands.size(); ++i) {
        const auto& operand = in.operands[i];
        if (operand.kind == OperandKind::reg) {
            registers.push_back(&operand);
        } else if (operand.kind == OperandKind::integer) {
            integers.push_back(&operand);
        } else if (const auto named = shape_of(operand.text)) {
            shape = named;
        } else {
            result.channels = channels_named(operand.text);
        }
    }
    const bool plain = !in.has_modifier("AOFFI") && !in.has_modifier("DC") && !in.has_modifier("MS");
    set_handle(integers, {}, isa, result);
    if (!shape || !plain || result.handle_offset < 0 || result.channels == 0) {
        return std::nullopt;
    }
    result.dimensions = shape->dimensions;
    result.array = shape->array;
    result.cube = shape->cube;
    Values values(registers, std::max(1, first_of_short(in, *shape)));
    if (result.array) {
        result.layer = values.next();
    }
    take_coordinates(values, result);
    if (in.has_modifier("LL")) {
        result.level = values.next();
    }
    result.first_width = std::min(std::max(1, first_of_short(in, *shape)), values.taken());
    result.second_width = values.taken() - result.first_width;
    return values.lacking() ? std::nullopt : std::optional(result);
}

void set_surface_effect(SassInstruction& in) {
    auto& effect = *in.effect;
    effect.texture = TextureUnit::surface;
    effect.direction = in.opcode == "SULD"   ? SassDirection::load
                       : in.opcode == "SUST" ? SassDirection::store
                                             : SassDirection::atomic;
}

}  // namespace

bool is_texture(const SassInstruction& instruction) {
    return is_one_of(instruction.opcode, {"TEX", "TLD", "TLD4", "TXD", "TEXS", "TLDS", "TLD4S"});
}

bool is_surface(const SassInstruction& instruction) {
    return is_one_of(instruction.opcode, {"SULD", "SUST", "SURED", "SUATOM"});
}

std::optional<TextureOperands> texture_operands(const SassInstruction& instruction, SassIsa isa) {
    if (is_surface(instruction)) {
        return of_surface(instruction, isa);
    }
    if (is_short(instruction)) {
        return of_short(instruction, isa);
    }
    TextureOperands result;
    std::vector<const SassOperand*> registers, integers, uniform;
    bool shaped = false;
    for (std::size_t i = result_operands(instruction, isa); i < instruction.operands.size(); ++i) {
        const auto& operand = instruction.operands[i];
        if (const auto shape = operand.kind == OperandKind::other ? shape_of(operand.text) : std::nullopt) {
            result.dimensions = shape->dimensions;
            result.array = shape->array;
            result.cube = shape->cube;
            shaped = true;
        } else if (operand.kind == OperandKind::reg) {
            registers.push_back(&operand);
        } else if (operand.kind == OperandKind::uniform_reg) {
            uniform.push_back(&operand);
        } else if (operand.kind == OperandKind::integer && !shaped) {
            integers.push_back(&operand);
        } else if (operand.kind == OperandKind::integer) {
            result.channels = static_cast<unsigned>(operand.value) & 0xfU;
        }
    }
    if (!shaped) {
        return std::nullopt;
    }
    set_handle(integers, uniform, isa, result);
    return assign(instruction, isa, registers, result) ? std::optional(result) : std::nullopt;
}

void set_texture(SassInstruction& instruction, SassIsa isa) {
    auto& effect = *instruction.effect;
    const auto operands = texture_operands(instruction, isa);
    if (is_surface(instruction)) {
        set_surface_effect(instruction);
        for (auto& operand : instruction.operands) {
            if (operand.kind == OperandKind::reg) {
                operand.width = std::max(1, effect.bytes / 4);
            } else if (operand.kind == OperandKind::memory && operands) {
                operand.wide_address = operands->first_width > 1;
            }
        }
        return;
    }
    effect.texture = instruction.opcode == "TLD" || instruction.opcode == "TLDS" ? TextureUnit::fetch
                                                                                 : TextureUnit::sample;
    if (!operands || instruction.operands.size() <= result_operands(instruction, isa)) {
        return;
    }
    const int returned = std::popcount(operands->channels);
    auto& list = instruction.operands;
    const bool one_result = result_operands(instruction, isa) == 1;
    list[0].width = one_result ? returned : std::max(1, returned - 2);
    if (!one_result) {
        list[1].width = std::min(2, returned);
    }
    int number = 0;
    for (std::size_t i = result_operands(instruction, isa); i < list.size(); ++i) {
        if (list[i].kind == OperandKind::reg) {
            list[i].width = std::max(1, number++ == 0 ? operands->first_width : operands->second_width);
        }
    }
}

}  // namespace gpumodel
