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

// Cycles per warp and SM over the 8 of an unfiltered float (validate/data/h200_sxm_volumes.csv): a plane's
// filter 8, 14 to 16 and 32 for texels of 4, 8 and 16 bytes, a volume's 16, 16 to 18 and 128; unfiltered
// texels of 16 bytes 16. H200; `estimated` for other generations.
TextureFilter filter_of(const Texture& texture) {
    constexpr int word = 4, pair = 8;
    const int bytes = texture.format.bytes();
    if (!texture.linear_filter) {
        return {.passes = static_cast<std::uint8_t>(bytes > pair ? 2 : 1), .planes = 1};
    }
    if (texture.dimensions == 3) {
        return {.passes = static_cast<std::uint8_t>(bytes > pair ? 16 : 2), .planes = 2};
    }
    return {.passes = static_cast<std::uint8_t>(std::max(1, bytes / word)), .planes = 1};
}

}  // namespace

void set_texel_sizes(const SassFunction& function, const KernelArguments& arguments, const ConstantBank& bank,
                     StaticCode& code) {
    const Texture* common = nullptr;
    for (const auto& argument : arguments.list) {
        if (argument.texture && common == nullptr) {
            common = &*argument.texture;
        }
    }
    for (std::size_t i = 0; i < function.instructions.size(); ++i) {
        const auto& in = function.instructions[i];
        const auto operands = is_texture(in) ? texture_operands(in, function.isa) : std::nullopt;
        if (!operands || common == nullptr) {
            continue;
        }
        const auto place = operands->uniform_handle != sass_no_register
                               ? loaded_from(function, i, operands->uniform_handle)
                               : operands->handle_offset;
        const auto at = std::find_if(arguments.list.begin(), arguments.list.end(), [&](const auto& argument) {
            return argument.texture && place == bank.parameters() + argument.offset;
        });
        const Texture& texture = at == arguments.list.end() ? *common : *at->texture;
        auto& instruction = code.instructions[i];
        instruction.access_bytes = static_cast<std::uint8_t>(texture.format.bytes());
        if (instruction.texture == TextureUnit::sample && !in.opcode.starts_with("TLD4")) {
            instruction.filter = filter_of(texture);
        }
    }
}

}  // namespace gpumodel::emulate
