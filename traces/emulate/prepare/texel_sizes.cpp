#include "traces/emulate/prepare/texel_sizes.h"

#include <algorithm>

#include "traces/sass/opcodes/texture_operands.h"

namespace gpumodel::emulate {

namespace {

bool writes_uniform(const SassInstruction& in, int index) {
    return in.effect && in.effect->results > 0 && !in.operands.empty() &&
           in.operands.front().kind == OperandKind::uniform_reg && in.operands.front().index <= index &&
           index < in.operands.front().index + in.operands.front().width;
}

// The place in the constant bank that a uniform register was last loaded from, in the order of the code; -1
// if it was not.
std::int64_t loaded_from(const SassFunction& function, std::size_t before, int index) {
    for (auto i = before; i-- > 0;) {
        const auto& in = function.instructions[i];
        if (!writes_uniform(in, index) || in.operands.size() < 2) {
            continue;
        }
        const auto& source = in.operands[1];
        if (source.kind == OperandKind::uniform_reg && in.opcode == "UMOV") {
            return loaded_from(function, i, source.index);
        }
        const bool fixed = source.kind == OperandKind::constant && source.bank == 0 &&
                           source.base == sass_no_register && source.uniform == sass_no_register;
        return fixed ? source.value + 4 * (index - in.operands.front().index) : -1;
    }
    return -1;
}

}  // namespace

void set_texel_sizes(const SassFunction& function, const KernelArguments& arguments, const ConstantBank& bank,
                     StaticCode& code) {
    int common = 0;
    for (const auto& argument : arguments.list) {
        if (argument.texture) {
            common = common == 0 ? argument.texture->format.bytes() : common;
        }
    }
    for (std::size_t i = 0; i < function.instructions.size(); ++i) {
        const auto& in = function.instructions[i];
        const auto operands = is_texture(in) ? texture_operands(in, function.isa) : std::nullopt;
        if (!operands || common == 0) {
            continue;
        }
        const auto place = operands->uniform_handle != sass_no_register
                               ? loaded_from(function, i, operands->uniform_handle)
                               : operands->handle_offset;
        const auto at = std::find_if(arguments.list.begin(), arguments.list.end(), [&](const auto& argument) {
            return argument.texture && place == bank.parameters() + argument.offset;
        });
        const int bytes = at == arguments.list.end() ? common : at->texture->format.bytes();
        code.instructions[i].access_bytes = static_cast<std::uint8_t>(bytes);
    }
}

}  // namespace gpumodel::emulate
