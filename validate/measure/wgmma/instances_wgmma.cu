// Compiled for sm_90a, where the others are for sm_90: a file, and so a library, of its own.
#include "validate/kernels/instances/wgmma.cuh"
#include "validate/kernels/wgmma_tile.cuh"
#include "validate/measure/instance.cuh"

namespace gpumodel::measure {
namespace {

using GroupKernel = void (*)(int, int, int, kernels::TensorMap, kernels::TensorMap, float*);

std::string setting(const char* name, int value) {
    return std::string(";") + name + "=" + std::to_string(value);
}

struct GroupTile {
    int bm, bn, bk, stages, type;
};

// `more`: parameters between STAGES and TYPE.
Instance group_instance(const char* family, const GroupTile& t, const std::string& more, GroupKernel kernel,
                        int threads) {
    Instance instance;
    instance.family = family;
    instance.params = "BM=" + std::to_string(t.bm) + setting("BN", t.bn) + setting("BK", t.bk) +
                      setting("STAGES", t.stages) + more + (t.type == 1 ? ";TYPE=bf16" : ";TYPE=f16");
    instance.kernel = reinterpret_cast<const void*>(kernel);
    instance.signature = Signature::wgmma;
    instance.block = dim3(static_cast<unsigned>(threads));
    instance.bm = t.bm;
    instance.bn = t.bn;
    instance.bk = t.bk;
    instance.least_sm = 90;
    instance.only_sm = true;
    instance.element = t.type == 1 ? Element::bf16 : Element::f16;
    instance.dynamic_shared_bytes = t.stages * (2 * (t.bm + t.bn) * t.bk + 16);
    return instance;
}

template <int BM, int BN, int BK, int STAGES, int TYPE>
Instance one_group() {
    return group_instance("wgmma_tma", {BM, BN, BK, STAGES, TYPE}, "",
                          kernels::wgmma_tma<BM, BN, BK, STAGES, TYPE>, 128);
}

template <int BM, int BN, int BK, int STAGES, int CONSUMERS, int PERSISTENT, int RASTER, int TYPE>
Instance specialized() {
    auto instance = group_instance(
        "wgmma_warp_specialized", {BM, BN, BK, STAGES, TYPE},
        setting("CONSUMERS", CONSUMERS) + setting("PERSISTENT", PERSISTENT) + setting("RASTER", RASTER),
        kernels::wgmma_warp_specialized<BM, BN, BK, STAGES, CONSUMERS, PERSISTENT, RASTER, TYPE>,
        128 * (1 + CONSUMERS));
    instance.linear_grid = true;
    instance.persistent = PERSISTENT == 1;
    return instance;
}

}  // namespace

void add_group_products(std::vector<Instance>& list) {
#define X(...) list.push_back(one_group<__VA_ARGS__>());
    GPUMODEL_WGMMA_TMA(X)
#undef X
#define X(...) list.push_back(specialized<__VA_ARGS__>());
    GPUMODEL_WGMMA_WARP_SPECIALIZED(X)
#undef X
}

}  // namespace gpumodel::measure
