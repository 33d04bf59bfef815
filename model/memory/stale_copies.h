// Reads of data that atomics change, where the L2 has two halves (l2_halves.h): an atomic makes the copy in
// the other half invalid, and the next read from there takes three accesses of L2 for one: it looks for the
// copy, reads at home, and writes the copy.
//
// On average over an array's sectors, of r reads and a atomics in any order, half of the reads from each
// half:
//   accesses more per read = 2 * (1/2) * a / (r / 2 + a) * what comes before
// since the last that happened to the copy was a read from its half or an atomic, as often as there are of
// each. Of a sector that nothing has happened to yet nothing is known: of the n = (r / 2 + a) / (sectors that
// atomics name) that happen to one the first does not count, 1 - (1 - e^-n) / n. (H200: reads of a table take
// 66, 49, 35 % longer at 1, 2, 4 of them to an atomic, h200_sxm_slice_work.csv `mixed_*`, b = 1; this gives
// 67, 50, 33 %.)
//
// Ignored: that some sectors have more atomics than others, at the same number of reads; what stores change.
#pragma once

#include <string>
#include <vector>

#include "model/memory/traffic.h"

namespace gpumodel {

// Array by array; empty without atomics.
[[nodiscard]] std::vector<StaleCopies> find_stale_copies(const std::vector<AnalysedSite>& sites);

// Of one array; 0 where it is not among them.
[[nodiscard]] double accesses_more(const std::vector<StaleCopies>& all, const std::string& array);

}  // namespace gpumodel
