// Matrix products by a warp's tensor-core instructions (validate/kernels/mma_tile.cuh). They have no code
// generator: lowering gives the launch alone, the code is a compiler's (traces/provide).
#include <fmt/format.h>

#include <array>

#include "traces/kernel/families/derived.h"
#include "traces/kernel/families/family_list.h"

namespace gpumodel {

namespace {

constexpr int product_depth = 16;              // k steps of one product
constexpr int product_side = 16;               // warp tiles are multiples of it: two products across
constexpr int piece = 8;                       // elements that a thread loads at once: 16 bytes
constexpr std::int64_t element_bytes = 2;      // f16 and bf16
constexpr std::array<int, 2> sum_bytes{4, 2};  // of ACC
constexpr int line_pieces = 8;                 // 16-byte pieces in 128 bytes of shared memory, all its banks
constexpr std::array<int, 2> least_capability{75, 80};  // of TYPE: HMMA.1688 takes f16; bf16 came with sm_80

// What a kernel has beside its parameters.
struct MmaKind {
    bool direct = false;    // no shared memory
    bool swizzled = false;  // pieces of a row in changing order
    bool dynamic = false;   // shared memory is the launch's
};

struct MmaTile {
    std::int64_t bm, bn, bk, wm, wn;
    std::int64_t stages, pad;
    std::int64_t type, acc;

