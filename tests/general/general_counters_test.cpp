// Kernels that are no matrix product, from their listings, against Nsight Compute's counters of an H200.
#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "arch_specs/loader.h"
#include "model/analytic/predict.h"
#include "tests/general/general_kernels.h"

namespace gpumodel {
namespace {

double counter(const Prediction& p, const std::string& name) {
    for (const auto& c : p.counters) {
        if (c.name == name) {
            return c.value;
        }
    }
    FAIL("no counter " << name);
    return 0;
}

Prediction prediction(const GeneralLaunch& launch, const std::string& arch) {
    static const ArchSpec h200 = load_arch("h200_sxm");
    return predict_analytic(general_program(launch, arch), h200, {});
}

}  // namespace

TEST_CASE("counters of executed listings equal the profiler's", "[oracle][counters][general]") {
    for (const auto& launch : general_launches()) {
        const auto p = prediction(launch, "sm_90");
        for (const char* name :
             {"smsp__inst_executed.sum", "smsp__inst_executed_op_global_ld.sum",
              "smsp__inst_executed_op_global_st.sum", "smsp__inst_executed_op_shared_ld.sum",
              "smsp__inst_executed_op_shared_st.sum", "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
              "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
              "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
              "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
              "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
              "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"}) {
            const double measured = launch.measured.at(name);
            const double predicted = counter(p, name);
            INFO(launch.kernel << " " << name << ": " << predicted << ", measured " << measured);
            CHECK(std::abs(predicted - measured) <= 0.005 * measured);
        }
    }
}

// The compiler differs, the algorithm does not: the same bytes are stored, in warp accesses of the same
// shape.
TEST_CASE("store sectors of one algorithm are the same for every compiler", "[oracle][general]") {
    for (const char* arch :
         {"sm_35", "sm_50", "sm_61", "sm_70", "sm_75", "sm_80", "sm_86", "sm_89", "sm_100", "sm_120"}) {
        for (const auto& launch : general_launches()) {
            INFO(launch.kernel << " " << arch);
            const double measured = launch.measured.at("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum");
            const double predicted =
                counter(prediction(launch, arch), "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum");
            INFO(predicted << ", measured " << measured);
            CHECK(std::abs(predicted - measured) <= 1e-9 * measured);
        }
    }
}

TEST_CASE("one instruction is one row of the report, whatever the number of variants", "[general]") {
    for (const auto& launch : general_launches()) {
        const auto p = prediction(launch, "sm_90");
        std::set<std::string> names;
        double loads = 0;
        for (const auto& site : p.sites) {
            INFO(launch.kernel << " " << site.name);
            CHECK(names.insert(site.name + std::string(to_string(site.space))).second);
            loads += site.space == MemorySpace::global && site.kind == AccessKind::load ? site.sectors : 0;
        }
        CHECK(loads == Approx(counter(p, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum")));
    }
}

}  // namespace gpumodel
