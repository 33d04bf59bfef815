// KernelProgram: what a GPU executes for one launch, kept as structure and never unrolled over K.
// A program is a sequence of nodes; a node is a barrier interval (segments that run until the next
// block-wide barrier) or a loop over nodes. Segments count warp instructions by opcode class and hold
// their memory accesses as functions of (block, thread, loop counters), so that every lane's address
// is known without executing anything.
//
// Nodes run in program order per thread; threads of a block are ordered only by block-wide barriers (and,
// within a warp, by warp barriers), so neighbouring nodes of disjoint thread ranges run concurrently
// until the next barrier.
//
// Each segment lists its instructions in order; `ops` counts exactly those. The families (traces/kernel) use
// the same type for their tiles, which the code generator (traces/codegen) turns into instructions and nobody
// else sees: there segments only count, the mix of integer and control instructions is an estimate
// (instruction_mix.h), FFMA and memory counts are exact.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "arch_specs/op_class.h"
#include "base/enum_table.h"
#include "traces/instruction_list.h"
#include "traces/side_by_side_time.h"

namespace gpumodel {

struct Dim3 {
    std::int64_t x = 1, y = 1, z = 1;
    [[nodiscard]] std::int64_t count() const { return x * y * z; }
    friend bool operator==(const Dim3&, const Dim3&) = default;
};

inline constexpr int max_loop_depth = 6;

// Where an access is executed. `loop[d]` is the counter of the d-th enclosing loop, outermost first;
// counters of loops that do not enclose the site are 0. `thread` is the linear thread index
// x + blockDim.x*(y + blockDim.y*z).
struct Coord {
    std::int64_t block_x = 0, block_y = 0, block_z = 0;
    std::array<std::int64_t, max_loop_depth> loop{};
    int thread = 0;
};

// What a site's words mean to the arithmetic; the host executor (host_reference.h) runs on these.
enum class SiteRole : unsigned char {
    stage_load,    // global -> registers, in the order in which the paired stage_store writes them
    stage_store,   // registers -> shared
    fragment_a,    // words of A for one product step, i = 0 ... R-1
    fragment_b,    // words of B for one product step, j = 0 ... S-1
    result_read,   // old C
    result_write,  // new C
    copy_load,
    copy_store,  // copies and transposes: out word w of a thread = in word w
    none,  // no data of the program: accumulators kept in local memory, loads that a predicate turns off
};

// One static memory access of the source, executed `words / vector_words` times per thread and trip.
struct AccessSite {
    std::string name;   // "A tile load"
    std::string array;  // "A", "B", "C", "in", "out"; "As", "Bs" for shared arrays
    MemorySpace space = MemorySpace::global;
    AccessKind kind = AccessKind::load;
    SiteRole role = SiteRole::stage_load;
    int words = 1;           // 4-byte words per thread and trip
    int vector_words = 1;    // words per access: 1, 2 or 4 consecutive ones (32-, 64-, 128-bit instructions)
    int sub_word_bytes = 0;  // 1 or 2 for 8- and 16-bit accesses (vector_words = 1); 0 = whole words
    // Stage chain: a stage_store (or async_copy) writes what the stage_load with the same id loaded.
    int stage_id = 0;
    // Byte address of word w, 0 <= w < words, relative to the array's start (for shared sites: the
    // block's shared memory). Affine in the block coordinates within the blocks that run the site
    // (BlockVariant) and in each loop counter; arbitrary in thread and w.
    std::function<std::int64_t(const Coord&, int word)> address;
    // address(c, w) - address(c, 0) is the same at every c: how far word w lies from word 0 need be asked
    // once only.
    bool words_fixed = false;
    // Fragment sites: which word of the fragment word w is, -1 for one that is read for nothing; empty = the
    // site's words follow those of the sites before it.
    std::function<int(int word)> fragment_index;
    // Lane predicate; empty = all lanes of the segment's threads.
    std::function<bool(const Coord&)> active;
    // `active` and `word_active` ask for the thread alone: the same lanes in every block and trip.
    bool lanes_fixed = false;
    // Predicate of single words in edge tiles (an inactive load gives 0); empty = all words. The words of
    // one access always share it.
    std::function<bool(const Coord&, int word)> word_active;
    // The access result is read-only data for the whole kernel (const __restrict__ in the source).
    bool read_only = false;
    // Through the texture unit, which reads read-only data.
    TextureUnit texture = TextureUnit::none;
    TextureFilter filter{};
    // Of global sites of a family: bytes from row to row of their array, where that, 0 for no rows, is all
    // that addresses of one code know of the problem's size, but for a constant, blocks and loops.
    std::optional<std::int64_t> pitch;
    // Segments with the same code (InstructionList::identity) have the same functions here, but for a
    // constant added to all addresses and whatever they make of the loops: where generated code keeps its
    // tiles in shared memory, at any size of the problem, and in device memory at any with the same pitch.
    bool fixed_by_code = false;
    // From L2 to shared memory without a line in L1: LDGSTS.BYPASS, and what the copy engine does. Loads that
    // other SMs' stores may change (LDG.STRONG.GPU: ld.cg).
    bool past_l1 = false;
    CopyUnit copies = CopyUnit::none;
    // A compare-and-swap that comes again with what was there, until it holds.
    bool retried = false;
    // LDSM, STSM: each active lane names a 16-byte row of an 8x8 matrix, eight lanes per matrix.
    bool matrix_rows = false;
    // Local memory (LDL, STL): a global site whose array belongs to the running threads; the host executor
    // skips it.
    bool thread_private = false;

