// Runs every instance of every family on the GPU and compares it with a double-precision product on the
// host. Prints one line per instance; exits with 1 if any is wrong, with 2 if there is no usable GPU.
//   nvcc -std=c++17 -arch=sm_90 validate/kernels/check.cu -o check && ./check
// Not part of the build of gpumodel: needs a GPU.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "block_tile.cuh"
#include "double_buffer.cuh"
#include "guide.cuh"
#include "instances.cuh"
#include "simple.cuh"
#include "sub_tile.cuh"
#include "vector_tile.cuh"
#include "warp_tile.cuh"

namespace gpumodel::kernels {
namespace {

void require(cudaError_t status, const char* what) {
    if (status != cudaSuccess) {
        std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
        std::exit(2);
    }
}

// Device memory that is freed with its owner.
class DeviceArray {
public:
    explicit DeviceArray(const std::vector<float>& host) : words_(host.size()) {
        require(cudaMalloc(&data_, words_ * sizeof(float)), "cudaMalloc");
        require(cudaMemcpy(data_, host.data(), words_ * sizeof(float), cudaMemcpyHostToDevice), "cudaMemcpy");
    }
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;
    ~DeviceArray() { cudaFree(data_); }

    float* data() const { return data_; }
    std::vector<float> host() const {
        std::vector<float> words(words_);
        require(cudaMemcpy(words.data(), data_, words_ * sizeof(float), cudaMemcpyDeviceToHost),
                "cudaMemcpy");
        return words;
    }

private:
    std::size_t words_;
    float* data_ = nullptr;
};

std::vector<float> random_words(std::size_t count, unsigned seed) {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<float> uniform(-1.0f, 1.0f);
    std::vector<float> words(count);
    for (float& word : words) {
        word = uniform(engine);
    }
    return words;
}

int failures = 0;

// True if the launch just made was refused because its block needs more registers than a block may have:
// no fault of the kernel's. Any other error ends the program.
bool refused(const std::string& name) {
    const cudaError_t launch = cudaGetLastError();
    if (launch == cudaErrorLaunchOutOfResources) {
        std::printf("%-6s needs more registers than a block may have  %s\n", "skip", name.c_str());
        return true;
    }
    require(launch, name.c_str());
    require(cudaDeviceSynchronize(), name.c_str());
    return false;
}

// What one result may differ by: K+2 roundings of a sum of magnitude `scale`, each half a unit of 2^-23.
double rounding_bound(double scale, int k) {
    return (k + 2) * scale * std::ldexp(1.0, -24) * 2;
}

void report(const std::string& name, double worst) {
    const bool good = worst <= 1.0;  // false for NaN
    std::printf("%-6s %6.3f of the rounding bound  %s\n", good ? "ok" : "WRONG", worst, name.c_str());
    failures += good ? 0 : 1;
}

// alpha*A*B + beta*C of the host, computed once per shape.
struct Problem {
    int m, n, k;
    float alpha, beta;
    std::vector<float> a, b, c;
    std::vector<double> expected, bound;

    Problem(int m_, int n_, int k_, float alpha_, float beta_)
        : m(m_),
          n(n_),
          k(k_),
          alpha(alpha_),
          beta(beta_),
          a(random_words(std::size_t(m) * k, 1)),
          b(random_words(std::size_t(k) * n, 2)),
          c(random_words(std::size_t(m) * n, 3)),
          expected(c.size()),
          bound(c.size()) {
        for (int i = 0; i < m; ++i) {
            for (int j = 0; j < n; ++j) {
                double sum = 0;
                double scale = 0;
                for (int x = 0; x < k; ++x) {
                    const double product = double(a[std::size_t(i) * k + x]) * b[std::size_t(x) * n + j];
                    sum += product;
                    scale += std::fabs(product);
                }
                const std::size_t at = std::size_t(i) * n + j;
                expected[at] = alpha * sum + beta * double(c[at]);
                bound[at] = rounding_bound(std::fabs(alpha) * scale + std::fabs(beta * c[at]), k);
            }
        }
    }

