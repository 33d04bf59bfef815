// Register-port cycles of generated products against those of compiled ones (validate/listings).
#include <fmt/core.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "arch_specs/loader.h"
#include "tests/traces/codegen/compiled_body.h"
#include "traces/sass/analysis/register_ports.h"

using namespace gpumodel;
using namespace gpumodel::test;

namespace {

struct Row {
    std::string text;
    bool held = false;
    PortStatistics compiled, made;
    [[nodiscard]] double error() const { return made.cycles_per_ffma / compiled.cycles_per_ffma - 1; }
};

std::vector<Row> rows_of(const std::string& arch) {
    const ArchSpec spec = load_arch(arch);
    const RegisterFile& file = spec.sm.register_file;
    std::vector<Row> rows;
    for (const ListedKernel& kernel : listed_kernels(arch, spec)) {
        const ControlFlow flow = control_flow(*kernel.function);
        const auto compiled =
            port_statistics(*kernel.function, flow, product_loop(*kernel.function, flow), file);
        const auto made = port_statistics(product_segment(kernel.program).code, file);
        REQUIRE(compiled);
        REQUIRE(made);
        rows.push_back({kernel.text, kernel.held_back, *compiled, *made});
    }
    return rows;
}

struct Mean {
    int count = 0;
    double error = 0, bias = 0;
};

Mean mean_of(const std::vector<Row>& rows, bool held) {
    Mean mean;
    for (const Row& row : rows) {
        if (row.held == held) {
            ++mean.count;
            mean.error += std::abs(row.error());
            mean.bias += row.error();
        }
    }
    return {mean.count, 100 * mean.error / std::max(1, mean.count),
            100 * mean.bias / std::max(1, mean.count)};
}

}  // namespace

TEST_CASE("codegen ports: table", "[.table]") {
    for (const auto& arch : listing_archs) {
        const auto rows = rows_of(arch);
        for (const Row& row : rows) {
            fmt::print("{} {} {:60} {:4} {:4}  {:.3f} {:.3f} {:+6.1f} %  hits {}/{}/{} {}/{}/{}\n", arch,
                       row.held ? "held" : "dev ", row.text, row.compiled.ffmas, row.made.ffmas,
                       row.compiled.cycles_per_ffma, row.made.cycles_per_ffma, 100 * row.error(),
                       row.compiled.reuse_hits[0], row.compiled.reuse_hits[1], row.compiled.reuse_hits[2],
                       row.made.reuse_hits[0], row.made.reuse_hits[1], row.made.reuse_hits[2]);
        }
        for (const bool held : {false, true}) {
            const Mean mean = mean_of(rows, held);
            fmt::print("{} {}: {} instances, mean |error| {:.1f} %, bias {:+.1f} %\n", arch,
                       held ? "held back" : "dev", mean.count, mean.error, mean.bias);
        }
    }
}

TEST_CASE("ports of instructions: measured patterns by operand slot", "[codegen][ports]") {
    const auto ffma = [](int a, int b, int c, bool reuse_a) {
        Instruction i;
        i.op = OpClass::ffma;
        for (const auto& [reg, slot] : {std::pair{c, 2}, std::pair{a, 0}, std::pair{b, 1}}) {
            i.sources.at(i.source_count++) = {.kind = RegisterKind::vector,
                                              .index = static_cast<std::int16_t>(reg),
                                              .slot = static_cast<std::int8_t>(slot),
                                              .reuse = slot == 0 && reuse_a};
        }
        return i;
    };
    RegisterFile file;
    file.banks = 2;
    file.bank_map = RegisterBankMap::modulo;
    file.reads_per_bank_per_cycle = 1;
    file.reuse_cache = true;
    Instruction other;
    other.op = OpClass::iadd;
    const auto cycles = [&](const std::vector<Instruction>& code) {
        return port_statistics(code, file).value().cycles_per_ffma;
    };
    CHECK(cycles({ffma(0, 2, 1, false), other, ffma(1, 3, 0, false)}) == Approx(1.5));
    CHECK(cycles({ffma(0, 2, 1, false), ffma(4, 6, 3, false)}) == Approx(2.0));
    CHECK(cycles({ffma(0, 1, 2, true), ffma(0, 3, 4, true)}) == Approx(1.0));
    CHECK_FALSE(port_statistics(std::vector<Instruction>{other}, file));
    // sources without a slot count in their order: the predicate is no operand of the ports
    Instruction plain;
    plain.op = OpClass::ffma;
    plain.sources[0] = {.kind = RegisterKind::predicate, .index = 0};
    plain.sources[1] = {.kind = RegisterKind::vector, .index = 7};
    plain.sources[2] = {.kind = RegisterKind::vector, .index = 9};
    plain.source_count = 3;
    CHECK(port_reads(plain).value().registers == std::array<int, 3>{7, 9, -1});
}

TEST_CASE("codegen ports: generated products cost what compiled ones do", "[codegen][ports]") {
    for (const auto& arch : listing_archs) {
        const auto rows = rows_of(arch);
        for (const bool held : {false, true}) {
            INFO(arch << (held ? " held back" : " dev"));
            const Mean mean = mean_of(rows, held);
            CHECK(mean.count >= 7);
            // 4 % was reached for the first kernels. Whole tiles in a row and single words of A, which their
            // code had not, cost more ports as generated than as compiled: 4.5 to 8.1 % reached.
            // sm_100 and sm_120 have Hopper's tables: 10.3 %.
            const bool borrowed = arch == "sm_100" || arch == "sm_120";
            // Maxwell and Pascal: 2.4 % of the kernels the code is like, 7.8 % of the others.
            const bool late = arch == "sm_90" || arch == "sm_86" || arch == "sm_89";
            const bool maxwell = held && (arch == "sm_50" || arch == "sm_61");
            CHECK(mean.error < (borrowed ? 11.0 : late || maxwell ? 9.0 : 5.0));
        }
    }
}