    [[nodiscard]] std::int64_t threads() const { return 32 * (bm / wm) * (bn / wn); }
    [[nodiscard]] std::int64_t shared_bytes() const {
        return element_bytes * stages * (bm * (bk + pad) + bk * (bn + pad));
    }
};

std::int64_t value_or(const ParamValues& params, const char* name, std::int64_t otherwise) {
    const auto found = params.find(name);
    return found == params.end() ? otherwise : found->second;
}

MmaTile mma_tile(const ParamValues& params) {
    return {.bm = params.at("BM"),
            .bn = params.at("BN"),
            .bk = value_or(params, "BK", product_depth),
            .wm = params.at("WM"),
            .wn = params.at("WN"),
            .stages = value_or(params, "STAGES", 1),
            .pad = value_or(params, "PAD", 0),
            .type = params.at("TYPE"),
            .acc = params.at("ACC")};
}

std::string type_fault(const MmaTile& t, const Target& target) {
    if (t.type == 1 && t.acc == 1) {
        return "ACC=f16 needs TYPE=f16: products of bf16 are added up in f32";
    }
    const int least = least_capability.at(static_cast<std::size_t>(t.type));
    return target.cc.number() >= least
               ? ""
               : fmt::format("TYPE=bf16 needs compute capability {}.{} or later; the target has {}.{}",
                             least / 10, least % 10, target.cc.major, target.cc.minor);
}

void check_warp_tiles(RuleCheck& rules, const MmaTile& t, const Target& target) {
    rules.multiple({"WM", t.wm}, {"", product_side})
        .multiple({"WN", t.wn}, {"", product_side})
        .multiple({"BM", t.bm}, {"WM", t.wm})
        .multiple({"BN", t.bn}, {"WN", t.wn});
    if (rules.ok()) {
        rules.at_most({"threads per block = 32*(BM/WM)*(BN/WN)", t.threads()},
                      {"the maximum of the architecture", target.max_threads_per_block});
    }
}

void check_loads(RuleCheck& rules, const MmaTile& t) {
    rules.multiple({"BK", t.bk}, {"", product_depth})
        .multiple({"THREADS", t.threads()}, {"BK/8", t.bk / piece})
        .multiple({"THREADS", t.threads()}, {"BN/8", t.bn / piece})
        .multiple({"BM*BK", times(t.bm, t.bk)}, {"8*THREADS", times(piece, t.threads())})
        .multiple({"BN*BK", times(t.bn, t.bk)}, {"8*THREADS", times(piece, t.threads())});
    if (t.pad > 0) {
        rules.multiple({"PAD", t.pad}, {"", piece});
    }
}

// Pieces change their order within a line of banks, so rows are a part of one or whole ones.
std::string order_fault(const MmaTile& t) {
    constexpr std::int64_t line = piece * line_pieces;
    for (const auto& [name, width] : {std::pair{"BK", t.bk}, {"BN", t.bn}}) {
        if (width != line / 4 && width != line / 2 && width % line != 0) {
            return fmt::format("{} = {} must be {}, {} or a multiple of {}: whole lines of 128 bytes", name,
                               width, line / 4, line / 2, line);
        }
    }
    return "";
}

void describe_mma(KernelProgram& program, const MmaTile& t, const ProblemShape& shape) {
    const std::int64_t a = element_bytes * shape.m * shape.k;
    const std::int64_t b = element_bytes * shape.k * shape.n;
    const std::int64_t c = sum_bytes.at(static_cast<std::size_t>(t.acc)) * shape.m * shape.n;
    program.arrays = {{"A", a, true, false}, {"B", b, true, false}, {"C", c, false, true}};
    program.c_is_read = false;
    program.flops =
        2.0 * static_cast<double>(shape.m) * static_cast<double>(shape.n) * static_cast<double>(shape.k);
    program.effective_bytes = static_cast<double>(a + b + c);
}

FamilyResult lower_mma(const ParamValues& params, const ProblemShape& shape, const Target& target,
                       const MmaKind& kind) {
    const MmaTile t = mma_tile(params);
    if (auto fault = type_fault(t, target); !fault.empty()) {
        return infeasible(std::move(fault));
    }
    RuleCheck rules;
    check_warp_tiles(rules, t, target);
    if (rules.ok() && !kind.direct) {
        check_loads(rules, t);
    }
    rules.multiple({"M", shape.m}, {"BM", t.bm})
        .multiple({"N", shape.n}, {"BN", t.bn})
        .multiple({"K", shape.k}, {kind.direct ? "" : "BK", t.bk});
    if (kind.dynamic) {
        rules.at_most({"shared memory per block = 2*STAGES*(BM + BN)*BK", t.shared_bytes()},
                      {"what a block of the architecture may have", target.max_shared_per_block});
    }
    const auto order = kind.swizzled && rules.ok() ? order_fault(t) : "";
    if (!rules.ok() || !order.empty()) {
        return infeasible(rules.ok() ? order : rules.reason());
    }
    FamilyResult result;
    auto& program = result.program.emplace();
    program.grid = {shape.n / t.bn, shape.m / t.bm, 1};
    program.block = {t.threads(), 1, 1};
    program.resources.threads = static_cast<int>(t.threads());
    (kind.dynamic ? program.resources.dynamic_shared_bytes : program.resources.static_shared_bytes) =
        kind.direct ? 0 : t.shared_bytes();
    describe_mma(program, t, shape);
    return result;
}

FamilyResult lower_mma_direct(const ParamValues& params, const ProblemShape& shape, const Target& target) {
    return lower_mma(params, shape, target, {.direct = true});
}
FamilyResult lower_mma_shared(const ParamValues& params, const ProblemShape& shape, const Target& target) {
    return lower_mma(params, shape, target, {});
}
FamilyResult lower_mma_swizzled(const ParamValues& params, const ProblemShape& shape, const Target& target) {
    return lower_mma(params, shape, target, {.swizzled = true});
}
FamilyResult lower_mma_async(const ParamValues& params, const ProblemShape& shape, const Target& target) {
    return lower_mma(params, shape, target, {.swizzled = true, .dynamic = true});
}

// M, N, K, A, B, C: no alpha and beta.
std::string mma_arguments(const KernelProgram& p, const ParamValues& /*resolved*/) {
    return fmt::format("{},{},{},ptr:{}B,ptr:{}B,ptr:{}B", p.m, p.n, p.k, p.arrays.at(0).bytes,
                       p.arrays.at(1).bytes, p.arrays.at(2).bytes);
}

ParamSpec word_param(std::string name, std::string meaning, std::vector<std::string> words) {
    ParamSpec spec{std::move(name), 0, 0, static_cast<std::int64_t>(words.size()) - 1, std::move(meaning)};
    spec.words = std::move(words);
    return spec;
}

std::vector<ParamSpec> block_params(std::int64_t side) {
    return {tile_param("BM", side, "rows of C per block"), tile_param("BN", side, "columns of C per block")};
}

void add_depth(Family& family) {
    family.params.push_back(tile_param("BK", 32, "depth of a tile", 256));
}

void add_warp_tile(Family& family, std::int64_t wm, std::int64_t wn) {
    family.params.push_back(tile_param("WM", wm, "rows of C per warp", 256));
    family.params.push_back(tile_param("WN", wn, "columns of C per warp", 256));
}

void add_types(Family& family) {
    family.params.push_back(word_param("TYPE", "elements of A and B", {"f16", "bf16"}));
    family.params.push_back(word_param("ACC", "sums and elements of C", {"f32", "f16"}));
}

// Everything but the parameters in the middle and the rules of shared memory.
Family mma_family(std::string name, std::string summary, std::int64_t side) {
    Family family;
    family.name = std::move(name);
    family.summary = std::move(summary);
    family.params = block_params(side);
    family.derived = {{"THREADS", "32*(BM/WM)*(BN/WN)", "threads per block", [](const ParamValues& p) {
                           const auto down = exact_quotient(p.at("BM"), p.at("WM"));
                           const auto across = exact_quotient(p.at("BN"), p.at("WN"));
                           return down && across ? std::optional(32 * *down * *across) : std::nullopt;
                       }}};
    family.rules = {"WM and WN are multiples of 16, BM of WM, BN of WN; THREADS = 32*(BM/WM)*(BN/WN)",
                    "ACC=f16 needs TYPE=f16; TYPE=bf16 needs compute capability 8.0"};
    family.min_compute_capability = 75;
    family.arguments = mma_arguments;
    family.signature = "int, int, int, const void*, const void*, void*";
    family.generated = false;
    return family;
}

void add_load_rules(Family& family, bool swizzled) {
    family.rules.emplace_back("BK is a multiple of 16, THREADS of BK/8 and of BN/8");
    family.rules.emplace_back("BM*BK and BN*BK are multiples of 8*THREADS (16-byte loads)");
    if (swizzled) {
        family.rules.emplace_back("BK and BN are 16, 32 or multiples of 64 (pieces of 128-byte lines)");
    }
    family.rules.emplace_back("M, N, K are multiples of BM, BN, BK");
}

}  // namespace

Family mma_direct_family() {
    Family family =
        mma_family("mma_direct", "tensor cores, fragments straight from global memory (sm_75 and later)", 64);
    add_warp_tile(family, 32, 32);
    add_types(family);
    family.rules.emplace_back("M, N, K are multiples of BM, BN, 16");
    family.lower = lower_mma_direct;
    return family;
}

Family mma_shared_family() {
    Family family = mma_family(
        "mma_shared", "tensor cores, tiles in shared memory with padded rows (sm_75 and later)", 128);
    add_depth(family);
    add_warp_tile(family, 64, 32);
    family.params.push_back({"PAD", piece, 0, 64, "elements behind each row in shared memory, in eights"});
    add_types(family);
    add_load_rules(family, false);
    family.rules.emplace_back("PAD is a multiple of 8: rows begin at whole 16-byte pieces");
    family.lower = lower_mma_shared;
    return family;
}

Family mma_swizzled_family() {
    Family family = mma_family("mma_swizzled",
                               "mma_shared with 16-byte pieces in changing order instead of padding", 128);
    add_depth(family);
    add_warp_tile(family, 64, 32);
    add_types(family);
    add_load_rules(family, true);
    family.lower = lower_mma_swizzled;
    return family;
}

Family mma_async_family() {
    Family family = mma_family(
        "mma_async", "mma_swizzled with STAGES tiles filled by asynchronous copies (sm_80 and later)", 128);
    family.min_compute_capability = 80;
    add_depth(family);
    add_warp_tile(family, 64, 64);
    family.params.push_back(
        {"STAGES", 4, 2, 8, "tiles in shared memory: one multiplied, the others under way"});
    add_types(family);
    add_load_rules(family, true);
    family.rules.emplace_back(
        "2*STAGES*(BM + BN)*BK bytes are at most what a block may have (a launch asks for it: 163 KiB on "
        "sm_80, 99 on "
        "sm_86 and sm_89, 227 on sm_90)");
    family.lower = lower_mma_async;
    return family;
}

}  // namespace gpumodel
