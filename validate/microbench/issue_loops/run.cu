// run LOOP.cubin...: csv of every warp's clocks before and after 100 and 300 rounds, 1 to 4 warps per scheduler of
// one SM, third launch of three. Cycles per round = difference of the two spans / 200.
#include <cuda.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

void check(CUresult result, const char* what) {
    if (result != CUDA_SUCCESS) {
        std::fprintf(stderr, "%s: error %d\n", what, int(result));
        std::exit(1);
    }
}

void time_loop(CUfunction loop, const char* name, int warps, int rounds, CUdeviceptr out, CUdeviceptr clocks) {
    float x = 0.5f;
    void* arguments[] = {&out, &clocks, &rounds, &x};
    for (int launch = 0; launch < 3; ++launch) {
        check(cuLaunchKernel(loop, 1, 1, 1, 128 * warps, 1, 1, 8192, nullptr, arguments, nullptr), name);
        check(cuCtxSynchronize(), name);
    }
    std::vector<long long> times(8 * warps);
    check(cuMemcpyDtoH(times.data(), clocks, 8 * times.size()), name);
    for (int w = 0; w < 4 * warps; ++w) {
        std::printf("%s,%d,%d,%d,%lld,%lld\n", name, warps, rounds, w, times[2 * w], times[2 * w + 1]);
    }
}

}  // namespace

int main(int argc, char** argv) {
    CUdevice device;
    CUcontext context;
    CUdeviceptr out, clocks;
    check(cuInit(0), "cuInit");
    check(cuDeviceGet(&device, 0), "device");
    check(cuDevicePrimaryCtxRetain(&context, device), "context");
    check(cuCtxSetCurrent(context), "context");
    check(cuMemAlloc(&out, 1 << 20), "memory");
    check(cuMemAlloc(&clocks, 1 << 16), "memory");
    std::printf("loop,warps_per_scheduler,rounds,warp,begin,end\n");
    for (int i = 1; i < argc; ++i) {
        CUmodule module;
        CUfunction loop;
        check(cuModuleLoad(&module, argv[i]), argv[i]);
        check(cuModuleGetFunction(&loop, module, "body"), argv[i]);
        for (int warps = 1; warps <= 4; ++warps) {
            for (const int rounds : {100, 300}) {
                time_loop(loop, argv[i], warps, rounds, out, clocks);
            }
        }
        cuModuleUnload(module);
    }
}
