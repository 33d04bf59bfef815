// Writes the occupancy oracle table: what NVIDIA's cuda_occupancy.h answers over a dense grid.
//   g++ -std=c++20 -O2 -I <cuda>/include tests/oracles/occupancy/generate.cpp -o generate
//   ./generate > table.txt
// Not part of the build: the header belongs to the CUDA toolkit and is not in this repository. The
// device properties are the documented ones (CUDA programming guides and occupancy header), written here and
// taken from no spec.
//
// The table's lines (tests/model/launch/occupancy_oracle_test.cpp reads them):
//   R cc hint threads shared : blocks<=registers ...   runs over registers per thread 0 ... 255
//   S cc hint threads registers : blocks<=bytes ...    runs over shared bytes per block 0, 64, 128 ...
//   L cc hint barriers threads registers shared : blocks W R S B barrier regs smem factors
// hint: carve-out percentage, - for none. L: the limits of warps, registers, shared memory, block slots
// and barriers (- for unlimited), registers and shared bytes allocated per block, and the limiting
// factors as the header's bits (1 warps, 2 registers, 4 shared memory, 8 blocks, 16 barriers).
#include <cuda_occupancy.h>

#include <algorithm>
#include <climits>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace {

constexpr std::size_t kib = 1024;
constexpr int unlimited = INT_MAX;

struct Device {
    int major, minor;
    int threads_per_sm;
    int registers_per_sm;
    std::size_t shared_per_block, shared_per_block_optin, shared_per_sm, reserved_shared;
    // Carve-out hints in percent. On cc 3.x they stand for the three cache preferences (L1, equal, shared),
    // as the percentages that round up to those sizes.
    std::vector<int> hints;
};

const std::vector<int> volta_hints{0, 10, 25, 50, 75, 100};
const std::vector<Device> devices{
    {3, 5, 2048, 65536, 48 * kib, 48 * kib, 48 * kib, 0, {0, 50, 100}},
    {3, 7, 2048, 131072, 48 * kib, 48 * kib, 112 * kib, 0, {0, 80, 100}},
    {5, 2, 2048, 65536, 48 * kib, 48 * kib, 96 * kib, 0, {}},
    {6, 0, 2048, 65536, 48 * kib, 48 * kib, 64 * kib, 0, {}},
    {7, 0, 2048, 65536, 48 * kib, 96 * kib, 96 * kib, 0, volta_hints},
    {7, 5, 1024, 65536, 48 * kib, 64 * kib, 64 * kib, 0, volta_hints},
    {8, 0, 2048, 65536, 48 * kib, 163 * kib, 164 * kib, 1 * kib, volta_hints},
    {8, 6, 1536, 65536, 48 * kib, 99 * kib, 100 * kib, 1 * kib, volta_hints},
    {8, 7, 1536, 65536, 48 * kib, 163 * kib, 164 * kib, 1 * kib, volta_hints},
    {8, 9, 1536, 65536, 48 * kib, 99 * kib, 100 * kib, 1 * kib, volta_hints},
    {9, 0, 2048, 65536, 48 * kib, 227 * kib, 228 * kib, 1 * kib, volta_hints},
    {10, 0, 2048, 65536, 48 * kib, 227 * kib, 228 * kib, 1 * kib, volta_hints},
    {10, 3, 2048, 65536, 48 * kib, 227 * kib, 228 * kib, 1 * kib, volta_hints},
    {12, 0, 1536, 65536, 48 * kib, 99 * kib, 100 * kib, 1 * kib, volta_hints},
    {12, 1, 1536, 65536, 48 * kib, 99 * kib, 100 * kib, 1 * kib, volta_hints},
};

struct Point {
    std::optional<int> hint;
    int barriers = 1;
    int threads = 0;
    int registers = 0;
    std::size_t shared = 0;
};

cudaOccDeviceProp properties(const Device& device) {
    cudaOccDeviceProp p;
    p.computeMajor = device.major;
    p.computeMinor = device.minor;
    p.maxThreadsPerBlock = 1024;
    p.maxThreadsPerMultiprocessor = device.threads_per_sm;
    p.regsPerBlock = 65536;
    p.regsPerMultiprocessor = device.registers_per_sm;
    p.warpSize = 32;
    p.sharedMemPerBlock = device.shared_per_block;
    p.sharedMemPerMultiprocessor = device.shared_per_sm;
    p.numSms = 1;
    p.sharedMemPerBlockOptin = device.shared_per_block_optin;
    p.reservedSharedMemPerBlock = device.reserved_shared;
    return p;
}

