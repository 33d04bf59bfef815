#include <fmt/format.h>

#include <utility>

#include "traces/kernel/families/family_list.h"

namespace gpumodel {

FamilyResult infeasible(std::string reason) {
    return {std::nullopt, {}, std::move(reason)};
}

ParamSpec unroll_param() {
    return {"UNROLL", 0, 0, 1024, "#pragma unroll of the k loop of a tile; 0 leaves it to the compiler",
            false};
}

ParamSpec tile_param(std::string name, std::int64_t default_value, std::string meaning, std::int64_t max) {
    return {std::move(name), default_value, 1, max, std::move(meaning), false};
}

int int_param(const ParamValues& params, const std::string& name) {
    return static_cast<int>(params.at(name));
}

std::string gemm_arguments(const KernelProgram& p, const ParamValues& /*resolved*/) {
    return fmt::format("{},{},{},1.5f,ptr:{}B,ptr:{}B,0.5f,ptr:{}B", p.m, p.n, p.k, p.arrays.at(0).bytes,
                       p.arrays.at(1).bytes, p.arrays.at(2).bytes);
}

void check_shape(RuleCheck& rules, const ProblemShape& shape, const TiledGemm& g) {
    rules.multiple({"M", shape.m}, {"BM", g.bm})
        .multiple({"N", shape.n}, {"BN", g.bn})
        .multiple({"K", shape.k}, {"BK", g.bk});
}

void describe_gemm(KernelProgram& program, const ProblemShape& shape, bool c_is_read) {
    const std::int64_t a = 4 * shape.m * shape.k;
    const std::int64_t b = 4 * shape.k * shape.n;
    const std::int64_t c = 4 * shape.m * shape.n;
    program.arrays = {{"A", a, true, false}, {"B", b, true, false}, {"C", c, c_is_read, true}};
    program.c_is_read = c_is_read;
    program.flops =
        2.0 * static_cast<double>(shape.m) * static_cast<double>(shape.n) * static_cast<double>(shape.k);
    program.effective_bytes = static_cast<double>(a + b + (c_is_read ? 2 * c : c));
}

FamilyResult lower_gemm(const RuleCheck& rules, TiledGemm g, const CodeChoice& choice) {
    if (!rules.ok()) {
        return infeasible(rules.reason());
    }
    plan_code(g, choice);
    FamilyResult result;
    result.program = schedule_tiles(g, choice.shape);
    result.code = g.code;
    describe_gemm(*result.program, g.shape, true);
    return result;
}

}  // namespace gpumodel
