// Compiled for sm_90a, where the others are for sm_90: a file, and so a library, of its own.
#include "validate/kernels/instances/wgmma.cuh"
#include "validate/kernels/instances/wgmma_clusters.cuh"
#include "validate/kernels/instances/wgmma_types.cuh"
#include "validate/kernels/wgmma_groups.cuh"
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
constexpr const char* types[] = {"f16", "bf16", "tf32", "int8"};
constexpr Element elements[] = {Element::f16, Element::bf16, Element::tf32, Element::s8};
constexpr int bytes[] = {2, 2, 4, 1};

// `more`: parameters between STAGES and TYPE.
Instance group_instance(const char* family, const GroupTile& t, const std::string& more, GroupKernel kernel,
                        int threads) {
    Instance instance;
    instance.family = family;
    instance.params = "BM=" + std::to_string(t.bm) + setting("BN", t.bn) + setting("BK", t.bk) +
                      setting("STAGES", t.stages) + more + ";TYPE=" + types[t.type];
    instance.kernel = reinterpret_cast<const void*>(kernel);
    instance.signature = Signature::wgmma;
    instance.block = dim3(static_cast<unsigned>(threads));
    instance.bm = t.bm;
    instance.bn = t.bn;
    instance.bk = t.bk;
    instance.least_sm = 90;
    instance.only_sm = true;
    instance.element = elements[t.type];
    instance.dynamic_shared_bytes = t.stages * (bytes[t.type] * (t.bm + t.bn) * t.bk + 16);
    return instance;
}

template <int BM, int BN, int BK, int STAGES, int TYPE>
Instance one_group() {
    return group_instance("wgmma_tma", {BM, BN, BK, STAGES, TYPE}, "",
                          kernels::wgmma_tma<BM, BN, BK, STAGES, TYPE>, 128);
}

// The last argument is CLUSTER, where there is one.
template <int BM, int BN, int BK, int STAGES, int CONSUMERS, int PERSISTENT, int RASTER, int TYPE,
          int... CLUSTER>
Instance specialized() {
    auto instance = group_instance(
        "wgmma_warp_specialized", {BM, BN, BK, STAGES, TYPE},
        setting("CONSUMERS", CONSUMERS) + setting("PERSISTENT", PERSISTENT) + setting("RASTER", RASTER),
        kernels::wgmma_warp_specialized<BM, BN, BK, STAGES, CONSUMERS, PERSISTENT, RASTER, TYPE, CLUSTER...>,
        128 * (1 + CONSUMERS));
    instance.linear_grid = true;
    instance.persistent = PERSISTENT == 1;
    instance.cluster = (1 * ... * CLUSTER);
    if (instance.cluster > 1) {
        instance.params += setting("CLUSTER", instance.cluster);
    }
    return instance;
}

}  // namespace

void add_group_products(std::vector<Instance>& list) {
#define X(...) list.push_back(one_group<__VA_ARGS__>());
    GPUMODEL_WGMMA_TMA(X)
    GPUMODEL_WGMMA_TMA_TYPES(X)
#undef X
#define X(...) list.push_back(specialized<__VA_ARGS__>());
    GPUMODEL_WGMMA_WARP_SPECIALIZED(X)
    GPUMODEL_WGMMA_WARP_SPECIALIZED_TYPES(X)
    GPUMODEL_WGMMA_CLUSTERS(X)
#undef X
}

}  // namespace gpumodel::measure
