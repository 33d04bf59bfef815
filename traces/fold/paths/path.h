// One warp's executed path, flat: straight pieces and loops in order, with the memory accesses beside them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "traces/warp_events.h"

namespace gpumodel {

// straight: instructions [begin, end) with these active lanes. Loops enclose what stands between their two
// tokens.
struct PathToken {
    enum class Kind : unsigned char { straight, loop_begin, loop_end };
    Kind kind = Kind::straight;
    std::int32_t begin = 0, end = 0;
    std::uint32_t active = 0;
    std::int64_t trips = 0;  // loop_begin
    friend bool operator==(const PathToken&, const PathToken&) = default;
};

// What two executions of an access must share to be the same access of a loop. An asynchronous copy is two of
// them, the global one first.
struct PathAccess {
    std::int32_t instruction = 0;
    std::int32_t array = -1;
    std::uint32_t active = 0;
    MemorySpace space = MemorySpace::global;
    bool copy_target = false;                           // where an asynchronous copy goes
    std::uint8_t depth = 0;                             // loops of the path around it
    std::array<std::int64_t, max_loop_depth> stride{};  // bytes per iteration, innermost loop first
    friend bool operator==(const PathAccess&, const PathAccess&) = default;
};

// What is kept of one path as executed; beyond that a kernel is too irregular for a program.
inline constexpr std::size_t max_path_accesses = std::size_t{1} << 17;
inline constexpr std::size_t max_path_tokens = std::size_t{1} << 20;

using LaneAddresses = std::array<std::int64_t, 32>;

// Addresses are those of iteration 0 of all loops. Idle lanes repeat the first active one, so that lanes can
// be compared without their mask. Growing beyond the limits throws InputError (invalid input).
struct Path {
    std::vector<PathToken> tokens;
    std::vector<PathAccess> accesses;
    std::vector<LaneAddresses> addresses;  // one per access

    void add_piece(int begin, int end, std::uint32_t active);
    void add_access(const PathAccess& access, const LaneAddresses& addresses_of_lanes);
    void append(const Path& other);
    void append(const Path& other, std::size_t first_token, std::size_t first_access);
    void clear();
    [[nodiscard]] bool empty() const { return tokens.empty(); }
    [[nodiscard]] int loop_depth() const;

private:
    void check_size() const;
};

// Bytes that each access moves from `before` to `after`; false unless the two have the same tokens and
// accesses and all lanes of an access move alike.
[[nodiscard]] bool uniform_steps(const Path& before, const Path& after, std::vector<std::int64_t>& steps);

// Whether `path` begins with (`whole`: is) `base`, moved by times * steps.
[[nodiscard]] bool follows(const Path& base, std::span<const std::int64_t> steps, std::int64_t times,
                           const Path& path, bool whole);

// Appends `trips` trips of the body, given as consecutive parts (the iterations of one period). The accesses
// become those of iteration 0 with one more, outermost, stride.
void append_loop(Path& path, std::span<const Path> parts, std::span<const std::vector<std::int64_t>> steps,
                 std::int64_t trips);

}  // namespace gpumodel
