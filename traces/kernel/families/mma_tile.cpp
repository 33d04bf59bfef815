#include "traces/kernel/families/mma_tile.h"

#include <fmt/format.h>

#include <string_view>

#include "traces/kernel/families/element_types.h"
#include "traces/kernel/families/family_list.h"

namespace gpumodel {

namespace {

constexpr int product_side = 16;              // warp tiles are multiples of it: two products across
constexpr std::int64_t default_depth = 64;    // bytes of BK
constexpr std::int64_t default_padding = 16;  // bytes of PAD: one piece
constexpr int line_pieces = 8;                // 16-byte pieces in 128 bytes of shared memory, all its banks

struct MmaTile {
    std::int64_t bm, bn, bk, wm, wn;
    std::int64_t stages, pad;
    ElementType type;
    ProductSum sum;

    [[nodiscard]] std::int64_t threads() const { return 32 * (bm / wm) * (bn / wn); }
    [[nodiscard]] const SumType& sums() const { return sum_type(sum); }
    // Of B's tile in shared memory.
    [[nodiscard]] std::int64_t b_width() const { return type.b_by_columns() ? bk : bn; }
    [[nodiscard]] std::int64_t b_rows() const { return type.b_by_columns() ? bn : bk; }
    [[nodiscard]] std::int64_t shared_bytes() const {
        return type.bytes * stages * (bm * (bk + pad) + b_rows() * (b_width() + pad));
    }
};

std::int64_t value_or(const ParamValues& params, const char* name, std::int64_t otherwise) {
    const auto found = params.find(name);
    return found == params.end() ? otherwise : found->second;
}

MmaTile mma_tile(const ParamValues& params) {
    const auto& type = element_type(params);
    return {.bm = params.at("BM"),
            .bn = params.at("BN"),
            .bk = value_or(params, "BK", type.step()),
            .wm = params.at("WM"),
            .wn = params.at("WN"),
            .stages = value_or(params, "STAGES", 1),
            .pad = value_or(params, "PAD", 0),
            .type = type,
            .sum = static_cast<ProductSum>(params.at("ACC"))};
}

// "f16, bf16 or tf32": the types whose products are added up so.
std::string types_of(ProductSum sum) {
    std::vector<std::string_view> words;
    for (const auto& type : element_types) {
        if (type.own_sum == sum ||
            (sum == ProductSum::f16 && type.word == element_types[f16_elements].word)) {
            words.push_back(type.word);
        }
    }
    const auto last = words.back();
    words.pop_back();
    return words.empty() ? std::string(last) : fmt::format("{} or {}", fmt::join(words, ", "), last);
}

std::string type_fault(const MmaTile& t, const Target& target) {
    const bool halves = t.sum == ProductSum::f16 && t.type.word == element_types[f16_elements].word;
    if (t.sum != t.type.own_sum && !halves) {
        return fmt::format("ACC={} needs TYPE={}: products of {} are added up in {}", t.sums().word,
                           types_of(t.sum), t.type.word, sum_type(t.type.own_sum).word);
    }
    const int least = t.type.least_capability;
    return target.cc.number() >= least
               ? ""
               : fmt::format("TYPE={} needs compute capability {}.{} or later; the target has {}.{}",
                             t.type.word, least / 10, least % 10, target.cc.major, target.cc.minor);
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
    const auto piece = t.type.piece();
    const auto a_pieces = fmt::format("BK/{}", piece);
    const auto b_pieces = fmt::format("{}/{}", t.type.b_by_columns() ? "BK" : "BN", piece);
    const auto loaded = fmt::format("{}*THREADS", piece);
    rules.multiple({"BK", t.bk}, {"", t.type.step()})
        .multiple({"THREADS", t.threads()}, {a_pieces, t.bk / piece})
        .multiple({"THREADS", t.threads()}, {b_pieces, t.b_width() / piece})
        .multiple({"BM*BK", times(t.bm, t.bk)}, {loaded, times(piece, t.threads())})
        .multiple({"BN*BK", times(t.bn, t.bk)}, {loaded, times(piece, t.threads())});
    if (t.pad > 0) {
        rules.multiple({"PAD", t.pad}, {"", piece});
    }
}

// Pieces change their order within a line of banks, so rows are a part of one or whole ones.
std::string order_fault(const MmaTile& t) {
    const std::int64_t line = t.type.piece() * line_pieces;
    const std::pair<const char*, std::int64_t> b{t.type.b_by_columns() ? "BK" : "BN", t.b_width()};
    for (const auto& [name, width] : {std::pair{"BK", t.bk}, b}) {
        if (width != line / 4 && width != line / 2 && width % line != 0) {
            return fmt::format("{} = {} must be {}, {} or a multiple of {}: whole lines of 128 bytes", name,
                               width, line / 4, line / 2, line);
        }
    }
    return "";
}

void describe_mma(KernelProgram& program, const MmaTile& t, const ProblemShape& shape) {
    const std::int64_t a = t.type.bytes * shape.m * shape.k;
    const std::int64_t b = t.type.bytes * shape.k * shape.n;
    const std::int64_t c = t.sums().bytes * shape.m * shape.n;
    program.arrays = {{"A", a, true, false}, {"B", b, true, false}, {"C", c, false, true}};
    program.c_is_read = false;
    program.flops =
        2.0 * static_cast<double>(shape.m) * static_cast<double>(shape.n) * static_cast<double>(shape.k);
    program.effective_bytes = static_cast<double>(a + b + c);
}

std::string mma_fault(const MmaTile& t, const ProblemShape& shape, const Target& target,
                      const MmaKind& kind) {
    if (auto fault = type_fault(t, target); !fault.empty()) {
        return fault;
    }
    RuleCheck rules;
    check_warp_tiles(rules, t, target);
    if (rules.ok() && !kind.direct) {
        check_loads(rules, t);
    }
    if (kind.doubled) {
        rules.multiple({"BK", t.bk}, {"", 2 * t.type.step()});
    }
    rules.multiple({"M", shape.m}, {"BM", t.bm})
        .multiple({"N", shape.n}, {"BN", t.bn})
        .multiple({"K", shape.k}, {kind.direct ? "" : "BK", t.bk});
    if (kind.dynamic) {
        const auto what = fmt::format("shared memory per block = {}STAGES*(BM + BN)*BK",
                                      t.type.bytes == 1 ? std::string() : fmt::format("{}*", t.type.bytes));
        rules.at_most({what, t.shared_bytes()},
                      {"what a block of the architecture may have", target.max_shared_per_block});
    }
    if (!rules.ok()) {
        return rules.reason();
    }
    return kind.swizzled ? order_fault(t) : "";
}

}  // namespace

void imply_mma_params(const ParamValues& given, ParamValues& resolved) {
    const auto& type = element_type(resolved);
    const auto imply = [&](const char* name, std::int64_t value) {
        if (resolved.contains(name) && !given.contains(name)) {
            resolved[name] = value;
        }
    };
    imply("BK", default_depth / type.bytes);
    imply("PAD", default_padding / type.bytes);
    imply("ACC", static_cast<std::int64_t>(type.own_sum));
}

FamilyResult lower_mma(const ParamValues& params, const ProblemShape& shape, const Target& target,
                       const MmaKind& kind) {
    const MmaTile t = mma_tile(params);
    if (auto fault = mma_fault(t, shape, target, kind); !fault.empty()) {
        return infeasible(std::move(fault));
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

}  // namespace gpumodel
