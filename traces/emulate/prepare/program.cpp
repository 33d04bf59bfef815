#include "traces/emulate/prepare/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/diagnostics.h"
#include "traces/emulate/operations/memory_operations.h"
#include "traces/emulate/prepare/argument_check.h"
#include "traces/emulate/prepare/branch_ends.h"
#include "traces/emulate/prepare/dependents.h"
#include "traces/emulate/prepare/slice.h"
#include "traces/emulate/prepare/texel_sizes.h"
#include "traces/emulate/run/block_state.h"
#include "traces/emulate/run/flow.h"
#include "traces/sass/opcodes/instruction_from_sass.h"
#include "traces/sass/opcodes/opcode_table.h"

namespace gpumodel::emulate {

namespace {

using Kind = Terminator::Kind;

[[noreturn]] void stop_at_unknown(Warp& warp, const MicroOp& op, std::uint32_t) {
    const auto& program = *warp.block->program;
    throw InputError(InputErrorKind::invalid_input,
                     {{"", 0, 0, fmt::format("{:#06x}", program.address_of(op.instruction)),
                       program.problems[static_cast<std::size_t>(op.instruction)]}});
}

// "unknown opcode FROBNICATE", "HMMA is a matrix instruction: ...".
std::string refusal_words(const std::string& opcode) {
    const auto reason = refusal_of(opcode);
    return reason.empty() ? "unknown opcode " + opcode : fmt::format("{} {}", opcode, reason);
}

class Builder {
public:
    Builder(const SassFunction& function, const SassLaunch& launch)
        : function_(function),
          launch_(launch),
          program_(ConstantBank(architecture_number(function.arch), launch.grid, launch.block,
                                launch.arguments, launch.cluster)),
          translator_(function, program_.bank) {}

    Program build() {
        faults_ = check_arguments(function_, launch_.arguments, program_.bank);
        report_unknown();
        translate();
        make_blocks();
        resolve_targets();
        connect_blocks(program_, return_sites());
        describe_ends(program_, function_);
        keep_needed();
        finish();
        if (!faults_.empty()) {
            throw InputError(InputErrorKind::invalid_input, std::move(faults_));
        }
        return std::move(program_);
    }

private:
    [[nodiscard]] std::size_t size() const { return function_.instructions.size(); }

    void fault(int instruction, const std::string& what) {
        const auto& in = function_.instructions[static_cast<std::size_t>(instruction)];
        faults_.push_back({"", in.line, in.column, fmt::format("{:#06x}", in.address), what});
    }

    void report_unknown() {
        if (launch_.allow_unknown) {
            return;
        }
        for (const auto& unknown : unknown_opcodes(function_)) {
            faults_.push_back(
                {"", 0, 0, fmt::format("{:#06x}", unknown.first_address),
                 fmt::format("{}, {} time{}; --allow-unknown steps over it", refusal_words(unknown.opcode),
                             unknown.count, unknown.count == 1 ? "" : "s")});
        }
    }

    void translate() {
        program_.has_stack = is_before_volta(function_.isa);
        program_.module_constants = function_.constants;
        translations_.reserve(size());
        for (std::size_t i = 0; i < size(); ++i) {
            translations_.push_back(translator_.translate(static_cast<int>(i)));
            program_.problems.push_back(translations_.back().problem);
        }
    }

    void mark(std::set<int>& starts, std::int64_t address) const {
        if (const auto index = instruction_at(address)) {
            starts.insert(*index);
        }
    }

    [[nodiscard]] std::optional<int> instruction_at(std::int64_t address) const {
        const auto index =
            address < 0 ? std::nullopt : function_.index_at(static_cast<std::uint64_t>(address));
        return index ? std::optional<int>(static_cast<int>(*index)) : std::nullopt;
    }

    // Immediates of moves that are code addresses: where subroutines return to.
    [[nodiscard]] std::vector<std::int64_t> possible_returns() const {
        std::vector<std::int64_t> list;
        const bool returns = std::any_of(translations_.begin(), translations_.end(),
                                         [](const Translation& t) { return t.end.kind == Kind::indirect; });
        for (std::size_t i = 0; returns && i < size(); ++i) {
            for (const auto& operand : function_.instructions[i].operands) {
                if (operand.kind == OperandKind::integer && operand.value > 0 && operand.value % 16 == 0 &&
                    instruction_at(operand.value)) {
                    list.push_back(operand.value);
                }
            }
        }
        return list;
    }

