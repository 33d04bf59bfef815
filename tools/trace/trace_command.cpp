// gpumodel trace: trace files, made, shown and converted.
#include <fmt/format.h>

#include <memory>

#include "tools/cli/option_values.h"
#include "tools/launch/trace_files.h"
#include "tools/trace/trace_compare_codegen.h"
#include "tools/trace/trace_gen.h"
#include "tools/views/trace/trace_views.h"

namespace gpumodel::cli {

namespace {

constexpr std::int64_t most_dumped = 1'000'000;  // instructions; the text is put together in memory

struct DumpOptions {
    TraceInputOptions input;
    OutputOptions output;
    std::string block = "0,0,0";
    std::string warp, limit;
};

struct InfoOptions {
    TraceInputOptions input;
    OutputOptions output;
};

struct ConvertOptions {
    TraceInputOptions input;
    std::string out;
};

std::string dump(const DumpOptions& options) {
    if (options.output.format == Format::csv) {
        throw InputError(InputErrorKind::usage,
                         {{"", 0, 0, "--format", "trace dump has no csv form, allowed text and json"}});
    }
    const auto trace = load_trace(options.input);
    const auto& program = trace.program;
    OptionFaults faults;
    DumpRange range;
    const auto& grid = program.grid;
    if (const auto block =
            faults.dimensions(options.block, "--block", 0, {grid.x - 1, grid.y - 1, grid.z - 1})) {
        range.block = {(*block)[0], (*block)[1], (*block)[2]};
    }
    range.warp =
        static_cast<int>(faults.number_or(options.warp, "--warp", 0, {0, (program.block.count() - 1) / 32}));
    range.limit = faults.number_or(options.limit, "--limit", range.limit, {1, most_dumped});
    faults.throw_if_any();
    return trace_dump(trace, options.input.file, range, options.output.format);
}

void add_gen(Command& trace) {
    const auto options = std::make_shared<TraceGenOptions>();
    auto command =
        trace.add_subcommand("gen", "writes the trace of a kernel family or of a launch of real SASS");
    add_arch_options(command, options->arch);
    add_family_options(command, options->program);
    add_sass_launch_options(command, options->program.sass);
    command.add_option("--out", options->out, "trace file: .gpt, or Accel-Sim's .g, .traceg, .traceg.xz")
        .required();
    command.footer(
        "Examples:\n"
        "  gpumodel trace gen --arch v100_sxm2 --kernel warptile -m 512 -n 512 -k 512 --out warptile.gpt\n"
        "  gpumodel trace gen --arch sm_70 --sass k.sass --entry saxpy --grid 64 --block 256 --args "
        "16384,2.0f,ptr,ptr --out saxpy.traceg.xz");
    command.run([options] { return write_output({}, save_trace(generate_trace(*options), options->out)); });
}

void add_info(Command& trace) {
    const auto options = std::make_shared<InfoOptions>();
    auto command = trace.add_subcommand("info", "launch, instruction counts by class and accesses");
    add_trace_input(command, options->input);
    add_output_options(command, options->output);
    command.footer(
        "Examples:\n"
        "  gpumodel trace info warptile.gpt\n"
        "  gpumodel trace info saxpy.traceg.xz --format json");
    command.run([options] {
        return write_output(options->output, trace_info(load_trace(options->input), options->input.file,
                                                        options->output.format));
    });
}

void add_dump(Command& trace) {
    const auto options = std::make_shared<DumpOptions>();
    auto command = trace.add_subcommand("dump", "what one warp executes, with lanes and addresses");
    add_trace_input(command, options->input);
    command.add_option("--block", options->block, "block X,Y,Z (default 0,0,0)");
    command.add_option("--warp", options->warp, "warp of the block (default 0)");
    command.add_option("--limit", options->limit, "instructions shown (default 100)");
    add_output_options(command, options->output);
    command.footer(
        "Examples:\n"
        "  gpumodel trace dump warptile.gpt\n"
        "  gpumodel trace dump warptile.gpt --block 1,0,0 --warp 3 --limit 20");
    command.run([options] { return write_output(options->output, dump(*options)); });
}

void add_convert(Command& trace) {
    const auto options = std::make_shared<ConvertOptions>();
    auto command = trace.add_subcommand("convert", "one trace format into another, by the endings");
    add_trace_input(command, options->input);
    command
        .add_option("out", options->out, ".gpt, .traceg, .traceg.xz, or a list .g with its kernel beside it")
        .required();
    command.footer(
        "Examples:\n"
        "  gpumodel trace convert warptile.gpt warptile.traceg.xz\n"
        "  gpumodel trace convert kernel-1.traceg kernel.gpt");
    command.run([options] {
        static_cast<void>(format_of(options->out));  // before the work
        return write_output({}, save_trace(load_trace(options->input), options->out));
    });
}

void add_compare_codegen(Command& trace) {
    const auto options = std::make_shared<CompareCodegenOptions>();
    auto command = trace.add_subcommand(
        "compare-codegen", "how well the families' programs match compiled code, by architecture and family");
    command.add_option("--listings", options->listings, "folder of the listings (default validate/listings)");
    command.add_option("--arch", options->arch, "one generation, sm_70; default all that have a listing");
    command.add_option("--size", options->size, "M=N=K of the products (default 1024)")
        .range(1, std::int64_t{1} << 20);
    command.add_flag("--rows", options->rows, "every instance instead of the table");
    command.add_flag("--simulate", options->simulate,
                     "simulated times of generated and compiled code, on the generation's default product");
    command.add_option("--kernel", options->kernel,
                       "with --simulate: only instances with this in \"family params\"");
    command.add_option("--sample", options->sample, "with --simulate: so many instances per architecture");
    command.add_option("--threads", options->threads, "with --simulate: cores (default all)").range(1, 1024);
    add_output_options(command, options->output);
    command.footer(
        "Examples:\n"
        "  gpumodel trace compare-codegen\n"
        "  gpumodel trace compare-codegen --arch sm_90 --rows\n"
        "  gpumodel trace compare-codegen --arch sm_90 --simulate --sample 50");
    command.run([options] { return run_compare_codegen(*options); });
}

}  // namespace

void add_trace_command(Command& app) {
    auto trace = app.add_subcommand("trace", "make, show and convert trace files");
    trace.require_subcommand();
    add_gen(trace);
    add_info(trace);
    add_dump(trace);
    add_convert(trace);
    add_compare_codegen(trace);
}

}  // namespace gpumodel::cli
