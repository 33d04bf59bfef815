// Runs a sweep: on the threads of this process, or on all ranks of an MPI launch.
#pragma once

#include "tools/sweep/mpi/ranks.h"
#include "tools/sweep/pieces/piece.h"

namespace gpumodel::cli {

// Writes what the plan says, in the grid's order, as it is finished; the same bytes for any number of threads
// and ranks. Memory does not grow with the number of points: at most a few pieces per thread are in flight,
// and --top holds back that many rows per shape. On standard error at the end: how many points which rule
// rejected (in the output itself for text and json). Ctrl-C: pieces that have begun are finished and written,
// exit code 130. Exit code 3 if no point of an unsharded sweep is valid. Every rank calls it with the same
// plan; rank 0 writes.
[[nodiscard]] int run_sweep(const SweepPlan& plan, const ArchSpec& base, const Ranks& ranks);

}  // namespace gpumodel::cli
