#include "traces/emulate/sass_block_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "base/diagnostics.h"
#include "base/note.h"
#include "traces/emulate/prepare/launch_check.h"
#include "traces/emulate/prepare/module_variables.h"
#include "traces/emulate/prepare/program.h"
#include "traces/emulate/run/launch_blocks.h"
#include "traces/emulate/run/other_blocks.h"
#include "traces/emulate/run/quiet_sinks.h"

namespace gpumodel {

namespace {

using emulate::Program;

// What is not known, or too much for an Instruction, is left at zero.
void set_wait(const emulate::CopyWait& wait, Instruction& instruction) {
    constexpr std::int64_t most_step = std::numeric_limits<std::int16_t>::max();
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    const bool known = wait.even && wait.first <= most && wait.step >= 0 && wait.step <= most_step;
    instruction.copies_first = known ? static_cast<std::int32_t>(wait.first) : 0;
    instruction.copies_step = known ? static_cast<std::int16_t>(wait.step) : std::int16_t{0};
    instruction.copies_alone = known && wait.alone;
    instruction.copies_ahead =
        known ? static_cast<std::int16_t>(std::min(wait.ahead, most_step)) : std::int16_t{0};
    const auto& arrivals = wait.arrivals;
    instruction.arrivals_known = !instruction.copies_alone && (known || !wait.any) && arrivals.even &&
                                 arrivals.first <= most_step && arrivals.others_first <= most_step &&
                                 arrivals.step >= 0 && arrivals.step <= most_step;
    const bool needs = instruction.arrivals_known && arrivals.from >= 0;
    const auto small = [needs](std::int64_t value) {
        return needs ? static_cast<std::int16_t>(value) : std::int16_t{0};
    };
    static_assert(emulate::ArrivalWait::most_first <= std::numeric_limits<std::int8_t>::max());
    instruction.arrivals_from = static_cast<std::int8_t>(small(arrivals.from));
    instruction.arrivals_first = small(arrivals.first);
    instruction.others_first = small(arrivals.others_first);
    instruction.arrivals_step = small(arrivals.step);
    instruction.arrivals_lag = small(std::clamp<std::int64_t>(arrivals.waited - 1, 0, most_step));
    instruction.arrivals_warps = needs ? arrivals.warps : 0;
    instruction.others_warps = needs ? arrivals.others : 0;
}

class Source final : public SassBlockSource {
public:
    Source(Program program, const SassLaunch& launch)
        : program_(std::move(program)), launch_(launch), blocks_(program_, launch_) {
        if (program_.reads_variables) {
            ++found_.notes[noted(NoteId::constant_memory, emulate::variables_note)];
        }
        if (program_.in_clusters) {
            ++found_.notes[noted(
                NoteId::clusters,
                "blocks of a cluster are taken to be in step: arrivals and tiles from others are there "
                "when a block's own are")];
        }
    }

    [[nodiscard]] const StaticCode& code() const override { return program_.code; }

    void run_block(const Dim3& block, WarpSink& sink) override {
        if (launch_.keeps_results && !blocks_.is_first_of_cluster(block)) {
            return;  // its stores are there already
        }
        if (!launch_.keeps_results && !std::exchange(looked_at_others_, true)) {
            look_at_others();
        }
        if (program_.reads_global && !launch_.keeps_results) {
            blocks_.device().forget_stores();
            if (program_.swaps) {
                settle(block);
            }
        }
        blocks_.run(block, sink, found_);
        complete_code();
    }

    [[nodiscard]] std::vector<std::string> notes() const override {
        std::vector<std::string> list;
        for (const auto& [text, count] : found_.notes) {
            const auto note = read_note(text);
            list.push_back(
                noted(note.id, fmt::format("{} ({} time{})", note.text, count, count == 1 ? "" : "s")));
        }
        return list;
    }

    [[nodiscard]] DeviceArray contents(std::size_t argument) const override {
        const auto& given = launch_.arguments.list.at(argument);
        DeviceArray array;
        array.name = given.name;
        array.bytes.resize(static_cast<std::size_t>(given.allocation_bytes));
        array.unknown_bytes = blocks_.device().read(
            static_cast<std::int64_t>(argument + 1) << emulate::allocation_shift, array.bytes);
        return array;
    }

    [[nodiscard]] std::vector<UnknownData> unknown_data() const override {
        std::vector<UnknownData> list;
        for (const auto& [mark, count] : found_.marks) {
            const auto [instruction, what] = mark;
            list.push_back({what, static_cast<std::uint32_t>(program_.address_of(instruction)),
                            program_.texts[static_cast<std::size_t>(instruction)]});
        }
        return list;
    }

    [[nodiscard]] bool data_decides() const override { return program_.steered_by_data; }

    [[nodiscard]] const SideBySideTime& side_by_side() const override { return side_by_side_; }

