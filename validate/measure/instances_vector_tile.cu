#include "validate/kernels/instances.cuh"
#include "validate/kernels/vector_tile.cuh"
#include "validate/kernels/with_launch_bound.cuh"
#include "validate/measure/instance.cuh"
#ifdef GPUMODEL_MEASURE_BEST
#include "validate/kernels/best_tiles.cuh"
#endif

namespace gpumodel::measure {
namespace {

template <int BM, int BN, int BK, int TM, int TN, int UNROLL>
Instance tile(const char* family, const char* arguments, GemmKernel kernel) {
    return tile_instance(family, params_of(tile_names, arguments), kernel, BM * BN / (TM * TN), BM, BN, BK);
}

}  // namespace

void add_vector_tiles(std::vector<Instance>& list) {
#define X(...) \
    list.push_back(tile<__VA_ARGS__>("vectorized", #__VA_ARGS__, kernels::vectorized<__VA_ARGS__>));
    GPUMODEL_VECTORIZED(X)
#undef X
#define X(...) \
    list.push_back(tile<__VA_ARGS__>("bank_linearize", #__VA_ARGS__, kernels::bank_linearize<__VA_ARGS__>));
    GPUMODEL_BANK_LINEARIZE(X)
#undef X
#define X(...) \
    list.push_back(tile<__VA_ARGS__>("bank_extracol", #__VA_ARGS__, kernels::bank_extracol<__VA_ARGS__>));
    GPUMODEL_BANK_EXTRACOL(X)
#undef X
}

}  // namespace gpumodel::measure
