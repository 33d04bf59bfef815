#include "validate/kernels/guide.cuh"
#include "validate/kernels/instances.cuh"
#include "validate/kernels/with_launch_bound.cuh"
#include "validate/measure/instance.cuh"

namespace gpumodel::measure {
namespace {

template <class Kernel>
Instance guide(const char* family, const std::string& params, Kernel kernel, Signature signature,
               dim3 block) {
    const int depth = signature == Signature::ab || signature == Signature::aat ? 32 : 1;
    return {family, params, reinterpret_cast<const void*>(kernel), signature, block, 32, 32, depth};
}

template <int UNROLL>
void add_products(std::vector<Instance>& list, const std::string& params) {
    const dim3 block(32, 32);
    list.push_back(guide("ab_simple", params, kernels::ab_simple<UNROLL>, Signature::ab, block));
    list.push_back(guide("ab_coalesced", params, kernels::ab_coalesced<UNROLL>, Signature::ab, block));
    list.push_back(guide("ab_shared", params, kernels::ab_shared<UNROLL>, Signature::ab, block));
    list.push_back(guide("aat_simple", params, kernels::aat_simple<UNROLL>, Signature::aat, block));
    list.push_back(guide("aat_coalesced", params, kernels::aat_coalesced<UNROLL>, Signature::aat, block));
    list.push_back(guide("aat_padded", params, kernels::aat_padded<UNROLL>, Signature::aat, block));
}

template <int UNROLL>
void add_transposes(std::vector<Instance>& list, const std::string& params) {
    const dim3 block(32, kernels::transpose_rows);
    list.push_back(
        guide("transpose_naive", params, kernels::transpose_naive<UNROLL>, Signature::transpose, block));
    list.push_back(
        guide("transpose_shared", params, kernels::transpose_shared<UNROLL>, Signature::transpose, block));
    list.push_back(
        guide("transpose_padded", params, kernels::transpose_padded<UNROLL>, Signature::transpose, block));
}

}  // namespace

void add_guides(std::vector<Instance>& list) {
#define X(unroll) add_products<unroll>(list, "UNROLL=" #unroll);
    GPUMODEL_SIMPLE_UNROLLS(X)
#undef X
    for (const int step : {1, 2, 8, 32}) {
        const std::string value = "=" + std::to_string(step);
        Instance stride =
            guide("stride_copy", "STRIDE" + value, kernels::stride_copy<float>, Signature::copy, dim3(256));
        Instance offset =
            guide("offset_copy", "OFFSET" + value, kernels::offset_copy<float>, Signature::copy, dim3(256));
        stride.step = offset.step = step;
        list.push_back(stride);
        list.push_back(offset);
    }
#define X(unroll) add_transposes<unroll>(list, "UNROLL=" #unroll);
    GPUMODEL_TRANSPOSE_UNROLLS(X)
#undef X
}

}  // namespace gpumodel::measure
