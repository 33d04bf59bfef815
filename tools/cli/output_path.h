// What --out may name, looked at before any work is done for it.
#pragma once

namespace gpumodel::cli {

// Throws InputError (usage) for an --out of this run (raw_arguments) whose ending promises what no subcommand
// writes (pictures that are not svg, documents, archives), for one that another argument reads, and for one
// that cannot be written, before minutes have gone into what would be lost.
void check_output_path();

}  // namespace gpumodel::cli
