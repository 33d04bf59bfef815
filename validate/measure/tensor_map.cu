#include <cstdio>
#include <cstdlib>
#include <map>
#include <tuple>

#include "validate/measure/tensor_map.cuh"

namespace gpumodel::measure {
namespace {

using Encode = CUresult (*)(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*,
                            const cuuint64_t*, const cuuint32_t*, const cuuint32_t*, CUtensorMapInterleave,
                            CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

[[noreturn]] void fail(const char* what, int code) {
    std::fprintf(stderr, "gpumodel-measure: %s: error %d\n", what, code);
    std::exit(1);
}

// By the runtime: no library of the driver's is linked.
Encode encoder() {
    void* function = nullptr;
    cudaDriverEntryPointQueryResult found{};
    const auto status = cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000,
                                                         cudaEnableDefault, &found);
    if (status != cudaSuccess || found != cudaDriverEntryPointSuccess) {
        fail("the driver has no cuTensorMapEncodeTiled", static_cast<int>(status));
    }
    return reinterpret_cast<Encode>(function);
}

struct MapType {
    CUtensorMapDataType type;
    unsigned bytes;
};

// As they lie in memory: the driver has no type of signed bytes, and TF32's own would round.
MapType map_type(Element element) {
    switch (element) {
        case Element::bf16:
            return {CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2};
        case Element::f16:
            return {CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2};
        case Element::s8:
            return {CU_TENSOR_MAP_DATA_TYPE_UINT8, 1};
        case Element::tf32:
        case Element::f32:
            break;
    }
    return {CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 4};
}

CUtensorMap encoded(const void* matrix, Element element, int rows, int columns, int box_rows) {
    static const Encode encode = encoder();
    CUtensorMap map;
    const auto [type, bytes] = map_type(element);
    const cuuint64_t sizes[2] = {static_cast<cuuint64_t>(columns), static_cast<cuuint64_t>(rows)};
    const cuuint64_t strides[1] = {bytes * static_cast<cuuint64_t>(columns)};
    const cuuint32_t box[2] = {128 / bytes, static_cast<cuuint32_t>(box_rows)}, steps[2] = {1, 1};
    const auto status = encode(&map, type, 2, const_cast<void*>(matrix), sizes, strides, box, steps,
                               CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                               CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (status != CUDA_SUCCESS) {
        fail("cuTensorMapEncodeTiled", static_cast<int>(status));
    }
    return map;
}

}  // namespace

const CUtensorMap& tensor_map(const void* matrix, Element element, int rows, int columns, int box_rows) {
    static std::map<std::tuple<const void*, Element, int, int, int>, CUtensorMap> made;
    const auto key = std::make_tuple(matrix, element, rows, columns, box_rows);
    const auto found = made.find(key);
    return found != made.end()
               ? found->second
               : made.emplace(key, encoded(matrix, element, rows, columns, box_rows)).first->second;
}

}  // namespace gpumodel::measure
