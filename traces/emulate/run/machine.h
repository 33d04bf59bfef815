// What executes: micro-operations on a warp's lane vectors.
//
// Every operand is a slot, one 32-bit value per lane: the vector registers, the uniform registers (the same
// value in all lanes), temporaries, and constants, which are known before the launch and stand behind the
// registers. A SASS instruction becomes a few micro-operations with all names resolved.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "traces/emulate/run/lanes.h"

namespace gpumodel::emulate {

inline constexpr int zero_slot = 255;           // RZ
inline constexpr int first_uniform_slot = 256;  // UR0; URZ is 511 and stays zero
inline constexpr int uniform_zero_slot = 511;
inline constexpr int discard_slot = 512;        // what is written to RZ
inline constexpr int barrier_count_slot = 513;  // BAR.RED.POPC, read by B2R
inline constexpr int first_return_slot = 514;   // Rpc.LO, Rpc.HI, which code uses as spare registers
inline constexpr int first_temporary_slot = 516;
inline constexpr int temporary_slots = 8;
inline constexpr int first_constant_slot = 524;

// Predicates: P0 ... PT are 0 ... 7, UP0 ... UPT 8 ... 15.
inline constexpr int true_predicate = 7;
inline constexpr int first_uniform_predicate = 8;
inline constexpr int discard_predicate = 16;
inline constexpr int carry_flag = 17;         // the condition code before Volta
inline constexpr int zero_flag = 18;          // likewise
inline constexpr int barrier_predicate = 19;  // BAR.RED.AND and OR, read by B2R
inline constexpr int scratch_predicate = 20;
inline constexpr int sign_flag = 21;          // of the condition code
inline constexpr int second_carry_flag = 22;  // of a sum of three
inline constexpr int predicate_count = 23;

struct PredicateUse {
    std::uint8_t index = true_predicate;
    bool inverted = false;
};

struct Warp;
struct MicroOp;
using Handler = void (*)(Warp& warp, const MicroOp& op, std::uint32_t mask);

struct MicroOp {
    Handler run = nullptr;
    int instruction = 0;
    PredicateUse guard;
    bool uniform = false;  // executes for all lanes whatever the path
    // What it does beside its results decides when it may be left out (slice.h).
    bool always = false;   // reports an access or steers the warp
    bool reports = false;  // runs even when no lane is active
    bool reads_shared = false, reads_local = false;
    bool writes_shared = false, writes_local = false;
    // Of reads_shared: barriers alone (mbarrier.h). Of writes_shared: a copy's data, where none lie.
    bool reads_barrier = false, writes_tile = false;
    bool reads_global = false, writes_global = false;
    bool swaps_global = false;   // if a comparison holds
    bool crosses_lanes = false;  // results in one lane hang on sources in others
    bool unknown = false;        // its results are not computed, and nothing that steers the warp needs them
    bool has_target = false;     // `immediate` is a code address until the program turns it into a block
    std::array<std::uint16_t, 2> to{discard_slot, discard_slot};
    std::array<std::uint16_t, 10> from{zero_slot, zero_slot, zero_slot, zero_slot, zero_slot,
                                       zero_slot, zero_slot, zero_slot, zero_slot, zero_slot};
    std::array<std::uint8_t, 2> predicate_to{discard_predicate, discard_predicate};
    std::array<PredicateUse, 3> predicate_from{};
    std::uint32_t option = 0;    // meaning is the handler's
    std::int64_t immediate = 0;  // meaning is the handler's
};

struct BlockState;

// The barrier of a cluster among a block's, which code numbers from 0 to 15.
inline constexpr std::uint32_t cluster_barrier_number = 16;

// Where diverged lanes meet again: one execution of BSSY (Volta and later), SSY, PBK, PCNT or CAL (before).
struct Meeting {
    enum class Kind : unsigned char { sync, loop_break, loop_continue, call };
    Kind kind = Kind::sync;
    std::uint32_t expected = 0;  // lanes that have not left it by EXIT, BREAK or BRK
    int target = -1;             // code block
};

enum class Wait : unsigned char { none, meeting, block_barrier, warp_sync };

// Lanes that execute together.
struct Path {
    int block = 0;  // next code block
    std::uint32_t mask = 0;
    Wait wait = Wait::none;
    std::uint32_t wait_for = 0;  // meeting, barrier number or lane mask
    bool barrier_voted = false;
    std::vector<int> stack;  // before Volta: open meetings
    // Hashes of registers and predicates when it last gave way (YIELD, NANOSLEEP); a loop may do so at
    // several places.
    std::array<std::uint64_t, 8> given_way{};
    std::size_t times_given_way = 0;
};

// Which lanes' values hang on device memory that nobody gave (taint.h).
struct WarpTaint {
    std::vector<std::uint32_t> slots;
    std::array<std::uint32_t, predicate_count> predicates{};
    std::uint32_t sources = 0;  // of the operation that runs; stores keep it with what they store
    std::uint32_t loaded = 0;   // set by the operation that runs, where it loads
};

struct Warp {
    int index = 0;
    BlockState* block = nullptr;
    std::vector<Lanes> slots;
    std::array<std::uint32_t, predicate_count> predicates{};
    std::uint32_t alive = 0;
    std::array<Lanes, 3> thread{};  // threadIdx

    std::vector<Path> paths;
    std::size_t current = 0;
    std::vector<Meeting> meetings;
    std::vector<int> free_meetings;
    static constexpr std::size_t barrier_registers = 16;
    std::array<Lanes, barrier_registers> meeting_of{};  // B0 ... B15: meeting + 1, 0 = none
    std::int64_t executed = 0;
    bool yielded = false, paused = false;
    // Tries of loops around a compare-and-swap in shared memory; whether the last one lost to another warp's.
    std::uint32_t swap_tries = 0;
    std::uint32_t lost_swaps = 0;  // lanes whose last one in device memory was lost
    bool lost_swap = false;
    std::unique_ptr<WarpTaint> taint;  // only where device memory is read at all

    // Of the block, lanes of the last warp that nobody uses among them.
    [[nodiscard]] std::size_t thread_number(std::size_t lane) const {
        return static_cast<std::size_t>(index) * lane_count + lane;
    }
    [[nodiscard]] std::uint32_t predicate(PredicateUse use) const {
        return predicates[use.index] ^ (use.inverted ? all_lanes : 0);
    }
    void set_predicate(int number, std::uint32_t value, std::uint32_t mask) {
        auto& to = predicates[static_cast<std::size_t>(number)];
        to = (to & ~mask) | (value & mask);
    }
    int open_meeting(Meeting::Kind kind, std::uint32_t expected, int target);
    void close_meeting(int meeting) { free_meetings.push_back(meeting); }
};

}  // namespace gpumodel::emulate
