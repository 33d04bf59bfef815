#include <algorithm>
#include <utility>

#include "validate/measure/instance.cuh"
#include "validate/measure/tensor_map.cuh"

namespace gpumodel::measure {

std::string params_of(const char* names, const char* values) {
    const auto split = [](const char* text) {
        std::vector<std::string> parts(1);
        for (; *text != 0; ++text) {
            if (*text == ',') {
                parts.emplace_back();
            } else if (*text != ' ') {
                parts.back() += *text;
            }
        }
        return parts;
    };
    const auto keys = split(names);
    const auto words = split(values);
    std::string result;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        result += (i ? ";" : "") + keys[i] + "=" + words[i];
    }
    return result;
}

Instance tile_instance(const char* family, std::string params, GemmKernel kernel, int threads, int bm, int bn,
                       int bk) {
    return {family,
            std::move(params),
            reinterpret_cast<const void*>(kernel),
            Signature::gemm,
            dim3(static_cast<unsigned>(threads)),
            bm,
            bn,
            bk};
}

Shape launch_shape(const Instance& instance, Shape shape) {
    if (instance.signature == Signature::ab || instance.signature == Signature::aat) {
        shape.k = 32;
    } else if (instance.signature != Signature::gemm && instance.signature != Signature::mma &&
               instance.signature != Signature::wgmma) {
        shape.k = 1;
    }
    const bool whole = shape.m % (instance.bm * instance.cluster) == 0 && shape.n % instance.bn == 0 &&
                       shape.k % instance.bk == 0;
    const bool square = instance.signature != Signature::aat || shape.m == shape.n;
    return whole && square ? shape : Shape{};
}

namespace {

int sm_count() {
    int count = 0;
    cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0);
    return count;
}

}  // namespace

void launch(const Instance& instance, Shape shape, const float* a, const float* b, float* c, float alpha,
            float beta) {
    const auto rows = static_cast<unsigned>(shape.m / instance.bm);
    const auto columns = static_cast<unsigned>(shape.n / instance.bn);
    dim3 grid = instance.rows_first ? dim3(rows, columns) : dim3(columns, rows);
    if (instance.linear_grid) {
        static const auto sms = static_cast<unsigned>(sm_count());
        const auto cluster = static_cast<unsigned>(instance.cluster);
        grid = dim3(instance.persistent ? std::min(rows * columns, sms / cluster * cluster) : rows * columns);
    }
    Instance copy = instance;
    CUtensorMap map_a, map_b;
    std::vector<void*> arguments;
    switch (instance.signature) {
        case Signature::gemm:
            arguments = {&shape.m, &shape.n, &shape.k, &alpha, &a, &b, &beta, &c};
            break;
        case Signature::mma:
            arguments = {&shape.m, &shape.n, &shape.k, &a, &b, &c};
            break;
        case Signature::wgmma:
            map_a = tensor_map(a, instance.element, shape.m, shape.k, instance.bm);
            map_b = by_columns(instance.element)
                        ? tensor_map(b, instance.element, shape.n, shape.k, instance.bn / instance.cluster)
                        : tensor_map(b, instance.element, shape.k, shape.n, instance.bk / instance.cluster);
            arguments = {&shape.m, &shape.n, &shape.k, &map_a, &map_b, &c};
            break;
        case Signature::ab:
            arguments = {&a, &b, &c, &shape.n};
            break;
        case Signature::aat:
            arguments = {&a, &c, &shape.m};
            break;
        case Signature::copy:
            arguments = {&c, &a, &copy.step};
            grid = dim3(rows * columns * static_cast<unsigned>(instance.bm * instance.bn) / instance.block.x);
            break;
        case Signature::transpose:
            arguments = {&c, &a, &shape.m, &shape.n};
            break;
    }
    cudaLaunchKernel(instance.kernel, grid, instance.block, arguments.data(),
                     static_cast<std::size_t>(instance.dynamic_shared_bytes), nullptr);
}

int blocks_per_sm(const Instance& instance) {
    int major = 0, minor = 0;
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
    cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0);
    const int sm = 10 * major + minor;
    if (sm < instance.least_sm || (instance.only_sm && sm != instance.least_sm)) {
        return 0;
    }
    if (instance.dynamic_shared_bytes > 0 &&
        cudaFuncSetAttribute(instance.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             instance.dynamic_shared_bytes) != cudaSuccess) {
        cudaGetLastError();
        return 0;  // more than a block may have
    }
    int blocks = 0;
    const auto threads = static_cast<int>(instance.block.x * instance.block.y);
    if (cudaOccupancyMaxActiveBlocksPerMultiprocessor(
            &blocks, instance.kernel, threads, static_cast<std::size_t>(instance.dynamic_shared_bytes)) !=
        cudaSuccess) {
        cudaGetLastError();
        return 0;
    }
    return blocks;
}

}  // namespace gpumodel::measure
