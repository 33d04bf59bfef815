#include "tools/launch/sass_launch_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/demangle.h"
#include "base/note.h"
#include "tools/launch/code_input.h"
#include "tools/launch/dumps.h"
#include "tools/launch/variables.h"
#include "traces/emulate/prepare/program_from_sass.h"

namespace gpumodel::cli {
namespace {

// CUDA programming guide, technical specifications per compute capability (cc 3.0 and later)
constexpr std::array<std::int64_t, 3> grid_limits{2147483647, 65535, 65535};
constexpr std::array<std::int64_t, 3> block_limits{1024, 1024, 64};
constexpr std::int64_t most_threads = 1024;
constexpr std::int64_t most_blocks = std::int64_t{1} << 32;  // what the walk over waves does in seconds

// Diagnostics of the emulator know the line, not the file.
InputError with_file(const InputError& error, const std::string& file) {
    auto diagnostics = error.diagnostics();
    for (auto& diagnostic : diagnostics) {
        if (diagnostic.file.empty() && diagnostic.line > 0) {
            diagnostic.file = file;
        }
    }
    return {error.kind(), std::move(diagnostics)};
}

KernelProgram executed(const SassFunction& entry, const SassLaunch& launch, const std::string& file) {
    try {
        return program_from_sass(entry, launch);
    } catch (const InputError& error) {
        throw with_file(error, file);
    }
}

std::optional<Dim3> dimensions(const std::string& text, const std::string& option,
                               const std::array<std::int64_t, 3>& most, OptionFaults& faults) {
    if (text.empty()) {
        faults.add(option, "is required with --sass and --cu: X, X,Y or X,Y,Z");
        return std::nullopt;
    }
    const auto values = faults.dimensions(text, option, 1, most);
    return values ? std::optional(Dim3{(*values)[0], (*values)[1], (*values)[2]}) : std::nullopt;
}

}  // namespace

void add_sass_launch_options(Command& command, SassLaunchOptions& options) {
    command.add_option(
        "--sass", options.file,
        "any kernel: a listing by 'cuobjdump -sass' (-sass -elf: with its constants), plain or .gz; also a "
        "cubin, fatbin or program where cuobjdump is found");
    command.add_option("--cu", options.cu, "CUDA source instead, compiled here for the generation of --arch");
    command.add_option("--nvcc-flags", options.nvcc_flags,
                       "with --cu: flags for nvcc, in one word: '-O3 -I inc'");
    command.add_option("--entry", options.entry, "its entry: the name, or a part no other has");
    command.add_option("--grid", options.grid, "blocks: X, X,Y or X,Y,Z");
    command.add_option("--block", options.block, "threads per block: X, X,Y or X,Y,Z");
    command.add_option("--args", options.args,
                       "its parameters in order: 4096 (int32), 4096L (int64), 0.5f, 0.5 (double), ptr or "
                       "ptr:SIZE, with contents @FILE (raw or .npy) or ptr:SIZE=zeros, =iota, "
                       "=random:SEED:LO..HI:TYPE, tex(FORMAT,SHAPE[,CONTENTS,WORDS]) or surf(...), "
                       "as tex(u8x4,1024x768,wrap,normalized); NAME= may stand before each");
    command
        .add_option(
            "--variables", options.variables,
            "NAME=CONTENTS: what a __constant__ or __device__ variable holds, as the contents of --args "
            "(@FILE, zeros, iota, random...); needs a listing with -elf; repeatable")
        .one_each();
    command
        .add_option("--dump", options.dumps,
                    "NAME=FILE: write what the kernel leaves in this allocation, all blocks run in order; "
                    "repeatable")
        .one_each();
    command.add_option("--dynamic-shared", options.dynamic_shared,
                       "bytes of dynamic shared memory per block (default 0)");
    command.add_option("--max-instructions", options.max_instructions,
                       "instructions of one warp beyond which a loop counts as endless (default 50000000)");
    command.add_flag(
        "--allow-unknown", options.allow_unknown,
        "step over instructions that are not known, where no branch or address depends on them; the "
        "result is partial and names them");
}

const SassFunction& choose_entry(const SassModule& module, const std::string& name) {
    if (const auto* exact = module.find(name)) {
        return *exact;
    }
    std::vector<const SassFunction*> found;
    std::vector<std::string> names;
    for (const auto& function : module.functions) {
        names.push_back(function.name);
        if (function.name.find(name) != std::string::npos) {
            found.push_back(&function);
        }
    }
    // "saxpy" is meant by its own name before it is a part of "saxpy_vector"
    const auto is_own_name = [&name](const SassFunction* f) {
        const auto readable = readable_entry(f->name);
        const auto start = readable.substr(0, readable.find_first_of("(<"));
        return !name.empty() && start.substr(start.find_last_of(": ") + 1) == name;
    };
    if (found.size() > 1 && std::count_if(found.begin(), found.end(), is_own_name) == 1) {
        return **std::find_if(found.begin(), found.end(), is_own_name);
    }
    if (found.size() == 1) {
        return *found.front();
    }
    constexpr std::size_t listed = 8;
    std::string candidates;
    for (std::size_t i = 0; i < std::min(found.size(), listed); ++i) {
        candidates += (i == 0 ? ": " : ", ") + found[i]->name;
    }
    const auto nearest = nearest_hint(name, names);
    const std::vector<std::string> first(
        names.begin(), names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), listed)));
    const std::string what =
        found.empty()
            ? "no entry has this name or part" +
                  (nearest.empty() ? fmt::format("; there are: {}", fmt::join(first, ", ")) : nearest)
        : name.empty() ? fmt::format("is required, the listing has {} entries{}{}", found.size(), candidates,
                                     found.size() > listed ? ", ..." : "")
                       : fmt::format("{} entries have this part{}{}; one must be meant", found.size(),
                                     candidates, found.size() > listed ? ", ..." : "");
    throw InputError(InputErrorKind::usage,
                     {{"", 0, 0, "--entry", name.empty() ? what : "'" + name + "': " + what}});
}

