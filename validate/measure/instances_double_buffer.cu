#include "validate/kernels/double_buffer.cuh"
#include "validate/kernels/double_buffer_bulk.cuh"
#include "validate/kernels/instances.cuh"
#include "validate/kernels/with_launch_bound.cuh"
#include "validate/measure/instance.cuh"
#ifdef GPUMODEL_MEASURE_BEST
#include "validate/kernels/best_tiles.cuh"
#endif

namespace gpumodel::measure {
namespace {

// `tiles`: K steps that one trip of the kernel's loop takes.
template <int BM, int BN, int BK, int WM, int WN, int WNITER, int TM, int TN, int THREADS, int UNROLL>
Instance warp_tile(const char* family, const char* arguments, GemmKernel kernel, int tiles) {
    return tile_instance(family, params_of(warp_names, arguments), kernel, THREADS, BM, BN, tiles * BK);
}

}  // namespace

void add_double_buffers(std::vector<Instance>& list) {
#define X(...)      \
    list.push_back( \
        warp_tile<__VA_ARGS__>("doublebuffer", #__VA_ARGS__, kernels::doublebuffer<__VA_ARGS__>, 1));
    GPUMODEL_DOUBLEBUFFER(X)
#undef X
#define X(...)                                                                \
    list.push_back(warp_tile<__VA_ARGS__>("doublebuffer_split", #__VA_ARGS__, \
                                          kernels::doublebuffer_split<__VA_ARGS__>, 2));
    GPUMODEL_DOUBLEBUFFER_SPLIT(X)
#undef X
#define X(...)                                                                           \
    list.push_back(warp_tile<__VA_ARGS__>("doublebuffer_async", #__VA_ARGS__,            \
                                          kernels::doublebuffer_async<__VA_ARGS__>, 1)); \
    list.back().least_sm = 80;
    GPUMODEL_DOUBLEBUFFER_ASYNC(X)
#undef X
#define X(...)                                                                          \
    list.push_back(warp_tile<__VA_ARGS__>("doublebuffer_bulk", #__VA_ARGS__,            \
                                          kernels::doublebuffer_bulk<__VA_ARGS__>, 1)); \
    list.back().least_sm = 80;
    GPUMODEL_DOUBLEBUFFER_BULK(X)
#undef X
}

}  // namespace gpumodel::measure
