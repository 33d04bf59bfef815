// What the applications share: errors, buffers, numbers, and the word at the end.
#pragma once
#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define OK(call)                                                                              \
    do {                                                                                      \
        const cudaError_t status_ = (call);                                                   \
        if (status_ != cudaSuccess) {                                                         \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status_)); \
            std::exit(2);                                                                     \
        }                                                                                     \
    } while (0)

template <class T>
struct Buffer {
    T* p = nullptr;
    std::size_t n;
    explicit Buffer(std::size_t count) : n(count) {
        OK(cudaMalloc(&p, n * sizeof(T)));
        OK(cudaMemset(p, 0, n * sizeof(T)));
    }
    explicit Buffer(const std::vector<T>& v) : Buffer(v.size()) {
        OK(cudaMemcpy(p, v.data(), n * sizeof(T), cudaMemcpyHostToDevice));
    }
    std::vector<T> host() const {
        std::vector<T> v(n);
        OK(cudaMemcpy(v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost));
        return v;
    }
};

struct Random {  // xorshift, Marsaglia 2003
    std::uint64_t s;
    explicit Random(std::uint64_t seed) : s(seed * 2654435761u + 88172645463325252ull) {}
    std::uint32_t next() {
        s ^= s << 13;
        s ^= s >> 7;
        s ^= s << 17;
        return static_cast<std::uint32_t>(s >> 16);
    }
    std::uint32_t below(std::uint32_t n) { return next() % n; }
    float unit() { return static_cast<float>(below(256)) / 256.0f; }  // few bits, so that recordings pack well
};

inline bool near(double a, double b, double tolerance) { return std::fabs(a - b) <= tolerance * (1 + std::fabs(b)); }

inline int finish(bool right, const char* name) {
    OK(cudaDeviceSynchronize());
    std::printf("%s: %s\n", name, right ? "right" : "WRONG");
    return right ? 0 : 1;
}
