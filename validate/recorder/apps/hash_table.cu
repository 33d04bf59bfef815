// A table with open addressing: inserting with compare-and-swap, counting, looking up.
#include <set>
#include "app.cuh"
constexpr unsigned empty = ~0u;
__device__ unsigned place(unsigned k) { k ^= k >> 16; k *= 0x85ebca6bu; k ^= k >> 13; k *= 0xc2b2ae35u; return k ^ (k >> 16); }
__global__ void insert(unsigned* table, unsigned mask, const unsigned* keys, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    for (unsigned at = place(keys[i]) & mask;; at = (at + 1) & mask) {
        const unsigned old = atomicCAS(&table[at], empty, keys[i]);
        if (old == empty || old == keys[i]) return;
    }
}
__global__ void look_up(const unsigned* table, unsigned mask, const unsigned* keys, unsigned char* found, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned at = place(keys[i]) & mask;
    while (table[at] != empty && table[at] != keys[i]) at = (at + 1) & mask;
    found[i] = table[at] == keys[i];
}
__global__ void used(const unsigned* table, int n, int* count) {
    int c = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) c += __popc(__ballot_sync(__activemask(), table[i] != empty)) * (threadIdx.x % 32 == 0);
    if (c) atomicAdd(count, c);
}
int main() {
    const int n = 90000, slots = 1 << 17;
    Random random(11);
    std::vector<unsigned> keys(n), asked(n);
    for (auto& k : keys) k = random.below(200000);
    for (auto& k : asked) k = random.below(200000);
    const std::set<unsigned> want(keys.begin(), keys.end());
    Buffer<unsigned> T(std::vector<unsigned>(slots, empty)), K(keys), A(asked);
    Buffer<unsigned char> F(n);
    Buffer<int> C(1);
    insert<<<(n + 255) / 256, 256>>>(T.p, slots - 1, K.p, n);
    look_up<<<(n + 127) / 128, 128>>>(T.p, slots - 1, A.p, F.p, n);
    used<<<128, 256>>>(T.p, slots, C.p);
    const auto found = F.host();
    bool right = C.host()[0] == int(want.size());
    for (int i = 0; i < n; ++i) right = right && found[i] == want.count(asked[i]);
    return finish(right, "hash_table");
}
