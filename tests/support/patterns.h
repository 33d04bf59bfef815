// Warp accesses for tests: the shapes the guides draw, and random ones of many kinds.
#pragma once

#include <cstdint>
#include <random>
#include <string>

#include "model/memory/warp_access.h"

namespace gpumodel::test {

// Lane l names the word at offset + l * stride, stride in words of `width` bytes.
[[nodiscard]] WarpAccess strided(int stride, std::int64_t offset = 0, int width = 4);

// The same addresses, dealt to other lanes of the same group of `group` lanes (active bits travel along).
[[nodiscard]] WarpAccess permuted(const WarpAccess& access, int group, std::mt19937& random);

// One of several kinds: strided, scattered near or far, few distinct words, a 2-D tile, equal pairs;
// any width, and in one case of three some lanes inactive.
[[nodiscard]] WarpAccess random_access(std::mt19937& random);

[[nodiscard]] std::string describe(const WarpAccess& access);

}  // namespace gpumodel::test
