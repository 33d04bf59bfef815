// One run of the gpumodel command: parses, runs one subcommand, maps errors to the contract's exit codes.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace gpumodel::cli {

// `arguments`: those after the program's name. Prints to out() and err() (tools/cli/streams.h); returns the
// exit code. Of what it throws, Stopped (base/process.h) alone is left to the caller. One run at a time in a
// process.
[[nodiscard]] int run_command(const std::vector<std::string>& arguments);

// The exit code of `work`; faults that it throws are printed as a subcommand's.
[[nodiscard]] int reporting_faults(const std::function<int()>& work);

}  // namespace gpumodel::cli