    // Between the load of a loop around a compare-and-swap in shared memory and the swap, others have their
    // turn: whose word changes meanwhile loses, and comes again.
    void let_others_in_before_swaps() {
        for (std::size_t i = 1; i < size(); ++i) {
            const auto& swap = function_.instructions[i];
            auto& before = translations_[i - 1].end;
            if (swap.opcode == "ATOMS" && swap.has_modifier("SPIN") && before.kind == Kind::fall) {
                before.kind = Kind::before_swap;
            }
        }
    }

    void make_blocks() {
        let_others_in_before_swaps();
        std::set<int> starts{0};
        returns_ = possible_returns();
        for (const auto address : returns_) {
            mark(starts, address);
        }
        for (std::size_t i = 0; i < size(); ++i) {
            const auto& t = translations_[i];
            if (t.end.kind != Kind::fall) {
                starts.insert(static_cast<int>(i) + 1);
            }
            if (t.end.kind == Kind::retry) {
                starts.insert(static_cast<int>(i));
            }
            if (t.end.kind == Kind::jump || t.end.kind == Kind::jump_if_diverged ||
                t.end.kind == Kind::call) {
                mark(starts, static_cast<std::int64_t>(t.end.target_address));
            }
            for (const auto& op : t.ops) {
                if (op.has_target) {
                    mark(starts, op.immediate);
                }
            }
        }
        starts.insert(static_cast<int>(size()));
        program_.block_of_instruction.assign(size(), -1);
        for (auto start = starts.begin(); *start < static_cast<int>(size()); ++start) {
            add_block(*start, *std::next(start));
        }
    }

    void add_block(int begin, int end) {
        program_.block_of_instruction[static_cast<std::size_t>(begin)] =
            static_cast<int>(program_.blocks.size());
        CodeBlock block;
        block.begin = begin;
        block.end = end;
        block.op_begin = program_.ops.size();
        for (int i = begin; i < end; ++i) {
            const auto& ops = translations_[static_cast<std::size_t>(i)].ops;
            program_.ops.insert(program_.ops.end(), ops.begin(), ops.end());
        }
        block.op_end = program_.ops.size();
        block.last = translations_[static_cast<std::size_t>(end) - 1].end;
        program_.blocks.push_back(block);
    }

    [[nodiscard]] int block_at(std::int64_t address) const {
        const auto index = instruction_at(address);
        return index ? program_.block_of_instruction[static_cast<std::size_t>(*index)] : -1;
    }

    void resolve_targets() {
        for (auto& block : program_.blocks) {
            const auto kind = block.last.kind;
            if (kind == Kind::jump || kind == Kind::jump_if_diverged || kind == Kind::call) {
                block.target = block_at(static_cast<std::int64_t>(block.last.target_address));
                if (block.target < 0) {
                    fault(block.end - 1, "branches to an address without an instruction");
                }
            }
        }
        for (auto& op : program_.ops) {
            if (op.has_target) {
                const auto block = block_at(op.immediate);
                if (block < 0) {
                    fault(op.instruction, "names an address without an instruction");
                }
                op.immediate = block;
            }
        }
    }

    [[nodiscard]] std::vector<int> return_sites() const {
        std::set<int> sites;
        for (const auto address : returns_) {
            sites.insert(block_at(address));
        }
        return {sites.begin(), sites.end()};
    }

    [[nodiscard]] std::string problem_of(const MicroOp& op) const {
        std::string problem =
            op.always ? "" : translations_[static_cast<std::size_t>(op.instruction)].problem;
        for (const int slot : op.from) {
            problem = problem.empty() ? translator_.constant_problem(slot) : problem;
        }
        return problem;
    }

    // Says of needed results that are not known what needs them.
    void name_dependents(const std::vector<bool>& needed) {
        std::set<int> named;
        for (const auto& block : program_.blocks) {
            for (auto i = block.op_begin; block.reachable && i < block.op_end; ++i) {
                const int at = program_.ops[i].instruction;
                const auto problem = needed[i] ? problem_of(program_.ops[i]) : "";
                if (problem.empty() || !named.insert(at).second) {
                    continue;
                }
                const auto dependent = first_dependent(program_, at);
                program_.problems[static_cast<std::size_t>(at)] =
                    fmt::format("{}, and {} depends on it", problem,
                                dependent ? words_of(*dependent, function_) : "a branch or an address");
            }
        }
    }