    [[nodiscard]] std::int64_t shared_bytes_used() const override { return found_.shared_extent; }

private:
    void look_at_others() {
        const emulate::OtherBlocks others(program_, launch_, blocks_);
        side_by_side_ = others.time();
        for (const int number : others.retried()) {
            instruction(number).retried = true;
        }
        for (const auto& note : others.notes()) {
            ++found_.notes[note];
        }
    }

    // The predicted time is that of launches in a row: where a loop around a compare-and-swap has come to an
    // end of changing a word, the launch before has left it so. From zeros each block would go that way anew.
    void settle(const Dim3& block) {
        emulate::NoSink nobody;
        emulate::BlockFindings as_before;
        blocks_.run(block, nobody, as_before);
        blocks_.device().forget_unsettled();
    }

    // With what is known of instructions once they have run.
    void complete_code() {
        for (const auto& [number, copy] : found_.copies) {
            instruction(number).bulk_bytes = static_cast<std::uint32_t>(copy.bytes);
            instruction(number).bulk_apart = copy.apart;
        }
        for (const auto& [number, wait] : found_.copy_waits) {
            set_wait(wait, instruction(number));
        }
        for (const int number : found_.arriving) {
            instruction(number).arrives = true;
        }
        for (const auto& [number, seen] : found_.matches) {
            instruction(number).matched_values = static_cast<std::uint8_t>(
                std::max<std::int64_t>(1, (seen.values + seen.executions / 2) / seen.executions));
        }
    }

    [[nodiscard]] Instruction& instruction(int number) {
        return program_.code.instructions[static_cast<std::size_t>(number)];
    }

    Program program_;
    SassLaunch launch_;
    emulate::LaunchBlocks blocks_;
    bool looked_at_others_ = false;
    SideBySideTime side_by_side_;
    emulate::BlockFindings found_;
};

int registers_of(const SassFunction& function) {
    int most = 0;
    for (const auto& instruction : function.instructions) {
        for (const auto& operand : instruction.operands) {
            if (operand.kind == OperandKind::reg && operand.index != sass_rz) {
                most = std::max(most, operand.index + operand.width);
            }
            if (operand.base != sass_no_register && operand.base != sass_rz) {
                most = std::max(most, operand.base + (operand.wide_address ? 2 : 1));
            }
        }
    }
    return most;
}

}  // namespace

Dim3 cluster_of(const SassFunction& function, const SassLaunch& launch) {
    if (function.resources && function.resources->cluster[0] > 0) {
        const auto& [x, y, z] = function.resources->cluster;
        return {x, y, z};
    }
    return launch.cluster;
}

std::unique_ptr<SassBlockSource> make_sass_source(const SassFunction& function, const SassLaunch& launch) {
    auto clustered = launch;
    clustered.cluster = cluster_of(function, launch);
    emulate::check_launch(function, clustered);
    const auto whole = emulate::with_module_variables(function, clustered);
    const auto filled = emulate::filled_in(function, whole);
    return std::make_unique<Source>(emulate::build_program(filled ? *filled : function, whole), whole);
}

std::vector<DeviceArray> execute_grid(const SassFunction& function, SassLaunch launch,
                                      const std::function<void()>& each) {
    launch.keeps_results = true;
    const auto source = make_sass_source(function, launch);
    emulate::NoSink sink;
    for (std::int64_t z = 0; z < launch.grid.z; ++z) {
        for (std::int64_t y = 0; y < launch.grid.y; ++y) {
            for (std::int64_t x = 0; x < launch.grid.x; ++x) {
                source->run_block({x, y, z}, sink);
                if (each) {
                    each();
                }
            }
        }
    }
    std::vector<DeviceArray> arrays;
    for (std::size_t i = 0; i < launch.arguments.list.size(); ++i) {
        arrays.push_back(source->contents(i));
    }
    return arrays;
}

LaunchContext launch_context(const SassFunction& function, const SassLaunch& launch) {
    LaunchContext context;
    context.kernel = function.name;
    context.grid = launch.grid;
    context.block = launch.block;
    context.resources.threads = static_cast<int>(launch.block.count());
    context.resources.registers_per_thread = registers_of(function);
    context.resources.registers_estimated = false;
    context.resources.registers_source = "listing, highest register used";
    if (function.resources) {
        const auto& reserved = *function.resources;
        if (reserved.registers) {
            context.resources.registers_per_thread = *reserved.registers;
            context.resources.registers_source = "listing (-elf)";
        }
        const bool hopper = emulate::architecture_number(function.arch) >= 90;
        context.resources.static_shared_bytes =
            std::max<std::int64_t>(0, reserved.shared_bytes - (hopper ? emulate::hopper_reserved_bytes : 0));
    }
    if (launch.static_shared_bytes) {
        context.resources.static_shared_bytes = *launch.static_shared_bytes;
    }
    context.resources.dynamic_shared_bytes = launch.dynamic_shared_bytes;
    for (const auto& argument : emulate::with_module_variables(function, launch).arguments.list) {
        if (argument.is_allocation()) {
            context.arrays.push_back(
                {argument.name, argument.allocation_bytes, false, false, argument.address});
        }
    }
    return context;
}

}  // namespace gpumodel
