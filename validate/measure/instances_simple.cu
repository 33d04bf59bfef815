#include "validate/kernels/instances.cuh"
#include "validate/kernels/simple.cuh"
#include "validate/kernels/with_launch_bound.cuh"
#include "validate/measure/instance.cuh"

namespace gpumodel::measure {
namespace {

Instance simple(const char* family, const std::string& params, GemmKernel kernel, dim3 block, int tile,
                int bk) {
    return {family, params, reinterpret_cast<const void*>(kernel), Signature::gemm, block, tile, tile,
            bk,     true};
}

template <int BS, int UNROLL>
void add_smem(std::vector<Instance>& list, const std::string& params) {
    list.push_back(simple("smem", params, kernels::smem<BS, UNROLL>, dim3(BS * BS), BS, BS));
}

}  // namespace

void add_simple(std::vector<Instance>& list) {
#define X(unroll)                                                                                    \
    list.push_back(simple("naive", "UNROLL=" #unroll, kernels::naive<unroll>, dim3(32, 32), 32, 1)); \
    list.push_back(simple("coalesced", "UNROLL=" #unroll, kernels::coalesced<unroll>, dim3(1024), 32, 1));
    GPUMODEL_SIMPLE_UNROLLS(X)
#undef X
#define X(...) add_smem<__VA_ARGS__>(list, params_of("BS,UNROLL", #__VA_ARGS__));
    GPUMODEL_SMEM(X)
#undef X
}

}  // namespace gpumodel::measure
