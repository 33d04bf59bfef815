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

bool fill_code(SassFunction& function, const KernelArguments& arguments) {
    bool filled = false;
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
            filled = true;
        }
    }
    return filled;
}

bool fill_banks(SassFunction& function, const KernelArguments& arguments) {
    constexpr std::uint64_t word_bytes = 4;
    bool filled = false;
    for (auto& bank : function.constants.list) {
        auto copy = std::make_shared<SassConstants>(*bank);
        for (const auto& r : bank->relocations) {
            const auto address = address_of(r, arguments);
            if (address && r.at / word_bytes < copy->words.size()) {
                copy->words[r.at / word_bytes] = half_of(*address, r.upper);
                filled = true;
            }
        }
        bank = copy;
    }
    return filled;
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
        if (names.contains(variable.name)) {
            list.push_back(allocation(variable.name, variable.bytes, Origin::variable));
        }
    }
    return launch;
}

std::optional<SassFunction> with_addresses(const SassFunction& function, const KernelArguments& arguments) {
    const auto has_variables =
        std::any_of(arguments.list.begin(), arguments.list.end(),
                    [](const KernelArgument& a) { return a.origin == Origin::variable; });
    if (!has_variables) {
        return std::nullopt;
    }
    auto filled = function;
    const bool code = fill_code(filled, arguments);
    const bool banks = fill_banks(filled, arguments);
    return code || banks ? std::optional(std::move(filled)) : std::nullopt;
}

}  // namespace gpumodel::emulate
