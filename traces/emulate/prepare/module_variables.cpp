#include "traces/emulate/prepare/module_variables.h"

#include <algorithm>
#include <set>

#include "traces/emulate/prepare/constant_bank.h"

namespace gpumodel::emulate {

namespace {

using Origin = KernelArgument::Origin;

constexpr std::int64_t barrier_bytes = 256;
constexpr int addresses_bank = 4;

bool reads_bank(const SassFunction& function, int bank) {
    return std::any_of(function.instructions.begin(), function.instructions.end(), [&](const auto& in) {
        return std::any_of(in.operands.begin(), in.operands.end(), [&](const SassOperand& operand) {
            return operand.kind == OperandKind::constant && operand.bank == bank;
        });
    });
}

std::set<std::string> named_symbols(const SassFunction& function) {
    std::set<std::string> names;
    for (const auto& r : function.relocations) {
        names.insert(r.symbol);
    }
    for (const auto& bank : function.constants.list) {
        if (bank->bank != addresses_bank || reads_bank(function, addresses_bank)) {
            for (const auto& r : bank->relocations) {
                names.insert(r.symbol);
            }
        }
    }
    return names;
}

KernelArgument allocation(std::string name, std::int64_t bytes, Origin origin) {
    KernelArgument variable;
    variable.name = std::move(name);
    variable.type = KernelArgument::Type::pointer;
    variable.allocation_bytes = bytes;
    variable.origin = origin;
    return variable;
}

std::optional<std::int64_t> address_of(const SassRelocation& r, const KernelArguments& arguments) {
    for (std::size_t i = 0; i < arguments.list.size(); ++i) {
        if (arguments.list[i].origin == Origin::variable && arguments.list[i].name == r.symbol && r.whole) {
            return (static_cast<std::int64_t>(i + 1) << allocation_shift) + r.addend;
        }
    }
    return std::nullopt;
}

std::uint32_t half_of(std::int64_t address, bool upper) {
    constexpr int bits = 32;
    return static_cast<std::uint32_t>(static_cast<std::uint64_t>(address) >> (upper ? bits : 0));
}

void fill_code(SassFunction& function, const KernelArguments& arguments) {
    for (const auto& r : function.relocations) {
        const auto address = address_of(r, arguments);
        const auto index = function.index_at(r.at);
        if (!address || !index) {
            continue;
        }
        auto& operands = function.instructions[*index].operands;
        const auto immediate = std::find_if(operands.rbegin(), operands.rend(), [](const SassOperand& o) {
            return o.kind == OperandKind::integer;
        });
        if (immediate != operands.rend()) {
            immediate->value = half_of(*address, r.upper);
        }
    }
}

void fill_banks(SassFunction& function, const KernelArguments& arguments) {
    constexpr std::uint64_t word_bytes = 4;
    for (auto& bank : function.constants.list) {
        auto copy = std::make_shared<SassConstants>(*bank);
        for (const auto& r : bank->relocations) {
            const auto address = address_of(r, arguments);
            if (address && r.at / word_bytes < copy->words.size()) {
                copy->words[r.at / word_bytes] = half_of(*address, r.upper);
            }
        }
        bank = copy;
    }
}

const GivenVariable* find_given(const SassLaunch& launch, const std::string& name) {
    const auto found = std::find_if(launch.variables.begin(), launch.variables.end(),
                                    [&name](const GivenVariable& given) { return given.name == name; });
    return found == launch.variables.end() ? nullptr : &*found;
}

// The variable's bytes in the bank's words; what the file leaves stays as it was.
void overwrite(const SassVariable& variable, const GivenData& data, SassConstants& bank) {
    constexpr std::int64_t word_bytes = 4;
    constexpr unsigned byte_bits = 8;
    const auto end = std::min(variable.bytes, data.bytes());
    for (std::int64_t i = 0; i < end; ++i) {
        const auto at = *variable.constant_offset + i;
        const auto index = static_cast<std::size_t>(at / word_bytes);
        const auto shift = byte_bits * static_cast<unsigned>(at % word_bytes);
        if (index >= bank.words.size()) {
            return;
        }
        auto word = bank.words[index].value_or(0) & ~(0xffU << shift);
        bank.words[index] = word | static_cast<std::uint32_t>(data.read(i, 1)) << shift;
    }
}

bool begins_as_zero(const SassConstants& bank, std::int64_t begin, std::int64_t end) {
    constexpr std::int64_t word_bytes = 4;
    const auto words = static_cast<std::int64_t>(bank.words.size());
    for (auto i = begin / word_bytes; i < std::min(words, (end + word_bytes - 1) / word_bytes); ++i) {
        if (bank.words[static_cast<std::size_t>(i)] != 0U) {
            return false;
        }
    }
    return true;
}

void fill_constants(SassFunction& function, const SassLaunch& launch) {
    for (auto& bank : function.constants.list) {
        if (bank->bank != variables_bank) {
            continue;
        }
        auto copy = std::make_shared<SassConstants>(*bank);
        for (const auto& variable : function.variables) {
            if (!variable.constant_offset) {
                continue;
            }
            const std::pair range{*variable.constant_offset, *variable.constant_offset + variable.bytes};
            if (const auto* given = find_given(launch, variable.name)) {
                overwrite(variable, *given->data, *copy);
                copy->given.push_back(range);
            } else if (launch.knows_constants) {
                copy->given.push_back(range);
            } else if (begins_as_zero(*bank, range.first, range.second)) {
                copy->open.push_back(range);
            }
        }
        bank = copy;
    }
}

}  // namespace

bool uses_grid_barrier(const SassFunction& function) {
    const auto place = grid_barrier_offset(architecture_number(function.arch));
    return std::any_of(function.instructions.begin(), function.instructions.end(), [&](const auto& in) {
        return std::any_of(in.operands.begin(), in.operands.end(), [&](const SassOperand& operand) {
            return operand.kind == OperandKind::constant && operand.bank == 0 && operand.value == place &&
                   operand.uniform == sass_no_register &&
                   (operand.base == sass_no_register || operand.base == sass_rz ||
                    operand.uniform_base);  // sm_100: less 160 bytes for each block of the cluster
        });
    });
}

SassLaunch with_module_variables(const SassFunction& function, SassLaunch launch) {
    auto& list = launch.arguments.list;
    if (uses_grid_barrier(function)) {
        list.push_back(allocation("grid barrier", barrier_bytes, Origin::grid_barrier));
        list.back().data = given_rule("zeros", barrier_bytes).data;
    }
    const auto names = named_symbols(function);
    for (const auto& variable : function.variables) {
        if (names.contains(variable.name) && !variable.constant_offset) {
            list.push_back(allocation(variable.name, variable.bytes, Origin::variable));
            const auto* given = find_given(launch, variable.name);
            list.back().data = given != nullptr ? given->data : nullptr;
        }
    }
    return launch;
}

std::optional<SassFunction> filled_in(const SassFunction& function, const SassLaunch& launch) {
    const auto& arguments = launch.arguments;
    const bool in_memory = std::any_of(arguments.list.begin(), arguments.list.end(),
                                       [](const KernelArgument& a) { return a.origin == Origin::variable; });
    const bool in_constants =
        std::any_of(function.variables.begin(), function.variables.end(),
                    [](const SassVariable& v) { return v.constant_offset.has_value(); });
    if (!in_memory && !in_constants) {
        return std::nullopt;
    }
    auto filled = function;
    fill_code(filled, arguments);
    fill_banks(filled, arguments);
    fill_constants(filled, launch);
    return filled;
}

}  // namespace gpumodel::emulate