    // The largest error in units of its bound.
    double worst(const std::vector<float>& result) const {
        double largest = 0;
        for (std::size_t i = 0; i < result.size(); ++i) {
            const double error = std::fabs(result[i] - expected[i]) / bound[i];
            largest = error <= largest ? largest : error;  // keeps NaN
        }
        return largest;
    }
};

using GemmKernel = void (*)(int, int, int, float, const float*, const float*, float, float*);

const Problem& problem(int m, int n, int k, float alpha, float beta) {
    static std::map<std::vector<int>, Problem> made;
    return made.try_emplace({m, n, k}, m, n, k, alpha, beta).first->second;
}

// Two shapes that are not square, with an odd and an even number of tiles along K.
void check_gemm(const std::string& name, GemmKernel kernel, const std::function<dim3(int m, int n)>& grid,
                dim3 block, int bk) {
    double worst = 0;
    for (const Problem* p :
         {&problem(512, 256, 5 * bk, 0.5f, 2.0f), &problem(256, 512, 4 * bk, 1.0f, 0.0f)}) {
        const DeviceArray a(p->a);
        const DeviceArray b(p->b);
        const DeviceArray c(p->c);
        kernel<<<grid(p->m, p->n), block>>>(p->m, p->n, p->k, p->alpha, a.data(), b.data(), p->beta,
                                            c.data());
        if (refused(name)) {
            return;
        }
        const double error = p->worst(c.host());
        worst = error <= worst ? worst : error;
    }
    report(name, worst);
}

std::function<dim3(int, int)> rows_first(int tile) {
    return [tile](int m, int n) { return dim3((m + tile - 1) / tile, (n + tile - 1) / tile); };
}

std::function<dim3(int, int)> columns_first(int bm, int bn) {
    return [bm, bn](int m, int n) { return dim3(n / bn, m / bm); };
}

template <int UNROLL>
void check_simple() {
    const std::string suffix = "<" + std::to_string(UNROLL) + ">";
    check_gemm("naive" + suffix, naive<UNROLL>, rows_first(32), dim3(32, 32), 32);
    check_gemm("coalesced" + suffix, coalesced<UNROLL>, rows_first(32), dim3(1024), 32);

    // Bounds checks: no size is a multiple of 32.
    static const Problem odd(77, 45, 33, 1.5f, -1.0f);
    for (const bool walk_down : {true, false}) {
        const DeviceArray a(odd.a);
        const DeviceArray b(odd.b);
        const DeviceArray c(odd.c);
        const dim3 block = walk_down ? dim3(32, 32) : dim3(1024);
        const GemmKernel kernel = walk_down ? naive<UNROLL> : coalesced<UNROLL>;
        kernel<<<rows_first(32)(odd.m, odd.n), block>>>(odd.m, odd.n, odd.k, odd.alpha, a.data(), b.data(),
                                                        odd.beta, c.data());
        report((walk_down ? "naive" : "coalesced") + suffix + " 77x45x33", odd.worst(c.host()));
    }
}

template <int BS, int UNROLL>
void check_smem(const std::string& name) {
    check_gemm(name, smem<BS, UNROLL>, rows_first(BS), dim3(BS * BS), BS);
}

template <int BM, int BN, int BK, int TM, int UNROLL>
void check_column(const std::string& name) {
    check_gemm(name, blocktile1d<BM, BN, BK, TM, UNROLL>, columns_first(BM, BN), dim3(BM * BN / TM), BK);
}

template <int BM, int BN, int BK, int TM, int TN, int UNROLL>
void check_tile(const std::string& name, GemmKernel kernel) {
    check_gemm(name, kernel, columns_first(BM, BN), dim3(BM * BN / (TM * TN)), BK);
}

template <int BM, int BN, int BK, int TM, int TN, int UNROLL>
void check_sub_tile(const std::string& name) {
    check_gemm(name, autotuned<BM, BN, BK, TM, TN, UNROLL>, columns_first(BM, BN), dim3(256), BK);
}

template <int BM, int BN, int BK, int WM, int WN, int WNITER, int TM, int TN, int THREADS, int UNROLL>
void check_warp_tile(const std::string& name, GemmKernel kernel) {
    check_gemm(name, kernel, columns_first(BM, BN), dim3(THREADS), BK);
}

void check_tiled(int compute_capability) {
#define X(...) check_smem<__VA_ARGS__>("smem<" #__VA_ARGS__ ">");
    GPUMODEL_SMEM(X)
#undef X
#define X(...) check_column<__VA_ARGS__>("blocktile1d<" #__VA_ARGS__ ">");
    GPUMODEL_BLOCKTILE1D(X)
#undef X
#define X(...) check_tile<__VA_ARGS__>("blocktile2d<" #__VA_ARGS__ ">", blocktile2d<__VA_ARGS__>);
    GPUMODEL_BLOCKTILE2D(X)
#undef X
#define X(...) check_tile<__VA_ARGS__>("vectorized<" #__VA_ARGS__ ">", vectorized<__VA_ARGS__>);
    GPUMODEL_VECTORIZED(X)
#undef X
#define X(...) check_tile<__VA_ARGS__>("bank_linearize<" #__VA_ARGS__ ">", bank_linearize<__VA_ARGS__>);
    GPUMODEL_BANK_LINEARIZE(X)
#undef X
#define X(...) check_tile<__VA_ARGS__>("bank_extracol<" #__VA_ARGS__ ">", bank_extracol<__VA_ARGS__>);
    GPUMODEL_BANK_EXTRACOL(X)
#undef X
#define X(...) check_sub_tile<__VA_ARGS__>("autotuned<" #__VA_ARGS__ ">");
    GPUMODEL_AUTOTUNED(X)
#undef X
#define X(...) check_warp_tile<__VA_ARGS__>("warptile<" #__VA_ARGS__ ">", warptile<__VA_ARGS__>);
    GPUMODEL_WARPTILE(X)
#undef X
#define X(...) check_warp_tile<__VA_ARGS__>("doublebuffer<" #__VA_ARGS__ ">", doublebuffer<__VA_ARGS__>);
    GPUMODEL_DOUBLEBUFFER(X)
#undef X
#define X(...) \
    check_warp_tile<__VA_ARGS__>("doublebuffer_split<" #__VA_ARGS__ ">", doublebuffer_split<__VA_ARGS__>);
    GPUMODEL_DOUBLEBUFFER_SPLIT(X)
#undef X
    if (compute_capability < 80) {
        return;
    }
#define X(...) \
    check_warp_tile<__VA_ARGS__>("doublebuffer_async<" #__VA_ARGS__ ">", doublebuffer_async<__VA_ARGS__>);
    GPUMODEL_DOUBLEBUFFER_ASYNC(X)
#undef X
}

template <int UNROLL>
void check_guide_products() {
    const std::string suffix = "<" + std::to_string(UNROLL) + ">";
    static const Problem ab(96, 160, 32, 1.0f, 0.0f);
    const DeviceArray a(ab.a);
    const DeviceArray b(ab.b);
    const std::vector<float> nan(ab.c.size(), std::nanf(""));
    const auto check_ab = [&](const char* name, void (*kernel)(const float*, const float*, float*, int)) {
        const DeviceArray c(nan);
        kernel<<<dim3(ab.n / 32, ab.m / 32), dim3(32, 32)>>>(a.data(), b.data(), c.data(), ab.n);
        report(name + suffix, ab.worst(c.host()));
    };
    check_ab("ab_simple", ab_simple<UNROLL>);
    check_ab("ab_coalesced", ab_coalesced<UNROLL>);
    check_ab("ab_shared", ab_shared<UNROLL>);

    static const Problem aat = [] {
        Problem p(128, 128, 32, 1.0f, 0.0f);
        for (int i = 0; i < p.m; ++i) {
            for (int j = 0; j < p.m; ++j) {
                double sum = 0;
                double scale = 0;
                for (int x = 0; x < p.k; ++x) {
                    const double product = double(p.a[i * p.k + x]) * p.a[j * p.k + x];
                    sum += product;
                    scale += std::fabs(product);
                }
                p.expected[i * p.m + j] = sum;
                p.bound[i * p.m + j] = rounding_bound(scale, p.k);
            }
        }
        return p;
    }();
    const DeviceArray square(aat.a);
    const std::vector<float> square_nan(aat.c.size(), std::nanf(""));
    const auto check_aat = [&](const char* name, void (*kernel)(const float*, float*, int)) {
        const DeviceArray c(square_nan);
        kernel<<<dim3(aat.m / 32, aat.m / 32), dim3(32, 32)>>>(square.data(), c.data(), aat.m);
        report(name + suffix, aat.worst(c.host()));
    };
    check_aat("aat_simple", aat_simple<UNROLL>);
    check_aat("aat_coalesced", aat_coalesced<UNROLL>);
    check_aat("aat_padded", aat_padded<UNROLL>);
}

// Copies and transposes are exact: 0 or infinitely wrong.
double mismatch(const std::vector<float>& result, const std::vector<float>& expected) {
    return result == expected ? 0.0 : INFINITY;
}

void check_copies() {
    constexpr int blocks = 8;
    constexpr int threads = 256;
    for (const int step : {1, 2, 7}) {
        const std::vector<float> in = random_words(std::size_t(blocks) * threads * step + 32, 5);
        const DeviceArray source(in);
        std::vector<float> expected(in.size(), -2.0f);
        const DeviceArray strided(expected);
        const DeviceArray shifted(expected);
        std::vector<float> expected_shift = expected;
        for (int i = 0; i < blocks * threads; ++i) {
            expected[i * step] = in[i * step];
            expected_shift[i + step] = in[i + step];
        }
        stride_copy<float><<<blocks, threads>>>(strided.data(), source.data(), step);
        report("stride_copy stride " + std::to_string(step), mismatch(strided.host(), expected));
        offset_copy<float><<<blocks, threads>>>(shifted.data(), source.data(), step);
        report("offset_copy offset " + std::to_string(step), mismatch(shifted.host(), expected_shift));
    }
}

template <int UNROLL>
void check_transposes() {
    const std::string suffix = "<" + std::to_string(UNROLL) + ">";
    constexpr int m = 96;
    constexpr int n = 160;
    const std::vector<float> in = random_words(std::size_t(m) * n, 6);
    std::vector<float> expected(in.size());
    for (int i = 0; i < m; ++i) {
        for (int j = 0; j < n; ++j) {
            expected[j * m + i] = in[i * n + j];
        }
    }
    const DeviceArray source(in);
    const auto check = [&](const std::string& name, void (*kernel)(float*, const float*, int, int)) {
        const DeviceArray out(std::vector<float>(in.size(), std::nanf("")));
        kernel<<<dim3(n / 32, m / 32), dim3(32, transpose_rows)>>>(out.data(), source.data(), m, n);
        report(name, mismatch(out.host(), expected));
    };
    check("transpose_naive" + suffix, transpose_naive<UNROLL>);
    check("transpose_shared" + suffix, transpose_shared<UNROLL>);
    check("transpose_padded" + suffix, transpose_padded<UNROLL>);
}

}  // namespace
}  // namespace gpumodel::kernels

int main() {
    using namespace gpumodel::kernels;
    cudaDeviceProp device{};
    require(cudaGetDeviceProperties(&device, 0), "cudaGetDeviceProperties");
    std::printf("%s, compute capability %d.%d\n", device.name, device.major, device.minor);
#define X(unroll)           \
    check_simple<unroll>(); \
    check_guide_products<unroll>();
    GPUMODEL_SIMPLE_UNROLLS(X)
#undef X
    check_tiled(device.major * 10 + device.minor);
    check_copies();
#define X(unroll) check_transposes<unroll>();
    GPUMODEL_TRANSPOSE_UNROLLS(X)
#undef X
    std::printf("%d wrong\n", failures);
    return failures == 0 ? 0 : 1;
}