    [[nodiscard]] bool is_active(const Coord& at, int word) const {
        return (!active || active(at)) && (!word_active || word_active(at, word));
    }
    [[nodiscard]] int accesses() const { return words / vector_words; }
    // Width by which latency and cost go: matrices come a wavefront each, as 32-bit accesses with conflicts
    // do (H200: LDSM of 1, 2, 4 matrices 23, 25, 29 cycles).
    [[nodiscard]] int cost_words() const { return matrix_rows ? 1 : vector_words; }
    [[nodiscard]] int bytes_per_lane() const {
        return sub_word_bytes > 0 ? sub_word_bytes : 4 * vector_words;
    }
};

// Warp instructions per executing warp and trip, by opcode class. Memory and barrier classes are
// filled in too, and equal the sites' access counts.
using OpCounts = std::array<double, op_class_count>;

// What latency a warp cannot hide by itself, per trip of the segment: of tiles as the source has it, else
// from the instructions (dependency_shape.h).
struct DependencyShape {
    double serial_global_loads = 0;  // dependent or batched global-load round trips waited for
    double serial_shared_loads = 0;  // dependent or batched shared-load round trips waited for
    double ilp = 1;                  // independent arithmetic instructions between dependent ones
    // Round trips started here and waited for only in a later segment of the same loop trip (register or
    // asynchronous prefetch): only what exceeds the work in between is exposed.
    double prefetched_global_loads = 0;
    double trips_ahead = 0;  // of asynchronous copies: trips of the loop between the two; 0 = not known
};

// How a compiler orders a segment of tiles; nothing in programs that have their code.
struct SegmentOrder {
    int load_window = 0;  // loads out before the first is stored; 0 = as the dependencies say
    // Addresses are kept in registers and go on by a constant: a body starts with its loads. Else addresses
    // are computed from the counter first.
    bool loads_first = false;
    // Of products with a window: what does not fit it is loaded when it is needed, the whole window at once.
    bool loads_late = false;
    friend bool operator==(const SegmentOrder&, const SegmentOrder&) = default;
};

// C[i][j] += A[i]*B[j] for each step, accumulators acc_base + i*s + j. r = 0: no arithmetic.
// The fragment sites of a segment hold r*steps words of A and s*steps words of B, in site order.
struct ProductStep {
    int r = 0;      // words of A per thread and step
    int s = 0;      // words of B per thread and step
    int steps = 1;  // k steps per trip
    // Order of the fragment words over the steps q: word of A(i) is i*steps + q if along k, else q*r + i;
    // the word of B(j) is q*s + j.
    bool a_along_k = false;
    int row_run = 0, column_run = 0;  // words of A and of B that lie side by side; 0 = not said
    // Index of accumulator (0,0) for the enclosing loop counters (sub-tile loops); empty = 0.
    std::function<int(const Coord&)> acc_base;
    // Index of accumulator (i,j); empty = acc_base + i*s + j.
    std::function<int(const Coord&, int i, int j)> acc;
};

// Code executed by threads [thread_begin, thread_end) of the block.
struct Segment {
    std::string name;  // "tile load", "products", "epilogue"
    int thread_begin = 0;
    int thread_end = 0;
    OpCounts ops{};
    // Thread instructions in units of 32, per warp and trip: `ops` times the part of the lanes that is
    // active. A class at 0 runs with full warps.
    OpCounts lane_ops{};
    // Arrive and wait operations on barriers that lie in shared memory; in addition to `ops`. Profilers count
    // them as shared loads, without wavefronts.
    double shared_barrier_operations = 0;
    std::vector<AccessSite> sites;
    DependencyShape dependency;
    SegmentOrder order;
    ProductStep product;
    // What each warp of the range issues per trip, in order; empty in tiles. The branch that closes a loop
    // ends the last segment of its body, a block-wide barrier ends its interval's segments.
    InstructionList code;
};

// Segments between two block-wide barriers; segments of disjoint thread ranges run concurrently,
// segments that share threads run in the order given.
struct Interval {
    std::vector<Segment> segments;
    bool barrier_after = false;
    bool warp_barrier_after = false;  // __syncwarp: orders shared accesses within a warp only
};

struct Loop;
using Node = std::variant<Interval, Loop>;

struct Loop {
    std::string name;  // "k tiles", "k steps", "sub-tile rows"
    std::int64_t trips = 0;
    int unroll = 1;  // of tiles: body copies per branch, as estimated for the compiler; else 1
    std::vector<Node> body;
};

// visit(segment) of all nodes, in program order.
template <class Visit>
void each_segment(const std::vector<Node>& nodes, const Visit& visit) {
    for (const auto& node : nodes) {
        if (const auto* loop = std::get_if<Loop>(&node)) {
            each_segment(loop->body, visit);
            continue;
        }
        for (const auto& segment : std::get<Interval>(node).segments) {
            visit(segment);
        }
    }
}

// Resources of one block, as launched.
struct BlockResources {
    int threads = 0;
    int registers_per_thread = 0;
    bool registers_estimated = true;  // false: from ptxas or --registers
    std::string registers_source;     // "estimate (families, sm_35)", "--registers", "FILE:12"
    std::int64_t static_shared_bytes = 0;
    std::int64_t dynamic_shared_bytes = 0;
    int barriers = 1;
};

// A global array: size and whether the launch reads and/or writes it.
struct ArrayUse {
    std::string name;
    std::int64_t bytes = 0;
    bool read = false;
    bool written = false;
    std::optional<std::int64_t> address{};  // in device memory, where known
    bool restored = false;  // between one launch and the next it is copied from elsewhere on the GPU
};

// Blocks [begin, end) in each coordinate.
struct BlockBox {
    Dim3 begin{0, 0, 0}, end{1, 1, 1};
    [[nodiscard]] std::int64_t count() const {
        return (end.x - begin.x) * (end.y - begin.y) * (end.z - begin.z);
    }
    [[nodiscard]] bool contains(const Dim3& block) const {
        return block.x >= begin.x && block.x < end.x && block.y >= begin.y && block.y < end.y &&
               block.z >= begin.z && block.z < end.z;
    }
    friend bool operator==(const BlockBox&, const BlockBox&) = default;
};

// Blocks that run other code than the rest: cut by the problem's edge, or with more trips of a loop.
struct BlockVariant {
    BlockBox blocks;
    std::vector<Node> body;
    // From blocks.begin to the block whose addresses are its own where it stands for blocks that go
    // elsewhere.
    Dim3 executed{0, 0, 0};
};

// Where a program came from; consumers do not look, results say it.
enum class ProgramSource : unsigned char {
    given,      // a listing, a compiled file or a trace that the user names
    compiled,   // the family's kernel, compiled here by a CUDA toolkit
    shipped,    // the family's kernel, compiled before (traces/provide)
    generated,  // by our code generator (traces/codegen)
    library,    // generated for a vendor-style tile: schedule kept by hand
};
inline constexpr auto program_source_names =
    enum_words<ProgramSource>("given", "compiled", "shipped", "generated", "library");
[[nodiscard]] constexpr std::string_view to_string(ProgramSource source) {
    return program_source_names[static_cast<std::size_t>(source)];
}
// Code by a real compiler, of a family: its error band is another than that of generated code.
[[nodiscard]] constexpr bool is_compiled(ProgramSource source) {
    return source == ProgramSource::compiled || source == ProgramSource::shipped;
}

// An instruction that was neither executed nor priced beyond a move's issue slot.
struct SkippedInstruction {
    std::string mnemonic;
    std::uint32_t address = 0;  // of the first
    int places = 0;             // in the code that was executed
    double executed = 0;        // warp instructions of the launch
};

// An instruction whose part in the path was decided by device memory that nobody gave, which reads as zero.
struct UnknownData {
    enum class What : unsigned char {
        address,    // where an access goes
        predicate,  // whether an access is made
        branch,     // whether it jumps, ends or waits
        trips,      // the same, of a branch that closes or leaves a loop
    };
    What what = What::address;
    std::uint32_t address = 0;  // byte offset in the function
    std::string instruction;    // "@!P0 LDG.E R4, [R2.64]"
    friend bool operator==(const UnknownData&, const UnknownData&) = default;
};
inline constexpr auto unknown_data_names =
    enum_words<UnknownData::What>("address", "predicate", "branch", "trips");
[[nodiscard]] constexpr std::string_view to_string(UnknownData::What what) {
    return unknown_data_names[static_cast<std::size_t>(what)];
}

// Code as its disassembler printed it.
struct CodeText {
    std::vector<std::uint32_t> addresses;  // byte offsets in the function, ascending
    std::string lines;                     // one instruction for each, every one ended by a newline
    // "k.cu:12" of each, "" where none is noted; empty where the compiler noted no lines (-lineinfo).
    std::vector<std::string> sources;

