#include "tests/support/program_checks.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

namespace gpumodel::test {

namespace {

constexpr float alpha = 1.25F;
constexpr float beta = -0.75F;

using Arrays = std::map<std::string, std::vector<float>>;

std::size_t at(std::int64_t index) {
    return static_cast<std::size_t>(index);
}

Arrays random_inputs(const KernelProgram& program) {
    std::mt19937 generator(20240607);
    std::uniform_real_distribution<float> value(-1.0F, 1.0F);
    Arrays arrays;
    for (const ArrayUse& use : program.arrays) {
        if (use.read) {
            auto& array = arrays[use.name];
            array.resize(at(use.bytes / 4));
            for (float& word : array) {
                word = value(generator);
            }
        }
    }
    return arrays;
}

// What element `index` of the output must be; NaN = must not be written.
struct Expected {
    std::string array;
    std::vector<double> values;
    double tolerance = 0;
};

Expected expected_product(const KernelProgram& p, const Arrays& in) {
    const auto& a = in.at("A");
    const bool transposed = in.find("B") == in.end();  // C = A*transpose(A)
    Expected expected{"C", std::vector<double>(at(p.m * p.n)), 1e-5 * static_cast<double>(p.k)};
    for (std::int64_t i = 0; i < p.m; ++i) {
        for (std::int64_t j = 0; j < p.n; ++j) {
            double sum = 0;
            for (std::int64_t k = 0; k < p.k; ++k) {
                const double b = transposed ? a[at(j * p.k + k)] : in.at("B")[at(k * p.n + j)];
                sum += static_cast<double>(a[at(i * p.k + k)]) * b;
            }
            const auto c = at(i * p.n + j);
            expected.values[c] = p.c_is_read ? alpha * sum + beta * static_cast<double>(in.at("C")[c]) : sum;
        }
    }
    return expected;
}

Expected expected_copy(const KernelProgram& p, const ParamValues& params, const Arrays& in) {
    const auto& source = in.at("in");
    Expected expected{"out", std::vector<double>(source.size(), std::nan("")), 0};
    if (p.kernel.rfind("transpose", 0) == 0) {
        for (std::int64_t row = 0; row < p.m; ++row) {
            for (std::int64_t col = 0; col < p.n; ++col) {
                expected.values[at(col * p.m + row)] = source[at(row * p.n + col)];
            }
        }
        return expected;
    }
    const std::int64_t offset = p.kernel == "offset_copy" ? params.at("OFFSET") : 0;
    const std::int64_t stride = p.kernel == "stride_copy" ? params.at("STRIDE") : 1;
    for (std::int64_t i = 0; i < p.m * p.n; ++i) {
        expected.values[at(offset + i * stride)] = source[at(offset + i * stride)];
    }
    return expected;
}

void compare(const Expected& expected, const HostRun& run, std::vector<std::string>& wrongs) {
    const auto& got = run.arrays.at(expected.array);
    const auto& writes = run.write_count.at(expected.array);
    if (got.size() != expected.values.size()) {
        wrongs.push_back(
            fmt::format("{} has {} words, not {}", expected.array, got.size(), expected.values.size()));
        return;
    }
    for (std::size_t i = 0; i < got.size(); ++i) {
        const bool wanted = !std::isnan(expected.values[i]);
        if (writes[i] != (wanted ? 1 : 0)) {
            wrongs.push_back(fmt::format("{}[{}] is written {} times", expected.array, i, writes[i]));
        } else if (wanted &&
                   std::abs(static_cast<double>(got[i]) - expected.values[i]) > expected.tolerance) {
            wrongs.push_back(
                fmt::format("{}[{}] is {}, not {}", expected.array, i, got[i], expected.values[i]));
        }
    }
}

FamilyResult lower(const std::string& name, const ParamValues& params, const ProblemShape& shape, int cc) {
    const Family* family = find_family(name);
    REQUIRE(family != nullptr);
    return lower_tiles(*family, resolve_params(*family, params), shape, target_sm(cc));
}

}  // namespace

Target target_sm(int cc) {
    constexpr std::int64_t least_of_ampere = 101376;  // sm_86: 99 KiB of a launch that asks for it
    constexpr std::int64_t hopper = 232448;           // 227 KiB
    return {.cc = {cc / 10, cc % 10},
            .max_shared_per_block = cc == 90   ? hopper
                                    : cc >= 80 ? least_of_ampere
                                               : 49152};
}

KernelProgram program_of(const std::string& family, const ParamValues& params, const ProblemShape& shape,
                         int cc) {
    FamilyResult result = lower(family, params, shape, cc);
    INFO(family << ": " << result.infeasible_reason);
    REQUIRE(result.program.has_value());
    REQUIRE(result.infeasible_reason.empty());
    return *std::move(result.program);
}

std::string rejection(const std::string& family, const ParamValues& params, const ProblemShape& shape,
                      int cc) {
    const FamilyResult result = lower(family, params, shape, cc);
    REQUIRE_FALSE(result.program.has_value());
    return result.infeasible_reason;
}

std::vector<std::string> wrongs_of(const KernelProgram& program, const ParamValues& params) {
    const Arrays inputs = random_inputs(program);
    const HostRun run = run_on_host(program, inputs, alpha, beta);
    std::vector<std::string> wrongs = run.faults;
    const bool is_copy = program.flops == 0;
    compare(is_copy ? expected_copy(program, params, inputs) : expected_product(program, inputs), run,
            wrongs);
    return wrongs;
}

}  // namespace gpumodel::test
