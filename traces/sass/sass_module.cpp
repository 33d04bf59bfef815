#include "traces/sass/sass_module.h"

#include <algorithm>

namespace gpumodel {

MemorySpace memory_space(SassSpace space) {
    switch (space) {
        case SassSpace::shared:
            return MemorySpace::shared;
        case SassSpace::local:
            return MemorySpace::local;
        case SassSpace::global:
        case SassSpace::generic:
        case SassSpace::constant:
        case SassSpace::none:
            break;
    }
    return MemorySpace::global;
}

AccessKind access_kind(SassDirection direction) {
    switch (direction) {
        case SassDirection::store:
            return AccessKind::store;
        case SassDirection::atomic:
            return AccessKind::atomic;
        case SassDirection::copy:
            return AccessKind::async_copy;
        case SassDirection::load:
        case SassDirection::none:
            break;
    }
    return AccessKind::load;
}

bool SassInstruction::has_modifier(std::string_view name) const {
    return std::find(modifiers.begin(), modifiers.end(), name) != modifiers.end();
}

std::string SassInstruction::mnemonic() const {
    std::string text = opcode;
    for (const auto& modifier : modifiers) {
        text.append(".").append(modifier);
    }
    return text;
}

std::optional<std::size_t> SassFunction::index_at(std::uint64_t address) const {
    const auto found = std::lower_bound(
        instructions.begin(), instructions.end(), address,
        [](const SassInstruction& instruction, std::uint64_t at) { return instruction.address < at; });
    const auto group_bytes = control_group_bytes(isa);
    if (found == instructions.end()) {
        return std::nullopt;
    }
    const bool control_word =
        group_bytes != 0 && address % group_bytes == 0 && found->address == address + control_word_bytes;
    if (found->address != address && !control_word) {
        return std::nullopt;
    }
    return static_cast<std::size_t>(found - instructions.begin());
}

std::optional<std::uint32_t> SassConstantBanks::word(int bank, std::int64_t offset) const {
    constexpr std::int64_t constant_bytes = 4;
    for (const auto& constants : list) {
        if (constants->bank == bank && offset >= 0 && offset % constant_bytes == 0 &&
            offset / constant_bytes < static_cast<std::int64_t>(constants->words.size())) {
            return constants->words[static_cast<std::size_t>(offset / constant_bytes)];
        }
    }
    return std::nullopt;
}

namespace {

bool holds(const std::vector<std::pair<std::int64_t, std::int64_t>>& ranges, std::int64_t offset) {
    return std::any_of(ranges.begin(), ranges.end(), [offset](const auto& range) {
        return offset >= range.first && offset < range.second;
    });
}

}  // namespace

bool SassConstantBanks::is_given(int bank, std::int64_t offset) const {
    return std::any_of(list.begin(), list.end(),
                       [&](const auto& c) { return c->bank == bank && holds(c->given, offset); });
}

bool SassConstantBanks::is_open(int bank, std::int64_t offset) const {
    return std::any_of(list.begin(), list.end(),
                       [&](const auto& c) { return c->bank == bank && holds(c->open, offset); });
}

bool SassConstantBanks::any_open(int bank) const {
    return std::any_of(list.begin(), list.end(),
                       [bank](const auto& c) { return c->bank == bank && !c->open.empty(); });
}

bool SassConstantBanks::has(int bank) const {
    return std::any_of(list.begin(), list.end(),
                       [&](const auto& constants) { return constants->bank == bank; });
}

const SassFunction* SassModule::find(std::string_view name) const {
    const auto found = std::find_if(functions.begin(), functions.end(),
                                    [&](const SassFunction& function) { return function.name == name; });
    return found == functions.end() ? nullptr : &*found;
}

const SassOperand* branch_target(const SassInstruction& instruction) {
    for (const auto& operand : instruction.operands) {
        if (operand.kind == OperandKind::target) {
            return &operand;
        }
    }
    return nullptr;
}

}  // namespace gpumodel