    // "" where there is none.
    [[nodiscard]] std::string_view source_at(std::uint32_t address) const;
};

struct KernelProgram {
    std::string kernel;  // family or entry name
    std::string params;  // canonical "BM=128;BN=128;..."
    std::int64_t m = 0, n = 0, k = 0;
    Dim3 grid, block;
    // Where blocks count through the grid in an order of their own, `grid` has the sides that they count by,
    // and this those of the launch: as many blocks, in the same order. Zero: `grid` is the launch's.
    Dim3 launched_grid{0, 0, 0};
    BlockResources resources;
    std::vector<ArrayUse> arrays;
    // What every block runs; with variants, a representative one (the variant of the most blocks) for
    // consumers that look at one body only.
    std::vector<Node> body;
    // Empty = all blocks run `body`; else a partition of the grid, and `body` equals one of them.
    std::vector<BlockVariant> variants;
    std::int64_t cluster_blocks = 1;  // of a cluster, which run at once in one GPC
    // Blocks wait for all others of the grid (a cooperative launch): all of them must be resident at once.
    bool grid_barrier = false;
    SideBySideTime side_by_side;           // of blocks that read what others store
    MnemonicTable mnemonics;               // of all code
    std::shared_ptr<const CodeText> text;  // null: generated code and traces
    int accumulators = 0;                  // per thread
    // acc index written by word w of a result_write/result_read site
    std::function<int(const Coord&, int word)> result_acc;
    bool c_is_read = true;  // beta*C is added; false for the guides' kernels and copies
    // 2*M*N*K, the figure that GFLOP/s are quoted with; the 3*M*N of alpha and beta are not in it.
    double flops = 0;
    double effective_bytes =
        0;  // the guides' effective-bandwidth bytes: inputs read once + outputs written once
    [[nodiscard]] Dim3 launch_grid() const { return launched_grid.count() > 0 ? launched_grid : grid; }
    ProgramSource source = ProgramSource::given;
    std::string source_detail;                // who made it: "CUDA 13.0 for sm_90"; "" = nothing to add
    std::vector<std::string> notes;           // what this program leaves out, for the report
    std::vector<std::string> estimates;       // what of it is estimated beside its registers
    std::vector<SkippedInstruction> skipped;  // by mnemonic; empty = the program is whole
    // What of the path hung on data that nobody gave, in the order of the code; empty = nothing.
    std::vector<UnknownData> unknown_data;
    // Given data, or random numbers, decide which paths its warps take, or where they access.
    bool data_decides = false;
    // And blocks of a variant do not do alike: which of its variants' blocks one is like is not known.
    bool some_stand_for_all = false;
};

}  // namespace gpumodel
