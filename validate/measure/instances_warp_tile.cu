#include "validate/kernels/instances.cuh"
#include "validate/kernels/warp_tile.cuh"
#include "validate/kernels/with_launch_bound.cuh"
#include "validate/measure/instance.cuh"
#ifdef GPUMODEL_MEASURE_BEST
#include "validate/kernels/best_tiles.cuh"
#endif

namespace gpumodel::measure {
namespace {

template <int BM, int BN, int BK, int WM, int WN, int WNITER, int TM, int TN, int THREADS, int UNROLL>
Instance warp_tile(const char* arguments) {
    return tile_instance("warptile", params_of(warp_names, arguments),
                         kernels::warptile<BM, BN, BK, WM, WN, WNITER, TM, TN, THREADS, UNROLL>, THREADS, BM,
                         BN, BK);
}

}  // namespace

void add_warp_tiles(std::vector<Instance>& list) {
#define X(...) list.push_back(warp_tile<__VA_ARGS__>(#__VA_ARGS__));
    GPUMODEL_WARPTILE(X)
#undef X
}

}  // namespace gpumodel::measure
