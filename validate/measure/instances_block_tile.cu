#include "validate/kernels/block_tile.cuh"
#include "validate/kernels/instances.cuh"
#include "validate/kernels/sub_tile.cuh"
#include "validate/kernels/with_launch_bound.cuh"
#include "validate/measure/instance.cuh"
#ifdef GPUMODEL_MEASURE_BEST
#include "validate/kernels/best_tiles.cuh"
#endif

namespace gpumodel::measure {
namespace {

template <int BM, int BN, int BK, int TM, int UNROLL>
Instance column(const std::string& params) {
    return tile_instance("blocktile1d", params, kernels::blocktile1d<BM, BN, BK, TM, UNROLL>, BM * BN / TM,
                         BM, BN, BK);
}

template <int BM, int BN, int BK, int TM, int TN, int UNROLL>
Instance block_tile(const std::string& params) {
    return tile_instance("blocktile2d", params, kernels::blocktile2d<BM, BN, BK, TM, TN, UNROLL>,
                         BM * BN / (TM * TN), BM, BN, BK);
}

template <int BM, int BN, int BK, int TM, int TN, int UNROLL>
Instance sub_tile(const std::string& params) {
    return tile_instance("autotuned", params, kernels::autotuned<BM, BN, BK, TM, TN, UNROLL>, 256, BM, BN,
                         BK);
}

}  // namespace

void add_block_tiles(std::vector<Instance>& list) {
#define X(...) list.push_back(column<__VA_ARGS__>(params_of("BM,BN,BK,TM,UNROLL", #__VA_ARGS__)));
    GPUMODEL_BLOCKTILE1D(X)
#undef X
#define X(...) list.push_back(block_tile<__VA_ARGS__>(params_of(tile_names, #__VA_ARGS__)));
    GPUMODEL_BLOCKTILE2D(X)
#undef X
#define X(...) list.push_back(sub_tile<__VA_ARGS__>(params_of(tile_names, #__VA_ARGS__)));
    GPUMODEL_AUTOTUNED(X)
#undef X
}

}  // namespace gpumodel::measure
