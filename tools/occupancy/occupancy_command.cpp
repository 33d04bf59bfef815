// gpumodel occupancy: one launch, a sweep over one resource, or many launches from a job file.
#include <limits>
#include <memory>

#include "model/launch/occupancy.h"
#include "tools/cli/command.h"
#include "tools/cli/option_values.h"
#include "tools/occupancy/occupancy_jobs.h"
#include "tools/views/occupancy/occupancy_views.h"

namespace gpumodel::cli {

namespace {

struct OccupancyOptions {
    ArchOptions arch;
    OutputOptions output;
    std::string threads, registers, shared, barriers, carveout;  // checked by request_of, all at once
    std::string sweep;
    std::string jobs;
};

void require_given(const OccupancyOptions& options, OptionFaults& faults) {
    const bool one_launch = options.jobs.empty();
    if (one_launch && options.threads.empty() && options.sweep != "threads") {
        faults.add("--threads", "give the threads per block, or --jobs FILE");
    }
    if (one_launch && options.registers.empty() && options.sweep != "registers") {
        faults.add("--registers", "give the registers per thread, or --jobs FILE");
    }
    if (!one_launch && !(options.threads.empty() && options.registers.empty() && options.shared.empty())) {
        faults.add("--jobs", "threads, registers and shared memory come from the job file, not from options");
    }
    if (!one_launch && !options.sweep.empty()) {
        faults.add("--jobs", "excludes --sweep");
    }
    const auto exclude_swept = [&](const char* axis, const std::string& value) {
        if (options.sweep == axis && !value.empty()) {
            faults.add("--sweep", std::string("sweeps over ") + axis + ": leave out --" + axis);
        }
    };
    exclude_swept("threads", options.threads);
    exclude_swept("registers", options.registers);
    exclude_swept("shared", options.shared);
    if (!options.sweep.empty() && options.sweep != "threads" && options.sweep != "registers" &&
        options.sweep != "shared") {
        faults.add("--sweep", "'" + options.sweep + "' is none of registers, shared, threads");
    }
}

OccupancyRequest request_of(const OccupancyOptions& options, OptionFaults& faults) {
    OccupancyRequest request;
    request.threads_per_block =
        static_cast<int>(faults.number_or(options.threads, "--threads", 1, at_least_one));
    request.registers_per_thread = static_cast<int>(faults.number_or(options.registers, "--registers", 0));
    request.shared_bytes_per_block = faults.number_or(options.shared, "--shared", 0);
    request.barriers_per_block = static_cast<int>(faults.number_or(options.barriers, "--barriers", 1));
    if (!options.carveout.empty()) {
        if (const auto percent = faults.whole_number(options.carveout, "--carveout", {0, 100})) {
            request.carveout_percent = static_cast<int>(*percent);
        }
    }
    return request;
}

OccupancyAxis axis_of(const std::string& name) {
    if (name == "threads") {
        return OccupancyAxis::threads;
    }
    return name == "shared" ? OccupancyAxis::shared_memory : OccupancyAxis::registers;
}

std::string results(const OccupancyOptions& options, Format format, const ArchSpec& arch,
                    const OccupancyRequest& request) {
    if (!options.jobs.empty()) {
        const auto table = occupancy_table(options.jobs, arch, request);
        return format == Format::csv    ? table_csv(table)
               : format == Format::json ? table_json(table, arch)
                                        : table_text(table);
    }
    if (options.sweep.empty()) {
        return format == Format::csv    ? occupancy_csv(arch, request)
               : format == Format::json ? occupancy_json(arch, request)
                                        : occupancy_text(arch, request);
    }
    const auto axis = axis_of(options.sweep);
    const OccupancySweep sweep{axis, options.sweep, occupancy_cliffs(arch, request, axis)};
    return format == Format::csv    ? sweep_csv(arch, sweep)
           : format == Format::json ? sweep_json(arch, request, sweep)
                                    : sweep_text(arch, request, sweep);
}

int run(const OccupancyOptions& options) {
    OptionFaults faults;
    require_given(options, faults);
    const auto request = request_of(options, faults);
    const auto arch = faults.load_arch(options.arch);
    faults.throw_if_any();
    const auto in = [&](Format format) {
        return [&, format] { return results(options, format, arch, request); };
    };
    return write_result(options.output, {in(Format::text), in(Format::json), in(Format::csv)});
}

}  // namespace

void add_occupancy_command(Command& app) {
    auto options = std::make_shared<OccupancyOptions>();
    auto command =
        app.add_subcommand("occupancy", "blocks per SM, what limits them, and what gains one more");
    add_arch_options(command, options->arch, false);
    command.add_option("--threads", options->threads, "threads per block");
    command.add_option("--registers", options->registers, "registers per thread");
    command.add_option("--shared", options->shared,
                       "shared memory per block, static and dynamic, in bytes (default 0)");
    command.add_option("--barriers", options->barriers, "named barriers per block (default 1)");
    command.add_option("--carveout", options->carveout,
                       "preferred shared-memory carve-out in per cent of the largest (default: the largest)");
    command.add_option("--sweep", options->sweep, "print the cliffs over registers, shared or threads")
        .shown_as("registers|shared|threads");
    command.add_option("--jobs", options->jobs,
                       "csv file with columns threads,registers,shared; '-' = standard input");
    add_output_options(command, options->output);
    command.footer(
        "Examples:\n"
        "  gpumodel occupancy --arch sm_70 --threads 256 --registers 64 --shared 8192\n"
        "  gpumodel occupancy --arch k40 --threads 256 --sweep registers\n"
        "  gpumodel occupancy --arch sm_70 --jobs cases.csv --format csv");
    command.run([options] { return run(*options); });
}

}  // namespace gpumodel::cli
