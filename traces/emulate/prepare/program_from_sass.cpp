#include "traces/emulate/prepare/program_from_sass.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "base/diagnostics.h"
#include "base/note.h"
#include "traces/emulate/prepare/module_variables.h"
#include "traces/fold/fold_program.h"

namespace gpumodel {

namespace {

std::string words_of(const UnknownData& mark) {
    const char* what = "";
    switch (mark.what) {
        case UnknownData::What::address:
            what = "its address hangs";
            break;
        case UnknownData::What::predicate:
            what = "whether it is executed hangs";
            break;
        case UnknownData::What::branch:
            what = "its branch hangs";
            break;
        case UnknownData::What::trips:
            what = "the trips of a loop that it closes or leaves hang";
            break;
    }
    return fmt::format("{:#06x} {}: {} on memory that nobody gave: read as zero", mark.address,
                       mark.instruction, what);
}

// What the compiler reserved is known, and the rest is what the launch asks for.
void check_shared(const SassFunction& function, const SassLaunch& launch, std::int64_t used,
                  const BlockResources& resources) {
    const auto there = resources.static_shared_bytes + resources.dynamic_shared_bytes;
    if (used > there) {
        throw InputError(
            InputErrorKind::invalid_input,
            {{"", function.line, 0, "--dynamic-shared",
              fmt::format(
                  "{} bytes, but blocks access shared memory up to byte {}, and {} bytes are static: at "
                  "least {}",
                  launch.dynamic_shared_bytes, used, resources.static_shared_bytes,
                  used - resources.static_shared_bytes)}});
    }
}

std::shared_ptr<const CodeText> text_of(const SassFunction& function) {
    auto text = std::make_shared<CodeText>();
    text->addresses.reserve(function.instructions.size());
    for (const auto& instruction : function.instructions) {
        text->addresses.push_back(static_cast<std::uint32_t>(instruction.address));
        text->lines += instruction.printed;
        text->lines += '\n';
        if (!function.source_lines.empty()) {
            auto noted = function.source_lines.upper_bound(instruction.address);
            text->sources.push_back(noted == function.source_lines.begin() ? "" : std::prev(noted)->second);
        }
    }
    return text;
}

}  // namespace

KernelProgram program_from_sass(const SassFunction& function, const SassLaunch& launch) {
    const auto source = make_sass_source(function, launch);
    auto context = launch_context(function, launch);
    context.ldg_is_read_only = function.isa == SassIsa::kepler;
    FoldOptions options;
    options.data_decides = source->data_decides();
    auto program = fold_program(*source, context, options);
    program.text = text_of(function);
    for (auto& note : source->notes()) {
        program.notes.push_back(std::move(note));
    }
    program.cluster_blocks = cluster_of(function, launch).count();
    program.grid_barrier = emulate::uses_grid_barrier(function);
    program.side_by_side = source->side_by_side();
    if (program.grid_barrier && program.side_by_side.cycles <= 0) {
        program.notes.push_back(noted(
            NoteId::grid_barrier,
            "waits for all blocks of the grid (cooperative launch): each is taken for the last to come, so "
            "that blocks that come later than others cost nothing"));
    }
    program.unknown_data = source->unknown_data();
    for (const auto& mark : program.unknown_data) {
        program.notes.push_back(noted(NoteId::unknown_data, words_of(mark)));
    }
    auto& resources = program.resources;
    const auto used = source->shared_bytes_used() - resources.dynamic_shared_bytes;
    if (function.resources || launch.static_shared_bytes) {
        check_shared(function, launch, source->shared_bytes_used(), resources);
    } else if (resources.static_shared_bytes == 0 && used > 0) {
        resources.static_shared_bytes = used;
        program.notes.push_back(noted(
            NoteId::shared_size,
            fmt::format("{} bytes of static shared memory: up to the highest address that the blocks access",
                        used)));
    }
    return program;
}

}  // namespace gpumodel
