// Runs a few instructions on one warp and shows what came out of them.
#pragma once

#include <array>
#include <functional>
#include <string>

#include "traces/sass/sass_module.h"

using LaneWords = std::array<std::uint32_t, 32>;

// Assembled from lines without addresses: "IADD3 R4, R1, R2, RZ". Lines may carry guards.
gpumodel::SassFunction assemble(const std::string& arch, const std::vector<std::string>& lines);

// R0 = lane, then the lines, then R4 in every lane: it is stored to a[R4], whose address tells it.
// Parameters: the array, then `words` as 32-bit integers from the next parameter on.
LaneWords run_lines(const std::string& arch, const std::vector<std::string>& lines,
                    const std::vector<std::uint32_t>& words = {});

// "c[0x0][0x168]": where run_lines() puts words[i].
std::string word(const std::string& arch, int i);
