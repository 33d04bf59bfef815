#include "traces/codegen/make_program.h"

#include <fmt/format.h>

#include "base/memo.h"
#include "traces/codegen/generate.h"

namespace gpumodel {
namespace {

// Estimated: a sweep's few hundred tiles of some thousand instructions each. Full, the process takes some 100
// MiB (tools/bench sweep, a million points: 106).
constexpr std::size_t cached_instructions = 1000000;

Memo<ProgramCode>& codes() {
    static Memo<ProgramCode> memo(cached_instructions);
    return memo;
}

}  // namespace

FamilyResult make_program(const Family& family, const ParamValues& resolved, const ProblemShape& shape,
                          const Target& target, const ResourceChoice& choose) {
    FamilyResult result = lower_tiles(family, resolved, shape, target);
    if (result.program && !family.generated) {
        return {std::nullopt,
                {},
                fmt::format("{} has no generated code: its programs are a compiler's", family.name)};
    }
    if (result.program) {
        if (choose) {
            choose(*result.program);
        }
        const auto key = code_key(*result.program, target);
        const auto known = codes().find(key);
        result.program = generate_code(*std::move(result.program), target, known.get());
        result.program->source =
            result.code.shape == CodeShape::library ? ProgramSource::library : ProgramSource::generated;
        if (!known) {
            auto code = code_of(*result.program);
            const auto instructions = code.instructions();
            codes().add(key, std::move(code), instructions);
        }
    }
    return result;
}

}  // namespace gpumodel
