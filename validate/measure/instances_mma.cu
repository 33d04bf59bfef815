#include "validate/kernels/instances.cuh"
#include "validate/kernels/mma_ring.cuh"
#include "validate/measure/instance.cuh"

namespace gpumodel::measure {
namespace {

using MmaKernel = void (*)(int, int, int, const void*, const void*, void*);

struct MmaTile {
    int bm, bn, bk, wm, wn;
    int type, acc;
};

// `names` and `values` but for TYPE and ACC, which end both.
Instance mma_instance(const char* family, const std::string& tile, const MmaTile& t, MmaKernel kernel) {
    Instance instance;
    instance.family = family;
    constexpr const char* types[] = {"f16", "bf16", "tf32", "int8"};
    constexpr const char* sums[] = {"f32", "f16", "s32"};
    constexpr Element elements[] = {Element::f16, Element::bf16, Element::tf32, Element::s8};
    instance.params = tile + ";TYPE=" + types[t.type] + ";ACC=" + sums[t.acc];
    instance.kernel = reinterpret_cast<const void*>(kernel);
    instance.signature = Signature::mma;
    instance.block = dim3(static_cast<unsigned>(32 * (t.bm / t.wm) * (t.bn / t.wn)));
    instance.bm = t.bm;
    instance.bn = t.bn;
    instance.bk = t.bk;
    constexpr int least[] = {70, 80, 80, 75};
    instance.least_sm = least[t.type];
    instance.element = elements[t.type];
    instance.half_sums = t.acc == 1;
    return instance;
}

std::string block_text(int bm, int bn) {
    return "BM=" + std::to_string(bm) + ";BN=" + std::to_string(bn);
}
std::string warp_text(int wm, int wn) {
    return ";WM=" + std::to_string(wm) + ";WN=" + std::to_string(wn);
}
std::string tile_text(const MmaTile& t) {
    return block_text(t.bm, t.bn) + ";BK=" + std::to_string(t.bk) + warp_text(t.wm, t.wn);
}

template <int BM, int BN, int WM, int WN, int TYPE, int ACC>
Instance direct() {
    return mma_instance("mma_direct", block_text(BM, BN) + warp_text(WM, WN),
                        {BM, BN, kernels::Elements<TYPE>::step, WM, WN, TYPE, ACC},
                        kernels::mma_direct<BM, BN, WM, WN, TYPE, ACC>);
}

template <int BM, int BN, int BK, int WM, int WN, int PAD, int TYPE, int ACC>
Instance shared() {
    const MmaTile tile{BM, BN, BK, WM, WN, TYPE, ACC};
    return mma_instance("mma_shared", tile_text(tile) + ";PAD=" + std::to_string(PAD), tile,
                        kernels::mma_shared<BM, BN, BK, WM, WN, PAD, TYPE, ACC>);
}

template <int BM, int BN, int BK, int WM, int WN, int TYPE, int ACC>
Instance swizzled() {
    const MmaTile tile{BM, BN, BK, WM, WN, TYPE, ACC};
    return mma_instance("mma_swizzled", tile_text(tile), tile,
                        kernels::mma_swizzled<BM, BN, BK, WM, WN, TYPE, ACC>);
}

template <int BM, int BN, int BK, int WM, int WN, int STAGES, int TYPE, int ACC>
Instance ring(const char* family, MmaKernel kernel) {
    const MmaTile tile{BM, BN, BK, WM, WN, TYPE, ACC};
    auto instance = mma_instance(family, tile_text(tile) + ";STAGES=" + std::to_string(STAGES), tile, kernel);
    instance.least_sm = 80;
    instance.dynamic_shared_bytes = kernels::Elements<TYPE>::bytes * STAGES * (BM + BN) * BK;
    return instance;
}

}  // namespace

void add_matrix_products(std::vector<Instance>& list) {
#define X(...) list.push_back(direct<__VA_ARGS__>());
    GPUMODEL_MMA_DIRECT(X)
    GPUMODEL_MMA_DIRECT_TYPES(X)
#undef X
#define X(...) list.push_back(shared<__VA_ARGS__>());
    GPUMODEL_MMA_SHARED(X)
    GPUMODEL_MMA_SHARED_TYPES(X)
#undef X
#define X(...) list.push_back(swizzled<__VA_ARGS__>());
    GPUMODEL_MMA_SWIZZLED(X)
    GPUMODEL_MMA_SWIZZLED_TYPES(X)
#undef X
#define X(...) list.push_back(ring<__VA_ARGS__>("mma_async", kernels::mma_async<__VA_ARGS__>));
    GPUMODEL_MMA_ASYNC(X)
    GPUMODEL_MMA_ASYNC_TYPES(X)
#undef X
#define X(...) list.push_back(ring<__VA_ARGS__>("mma_double", kernels::mma_double<__VA_ARGS__>));
    GPUMODEL_MMA_DOUBLE(X)
#undef X
}

}  // namespace gpumodel::measure
