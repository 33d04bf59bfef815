// Predicted counters against the committed Nsight Compute counters of an H200: an oracle that knows nothing
// of our code.
#include "validate/counters/counters.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "arch_specs/loader.h"
#include "tests/support/temporary_folder.h"

namespace gpumodel {
namespace {

const CounterTable& table() {
    static const CounterTable counters =
        read_counters(GPUMODEL_SOURCE_DIR "/validate/data/h200_sxm_counters.csv");
    return counters;
}

const CounterComparison& comparison() {
    static const CounterComparison result = compare_counters(table(), load_arch("h200_sxm"), {});
    return result;
}

CounterStatistics statistics_of(const std::string& name,
                                const std::function<bool(const CountedLaunch&)>& include) {
    for (auto& s : counter_statistics(table(), comparison(), include)) {
        if (s.name == name) {
            return s;
        }
    }
    FAIL(name << " is not in the table");
    return {};
}

CounterStatistics statistics_of(const std::string& name, Split split) {
    return statistics_of(name, [split](const CountedLaunch& l) { return l.launch.split == split; });
}

double share(std::size_t part, std::size_t all) {
    return static_cast<double>(part) / static_cast<double>(all);
}

constexpr const char* header = "family,params,M,N,K,smsp__inst_executed.sum\n";

}  // namespace

TEST_CASE("every measured launch is predicted", "[oracle][counters]") {
    CHECK(table().launches.size() == 658);
    REQUIRE(comparison().skipped.size() == 1);  // measured beside the families, and none of them
    CHECK(comparison().skipped.front().find("doublebuffer_bulk") != std::string::npos);
}

TEST_CASE("products, stores and global traffic are exact", "[oracle][counters]") {
    for (const auto split : {Split::calibration, Split::test}) {
        for (const char* name :
             {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", "smsp__inst_executed_op_shared_st.sum",
              "smsp__inst_executed_op_global_st.sum", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
              "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
              "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"}) {
            const auto s = statistics_of(name, split);
            INFO(name << ": worst " << s.worst_pct << " % for " << s.worst);
            CHECK(s.launches > 200);
            CHECK(s.exact == s.launches);
        }
    }
}

// Where the compiler's widths are not imitated (sub-tiles of autotuned one of which steps its addresses,
// loops that a pragma keeps, accumulators spilled), the number of shared loads differs; a prefetch may be
// skipped or predicated. Reached: 271 of 305 (calibration) and 321 of 350 (test); 97.5 % with the first
// kernels, whose reads were wider.
TEST_CASE("shared and global load instructions are exact with few exceptions", "[oracle][counters]") {
    for (const auto split : {Split::calibration, Split::test}) {
        const auto shared = statistics_of("smsp__inst_executed_op_shared_ld.sum", split);
        INFO("shared: worst " << shared.worst_pct << " % for " << shared.worst);
        CHECK(share(shared.exact, shared.launches) >= 0.88);
        const auto global = statistics_of("smsp__inst_executed_op_global_ld.sum", split);
        INFO("global: worst " << global.worst_pct << " % for " << global.worst);
        CHECK(share(global.exact, global.launches) >= 0.96);
    }
}

// Measured wavefronts are never below the bank rule; up to 1.7 % above it by arbitration.
// Reached: 279 of 305 and 312 of 350; the others are those whose shared loads differ.
TEST_CASE("wavefronts and conflicts of shared loads are within 0.5 %", "[oracle][counters]") {
    for (const auto split : {Split::calibration, Split::test}) {
        for (const char* name : {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
                                 "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"}) {
            const auto s = statistics_of(name, split);
            INFO(name << ": worst " << s.worst_pct << " % for " << s.worst);
            CHECK(share(s.close, s.launches) >= 0.88);
        }
    }
}

TEST_CASE("store wavefronts are the rule or, by arbitration, more", "[oracle][counters]") {
    const auto& names = table().names;
    const auto name =
        std::find(names.begin(), names.end(), "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum");
    REQUIRE(name != names.end());
    const auto index = static_cast<std::size_t>(name - names.begin());
    for (const auto& value : comparison().values) {
        if (value.name == index) {
            INFO(value.measured->launch.family << " " << params_text(value.measured->launch.params));
            CHECK(value.predicted_value <= value.measured_value);
            CHECK(value.predicted_value >= 0.7 * value.measured_value);  // reached 0.73
        }
    }
}

// The instruction mix around products and accesses is an estimate.
TEST_CASE("executed instructions are close on average", "[oracle][counters]") {
    const auto s = statistics_of("smsp__inst_executed.sum", Split::test);
    INFO("worst " << s.worst_pct << " % for " << s.worst);
    CHECK(s.mean_pct < 5);
}

TEST_CASE("a damaged counter file is refused with all its faults", "[unit][counters]") {
    const TemporaryFile file(std::string(header) + "naive,UNROLL=x,64,64,64,nan\nnaive,UNROLL=0,64,64\n");
    try {
        static_cast<void>(read_counters(file.path()));
        FAIL("no exception");
    } catch (const InputError& error) {
        REQUIRE(error.diagnostics().size() == 3);
        CHECK(error.diagnostics()[0].key == "params");
        CHECK(error.diagnostics()[1].key == "smsp__inst_executed.sum");
        CHECK(error.diagnostics()[2].line == 3);
    }
}

TEST_CASE("a file without a counter that is predicted is refused", "[unit][counters]") {
    const TemporaryFile file("family,params,M,N,K,launch__stack_size\nnaive,,64,64,64,1024\n");
    CHECK_THROWS_AS(read_counters(file.path()), InputError);
}

TEST_CASE("error statistics follow their definition", "[unit][counters]") {
    CounterTable counters;
    counters.names = {"a"};
    counters.launches.resize(3);
    CounterComparison compared;
    const std::vector<std::pair<double, double>> pairs{{100, 100}, {1000, 996}, {50, 60}};
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const auto [measured, predicted] = pairs[i];
        compared.values.push_back({&counters.launches[i], 0, measured, predicted, predicted / measured - 1});
    }
    const auto all = counter_statistics(counters, compared, [](const CountedLaunch&) { return true; });
    REQUIRE(all.size() == 1);
    CHECK(all[0].launches == 3);
    CHECK(all[0].exact == 1);
    CHECK(all[0].close == 2);
    CHECK(all[0].mean_pct == Approx((0 + 0.4 + 20) / 3));
    CHECK(all[0].worst_pct == Approx(20));
    CHECK(counter_statistics(counters, compared, [](const CountedLaunch&) { return false; }).empty());
}

}  // namespace gpumodel
