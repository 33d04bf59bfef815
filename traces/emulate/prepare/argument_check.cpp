#include "traces/emulate/prepare/argument_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

namespace gpumodel::emulate {

namespace {

constexpr std::int64_t tensor_map_bytes = 128;

std::string_view type_name(KernelArgument::Type type) {
    switch (type) {
        case KernelArgument::Type::int32:
            return "int32";
        case KernelArgument::Type::int64:
            return "int64";
        case KernelArgument::Type::float32:
            return "float";
        case KernelArgument::Type::float64:
            return "double";
        case KernelArgument::Type::pointer:
            return "ptr";
        case KernelArgument::Type::texture:
            return "tex";
        case KernelArgument::Type::tensor_map:
            return "tmap";
        case KernelArgument::Type::map_pointer:
            return "ptr=tmap";
    }
    return "";
}

Diagnostic fault(const std::string& key, std::string what) {
    return {"--args", 0, 0, key, std::move(what)};
}

std::string sizes_of(const std::vector<SassParameter>& parameters) {
    std::vector<std::string> list;
    for (const auto& parameter : parameters) {
        list.push_back(std::to_string(parameter.bytes));
    }
    return fmt::format("{}", fmt::join(list, ", "));
}

const char* example_of(std::int64_t bytes) {
    return bytes == tensor_map_bytes ? "tmap(...)" : bytes == 4 ? "4096 or 0.5f" : "ptr, 4096L or 0.5";
}

// One fault for all of them, with what could be written.
Diagnostic missing_arguments(const std::vector<std::string>& names,
                             const std::vector<SassParameter>& parameters) {
    std::vector<std::string> examples;
    for (const auto& parameter : parameters) {
        examples.emplace_back(parameter.bytes == tensor_map_bytes ? "tmap(...)"
                              : parameter.bytes == 4              ? "4096"
                                                                  : "ptr:64MiB");
    }
    return fault(fmt::format("{}", fmt::join(names, ", ")),
                 fmt::format("{} missing: the kernel has {} parameters, of {} bytes, as in --args {}",
                             names.size() == 1 ? "is" : "are", parameters.size(), sizes_of(parameters),
                             fmt::join(examples, ",")));
}

// Where there are as many as the kernel takes, each is meant for its place: one of another size moves all
// behind it, which need no word.
std::vector<Diagnostic> wrong_sizes(const std::vector<SassParameter>& parameters,
                                    const KernelArguments& arguments) {
    std::vector<Diagnostic> faults;
    const auto& list = arguments.list;
    const bool in_place = list.size() == parameters.size() &&
                          std::all_of(parameters.begin(), parameters.end(), [](const SassParameter& p) {
                              return p.bytes == 4 || p.bytes == 8 || p.bytes == tensor_map_bytes;
                          });
    for (std::size_t i = 0; in_place && i < list.size(); ++i) {
        if (list[i].bytes() != parameters[i].bytes && !list[i].texture) {
            faults.push_back(fault(
                list[i].name, fmt::format("is {} of {} bytes, where the kernel's parameter {} has {}: {}",
                                          type_name(list[i].type), list[i].bytes(), parameters[i].ordinal,
                                          parameters[i].bytes, example_of(parameters[i].bytes))));
        }
    }
    return faults;
}

// A structure of a tensor map's size, all of it given value by value.
bool is_in_pieces(const SassParameter& parameter, const KernelArguments& arguments) {
    std::int64_t bytes = 0, pieces = 0;
    for (const auto& argument : arguments.list) {
        const bool inside = argument.offset >= parameter.offset &&
                            argument.offset + argument.bytes() <= parameter.offset + parameter.bytes;
        bytes += inside ? argument.bytes() : 0;
        pieces += inside ? 1 : 0;
    }
    return pieces > 1 && bytes == parameter.bytes;
}

std::vector<Diagnostic> against_description(const std::vector<SassParameter>& parameters,
                                            const KernelArguments& arguments) {
    if (auto faults = wrong_sizes(parameters, arguments); !faults.empty()) {
        return faults;
    }
    std::vector<Diagnostic> faults;
    std::vector<std::string> missing;
    std::int64_t end = 0;
    for (const auto& parameter : parameters) {
        end = std::max(end, parameter.offset + parameter.bytes);
        const bool one_value = parameter.bytes == 4 || parameter.bytes == 8;
        const bool map = parameter.bytes == tensor_map_bytes && !is_in_pieces(parameter, arguments);
        if (!one_value && !map) {
            continue;
        }
        const auto at = std::find_if(arguments.list.begin(), arguments.list.end(), [&](const auto& argument) {
            return argument.offset < parameter.offset + parameter.bytes &&
                   argument.offset + argument.bytes() > parameter.offset;
        });
        const auto* allowed = example_of(parameter.bytes);
        if (at == arguments.list.end()) {
            missing.push_back(fmt::format("arg{}", parameter.ordinal));
        } else if (at->offset != parameter.offset || at->bytes() != parameter.bytes) {
            faults.push_back(
                fault(at->name,
                      fmt::format("is {} of {} bytes at byte {}, where the kernel's parameter {} has {} at "
                                  "byte {}: {}",
                                  type_name(at->type), at->bytes(), at->offset, parameter.ordinal,
                                  parameter.bytes, parameter.offset, allowed)));
        }
    }
    if (!missing.empty()) {
        faults.insert(faults.begin(), missing_arguments(missing, parameters));
    }
    for (const auto& argument : arguments.list) {
        // textures behind the parameters: those whose numbers lie in device memory
        if (argument.offset >= end && !argument.texture) {
            faults.push_back(
                fault(argument.name, fmt::format("is one too many: the kernel has {} parameters, of {} bytes",
                                                 parameters.size(), sizes_of(parameters))));
        }
    }
    return faults;
}

// Bytes that an operand in a constant bank reads: register pairs and quads, and loads of several words.
std::int64_t bytes_read(const SassInstruction& in, const SassOperand& operand) {
    std::int64_t bytes = 4 * std::int64_t{operand.width};
    for (const auto& [modifier, width] : {std::pair{"64", 8}, {"128", 16}, {"WIDE", 8}}) {
        bytes = in.has_modifier(modifier) ? std::max<std::int64_t>(bytes, width) : bytes;
    }
    return bytes;
}

struct ParameterRead {
    const SassInstruction* in = nullptr;
    std::int64_t begin = 0, end = 0;  // in the parameter space
};

// Reads at places that no register moves.
std::vector<ParameterRead> fixed_reads(const SassFunction& function, const ConstantBank& bank, bool& others) {
    std::vector<ParameterRead> list;
    for (const auto& in : function.instructions) {
        for (const auto& operand : in.operands) {
            if (operand.kind != OperandKind::constant || operand.bank != 0) {
                continue;
            }
            if (operand.uniform != sass_no_register ||
                (operand.base != sass_no_register && operand.base != sass_rz)) {
                others = true;
            } else if (operand.value >= bank.parameters()) {
                const auto begin = operand.value - bank.parameters();
                list.push_back({&in, begin, begin + bytes_read(in, operand)});
            }
        }
    }
    return list;
}

std::vector<Diagnostic> against_code(const SassFunction& function, const KernelArguments& arguments,
                                     const ConstantBank& bank) {
    std::vector<Diagnostic> faults;
    bool others = false;
    const auto reads = fixed_reads(function, bank, others);
    const auto end = (arguments.bytes + 7) / 8 * 8;  // loads of pairs may run over the last one by a word
    for (const auto& read : reads) {
        if (read.begin >= end) {
            faults.push_back({"", read.in->line, read.in->column, fmt::format("{:#06x}", read.in->address),
                              fmt::format("reads the parameter at byte {}, but the arguments end at byte {}",
                                          read.begin, arguments.bytes)});
        }
    }
    for (const auto& argument : arguments.list) {
        const auto reads_word = [&](std::int64_t word) {
            return std::any_of(reads.begin(), reads.end(), [&](const ParameterRead& read) {
                return read.begin <= word && word < read.end;
            });
        };
        if (argument.type == KernelArgument::Type::pointer && !others && reads_word(argument.offset) &&
            !reads_word(argument.offset + 4)) {
            faults.push_back(
                fault(argument.name,
                      fmt::format("is ptr, but the code reads its lower 4 bytes only (parameter byte "
                                  "{}), as those of an int: order of the arguments?",
                                  argument.offset)));
        }
    }
    return faults;
}

}  // namespace

std::vector<Diagnostic> check_arguments(const SassFunction& function, KernelArguments arguments,
                                        const ConstantBank& bank) {
    std::erase_if(arguments.list, [](const KernelArgument& argument) {
        return argument.origin != KernelArgument::Origin::parameter;
    });
    if (function.resources && !function.resources->parameters.empty()) {
        return against_description(function.resources->parameters, arguments);
    }
    return against_code(function, arguments, bank);
}

}  // namespace gpumodel::emulate