namespace {

// What the compiler reserved, which its code alone does not say.
void set_resources(const ReadCode& code, const SassFunction& entry, KernelProgram& program) {
    program.source_detail = code.made_by;
    const auto* reserved = code.resources_of(entry);
    if (reserved == nullptr) {
        return;
    }
    auto& resources = program.resources;
    resources.registers_per_thread = reserved->registers;
    resources.registers_source = "compiler";
    resources.static_shared_bytes = reserved->shared_bytes;
    std::erase_if(program.notes,
                  [](const std::string& note) { return read_note(note).id == NoteId::shared_size; });
    if (reserved->stack_bytes > 0) {
        program.notes.push_back(noted(
            NoteId::local_memory,
            fmt::format("{} bytes of local memory per thread (stack and spills)", reserved->stack_bytes)));
    }
}

}  // namespace

std::optional<ListedProgram> program_of(const SassLaunchOptions& options, const std::string& generation,
                                        const std::string& cuda, OptionFaults& faults) {
    SassLaunch launch;
    launch.allow_unknown = options.allow_unknown;
    const auto grid = dimensions(options.grid, "--grid", grid_limits, faults);
    const auto block = dimensions(options.block, "--block", block_limits, faults);
    if (block && block->count() > most_threads) {
        faults.add("--block", fmt::format("{} threads, allowed at most {}", block->count(), most_threads));
    }
    // in this order so that the product cannot overflow
    if (grid && grid->x * grid->y > most_blocks / grid->z) {
        faults.add("--grid", fmt::format("more than {} blocks", most_blocks));
    }
    launch.most_instructions_per_warp =
        faults.number_or(options.max_instructions, "--max-instructions", launch.most_instructions_per_warp,
                         {1, std::int64_t{1} << 40});
    launch.dynamic_shared_bytes =
        faults.number_or(options.dynamic_shared, "--dynamic-shared", 0, {0, 1 << 20});
    faults.collect([&] { launch.arguments = parse_arguments(options.args); });
    std::optional<ReadCode> code;
    const SassFunction* entry = nullptr;
    faults.collect([&] {
        code = read_code({options.file, options.cu, options.nvcc_flags, cuda}, generation);
    });
    if (code) {
        faults.collect([&] { entry = &choose_entry(code->module, options.entry); });
    }
    if (faults.any()) {
        return std::nullopt;
    }
    launch.grid = *grid;
    launch.block = *block;
    const auto dumps = dumps_of(options.dumps, launch.arguments, faults);
    launch.variables = variables_of(options.variables, *entry, faults);
    if (faults.any()) {
        return std::nullopt;
    }
    auto program = executed(*entry, launch, options.cu.empty() ? options.file : options.cu);
    set_resources(*code, *entry, program);
    if (!dumps.empty()) {
        write_dumps(dumps, *entry, launch, program);
    }
    program.params = fmt::format("grid={}x{}x{};block={}x{}x{};args={}", grid->x, grid->y, grid->z, block->x,
                                 block->y, block->z, options.args);
    return ListedProgram{std::move(program), entry->arch};
}

}  // namespace gpumodel::cli