cudaOccDeviceState state_of(const Device& device, std::optional<int> hint) {
    cudaOccDeviceState state;
    if (hint && device.major >= 7) {
        state.carveoutConfig = *hint;
    } else if (hint) {
        state.cacheConfig = *hint == 0     ? CACHE_PREFER_L1
                            : *hint == 100 ? CACHE_PREFER_SHARED
                                           : CACHE_PREFER_EQUAL;
    }
    return state;
}

void require(bool condition, const char* what) {
    if (!condition) {
        std::fprintf(stderr, "generate: %s\n", what);
        std::exit(1);
    }
}

// Shared memory up to the static limit is static; beyond it, it is dynamic with the opt-in attribute set.
cudaOccFuncAttributes attributes(const Device& device, const Point& point, std::size_t& dynamic) {
    const bool optin = point.shared > device.shared_per_block;
    cudaOccFuncAttributes a;
    a.maxThreadsPerBlock = 1024;
    a.numRegs = point.registers;
    a.sharedSizeBytes = optin ? 0 : point.shared;
    a.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
    dynamic = optin ? point.shared : 0;
    a.maxDynamicSharedSizeBytes = dynamic;
    a.numBlockBarriers = point.barriers;
    return a;
}

// The limits that equal the result. The header's own bits agree unless barriers bind: it then keeps the
// bits of the limits that bound before its barrier stage.
unsigned factors_of(const cudaOccResult& r) {
    const auto factor = [&](int limit, unsigned bit) {
        return limit == r.activeBlocksPerMultiprocessor ? bit : 0U;
    };
    return factor(r.blockLimitWarps, OCC_LIMIT_WARPS) | factor(r.blockLimitRegs, OCC_LIMIT_REGISTERS) |
           factor(r.blockLimitSharedMem, OCC_LIMIT_SHARED_MEMORY) |
           factor(r.blockLimitBlocks, OCC_LIMIT_BLOCKS) | factor(r.blockLimitBarriers, OCC_LIMIT_BARRIERS);
}

// The stages one by one, for cc 3.x, which some versions' top-level entry refuses; 13.0's answers, and is
// required to agree.
cudaOccResult staged(const Device& device, const Point& point) {
    const auto p = properties(device);
    const auto s = state_of(device, point.hint);
    std::size_t dynamic = 0;
    const auto a = attributes(device, point, dynamic);
    auto gc = PARTITIONED_GC_OFF;
    cudaOccResult r{};
    bool ok =
        cudaOccMaxBlocksPerSMRegsLimit(&r.blockLimitRegs, &gc, &r, &p, &a, point.threads) == CUDA_OCC_SUCCESS;
    ok = ok &&
         cudaOccMaxBlocksPerSMWarpsLimit(&r.blockLimitWarps, gc, &p, &a, point.threads) == CUDA_OCC_SUCCESS;
    ok = ok && cudaOccMaxBlocksPerMultiprocessor(&r.blockLimitBlocks, &p) == CUDA_OCC_SUCCESS;
    ok = ok && cudaOccMaxBlocksPerSMSmemLimit(&r.blockLimitSharedMem, &r, &p, &a, &s, point.threads,
                                              dynamic) == CUDA_OCC_SUCCESS;
    require(ok, "a stage failed");
    r.blockLimitBarriers = unlimited;
    r.activeBlocksPerMultiprocessor =
        std::min({r.blockLimitRegs, r.blockLimitWarps, r.blockLimitBlocks, r.blockLimitSharedMem});
    r.limitingFactors = factors_of(r);
    return r;
}

cudaOccResult ask(const Device& device, const Point& point) {
    const auto p = properties(device);
    const auto s = state_of(device, point.hint);
    std::size_t dynamic = 0;
    const auto a = attributes(device, point, dynamic);
    cudaOccResult result{};
    require(cudaOccMaxActiveBlocksPerMultiprocessor(&result, &p, &a, &s, point.threads, dynamic) ==
                CUDA_OCC_SUCCESS,
            "the header refused a point");
    require((result.limitingFactors & factors_of(result)) == factors_of(result),
            "a limiting factor is missing");
    require(result.blockLimitBarriers <= result.activeBlocksPerMultiprocessor ||
                result.limitingFactors == factors_of(result),
            "a limiting factor is stale");
    result.limitingFactors = factors_of(result);
    if (device.major == 3) {
        const auto by_stages = staged(device, point);
        require(by_stages.activeBlocksPerMultiprocessor == result.activeBlocksPerMultiprocessor &&
                    by_stages.limitingFactors == result.limitingFactors,
                "the stages disagree with the whole");
    }
    return result;
}

