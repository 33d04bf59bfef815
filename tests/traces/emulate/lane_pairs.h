// A line of SASS on many triples of words, 32 at a time.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

using Triple = std::array<std::uint32_t, 3>;

// R4 after the lines with R1, R2, R3 = a triple.
std::vector<std::uint32_t> run_triples(const std::string& arch, const std::vector<std::string>& lines,
                                       const std::vector<Triple>& triples);

// All pairs of 16-bit patterns, as the lower and, in another order, the upper halves of the first two words;
// the third word goes through them in yet another one (validate/instructions/half_values).
std::vector<Triple> triples_of(const std::vector<std::uint32_t>& patterns);
// Likewise, the upper halves of all words out of other patterns.
std::vector<Triple> triples_of(const std::vector<std::uint32_t>& lower,
                               const std::vector<std::uint32_t>& upper);
// Zeros, subnormal numbers, ones, ends of the range, infinities, NaNs.
extern const std::vector<std::uint32_t> half_patterns, bfloat_patterns;

// The lines' result on all triples is `expected`'s.
void check_triples(const std::string& arch, const std::vector<std::string>& lines,
                   const std::vector<Triple>& triples,
                   const std::function<std::uint32_t(const Triple&)>& expected);