    // Whether stores of the kernel matter: loads whose values do may see them, or they are asked for.
    [[nodiscard]] bool keeps_stores(const std::vector<bool>& needed) {
        for (std::size_t i = 0; i < needed.size(); ++i) {
            program_.reads_global = program_.reads_global || (needed[i] && program_.ops[i].reads_global);
            program_.swaps = program_.swaps || (needed[i] && program_.ops[i].swaps_global);
            program_.counts = program_.counts || (needed[i] && is_counter(program_.ops[i]));
        }
        const auto& list = launch_.arguments.list;
        const bool given = std::any_of(list.begin(), list.end(), [](const KernelArgument& argument) {
            return argument.data != nullptr && argument.origin == KernelArgument::Origin::parameter;
        });
        program_.steered_by_data = program_.reads_global && given;
        return launch_.keeps_results || program_.steered_by_data;
    }

    // Drops what is not needed. What branches and addresses need and is not known stops the run where it is
    // reached, also where unknown instructions are allowed: a path or an address must not come out of a
    // result that nobody knows. What only stored values need is not known either then.
    void keep_needed() {
        const auto needed = needed_operations(program_, DeviceStores::left_out);
        name_dependents(needed);
        const bool stores = keeps_stores(needed);
        const auto wanted = stores ? needed_operations(program_, DeviceStores::needed) : needed;
        program_.reads_global = program_.reads_global || stores;
        std::vector<MicroOp> kept;
        for (auto& block : program_.blocks) {
            const auto begin = kept.size();
            for (auto i = block.op_begin; i < block.op_end; ++i) {
                if (wanted[i] && block.reachable) {
                    kept.push_back(checked(program_.ops[i], needed[i]));
                }
            }
            block.op_begin = begin;
            block.op_end = kept.size();
        }
        program_.ops = std::move(kept);
    }

    [[nodiscard]] MicroOp checked(MicroOp op, bool steers) {
        for (const int slot : op.from) {
            program_.reads_variables = program_.reads_variables || translator_.is_variable(slot);
            program_.reads_global =
                program_.reads_global || translator_.open_slots().contains(static_cast<std::uint16_t>(slot));
        }
        const bool unknown = !problem_of(op).empty();
        op.unknown = unknown && !steers;
        if (unknown && steers) {
            op.run = &stop_at_unknown;
        }
        return op;
    }

    void finish() {
        program_.constants = translator_.constants();
        program_.open_slots.assign(translator_.open_slots().begin(), translator_.open_slots().end());
        program_.reads_global = program_.reads_global || translator_.reads_open_by_index();
        program_.accesses = translator_.accesses();
        program_.slot_count = static_cast<std::size_t>(first_constant_slot) + program_.constants.size();
        program_.code = static_code(function_);
        for (std::size_t i = 0; i < size(); ++i) {
            program_.texts.push_back(function_.instructions[i].printed);
            if (translations_[i].end.kind == Kind::leaves) {
                program_.code.instructions[i].skipped = true;
            }
        }
        const bool relative = architecture_number(function_.arch) >= 90 &&
                              std::any_of(function_.instructions.begin(), function_.instructions.end(),
                                          [](const SassInstruction& in) {
                                              return std::any_of(in.operands.begin(), in.operands.end(),
                                                                 [](const SassOperand& operand) {
                                                                     return operand.text == "SR_CgaCtaId";
                                                                 });
                                          });
        program_.shared_reserved = relative ? hopper_reserved_bytes : 0;
        program_.in_clusters = launch_.cluster.count() > 1;
        int arrays = 0;
        for (const auto& argument : launch_.arguments.list) {
            const auto i = program_.array_of_allocation.size();
            const auto number = argument.allocation_of.value_or(i);
            const bool by_address = argument.type == KernelArgument::Type::map_pointer;
            program_.array_of_allocation.push_back(
                {argument.is_allocation() ? arrays++ : -1, argument.allocation_bytes, argument.name,
                 argument.texture, argument.tensor_map,
                 static_cast<std::int64_t>(number + 1) << allocation_shift,
                 by_address ? tensor_map_address(i) : parameter_window + argument.offset});
        }
        set_texel_sizes(function_, launch_.arguments, program_.bank, program_.code);
    }

    const SassFunction& function_;
    const SassLaunch& launch_;
    Program program_;
    Translator translator_;
    std::vector<Translation> translations_;
    std::vector<std::int64_t> returns_;
    std::vector<Diagnostic> faults_;
};

}  // namespace

int Program::block_at_address(std::int64_t address) const {
    const auto& list = code.instructions;
    const auto found = std::lower_bound(
        list.begin(), list.end(), address,
        [](const Instruction& instruction, std::int64_t at) { return instruction.address < at; });
    if (found == list.end() || found->address != address) {
        return -1;
    }
    return block_of_instruction[static_cast<std::size_t>(found - list.begin())];
}

Program build_program(const SassFunction& function, const SassLaunch& launch) {
    return Builder(function, launch).build();
}

}  // namespace gpumodel::emulate