std::string hint_text(std::optional<int> hint) {
    return hint ? std::to_string(*hint) : "-";
}
std::string limit_text(int limit) {
    return limit == unlimited ? "-" : std::to_string(limit);
}

void print_runs(long first, long last, long step, const std::function<int(long)>& blocks_at) {
    int run = blocks_at(first);
    long end = first;
    for (long value = first + step; value <= last; value += step) {
        const int blocks = blocks_at(value);
        if (blocks != run) {
            std::printf(" %d<=%ld", run, end);
            run = blocks;
        }
        end = value;
    }
    std::printf(" %d<=%ld\n", run, end);
}

std::vector<std::optional<int>> hints_of(const Device& device) {
    std::vector<std::optional<int>> hints{std::nullopt};
    hints.insert(hints.end(), device.hints.begin(), device.hints.end());
    return hints;
}

void register_runs(const Device& device) {
    const std::vector<int> threads{1,   32,  33,  64,  96,  128, 160, 192,  224,  256, 257,
                                   288, 320, 352, 384, 416, 448, 480, 512,  544,  576, 640,
                                   672, 704, 768, 800, 864, 896, 960, 1000, 1024, 1025};
    const std::vector<std::size_t> shared{0, 1, 3073, 4096, 8192, 12288, 20000, 33792, 49152, 65536};
    for (const int t : threads) {
        for (const auto s : shared) {
            std::printf("R %d%d - %d %zu :", device.major, device.minor, t, s);
            print_runs(0, 255, 1, [&](long r) {
                return ask(device, {std::nullopt, 1, t, static_cast<int>(r), s})
                    .activeBlocksPerMultiprocessor;
            });
        }
    }
}

void shared_runs(const Device& device) {
    for (const auto hint : hints_of(device)) {
        for (const int t : {32, 96, 128, 256, 512}) {
            for (const int r : {0, 32, 72}) {
                std::printf("S %d%d %s %d %d :", device.major, device.minor, hint_text(hint).c_str(), t, r);
                print_runs(0, static_cast<long>(device.shared_per_block_optin + 4 * kib), 64, [&](long s) {
                    return ask(device, {hint, 1, t, r, static_cast<std::size_t>(s)})
                        .activeBlocksPerMultiprocessor;
                });
            }
        }
    }
}

void limit_lines(const Device& device, int count) {
    std::mt19937 random(static_cast<unsigned>(device.major * 10 + device.minor));
    const auto up_to = [&](std::size_t n) { return static_cast<std::size_t>(random()) % (n + 1); };
    const auto hints = hints_of(device);
    for (int i = 0; i < count; ++i) {
        Point p;
        p.hint = hints[up_to(hints.size() - 1)];
        p.barriers = device.major >= 9 ? static_cast<int>(up_to(16)) : 1;
        p.threads = 1 + static_cast<int>(up_to(1039));
        p.registers = static_cast<int>(up_to(up_to(1) == 0 ? 255 : 64));
        p.shared = up_to(up_to(1) == 0 ? device.shared_per_block_optin + kib : 8 * kib);
        const auto r = ask(device, p);
        std::printf("L %d%d %s %d %d %d %zu : %d %d %s %s %d %s %d %zu %u\n", device.major, device.minor,
                    hint_text(p.hint).c_str(), p.barriers, p.threads, p.registers, p.shared,
                    r.activeBlocksPerMultiprocessor, r.blockLimitWarps, limit_text(r.blockLimitRegs).c_str(),
                    limit_text(r.blockLimitSharedMem).c_str(), r.blockLimitBlocks,
                    limit_text(r.blockLimitBarriers).c_str(), r.allocatedRegistersPerBlock,
                    r.allocatedSharedMemPerBlock, r.limitingFactors);
    }
}

}  // namespace

int main() {
    std::printf(
        "# cuda_occupancy.h of CUDA 13.0 over a grid, by tests/oracles/occupancy/generate.cpp:\n"
        "#   g++ -std=c++20 -O2 -I <cuda>/include tests/oracles/occupancy/generate.cpp -o generate && "
        "./generate > tests/oracles/occupancy/table.txt\n");
    for (const auto& device : devices) {
        register_runs(device);
        shared_runs(device);
        limit_lines(device, 150);
    }
    return 0;
}
