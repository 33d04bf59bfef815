// Integer arithmetic that generations before Volta and behind it do in different instructions, a value per thread.
// Each kernel: out, then the operands of all threads.
#define KERNEL(name, type, expression)                                                           \
    extern "C" __global__ void name(type* out, const type* as, const type* bs, const type* cs) { \
        const int i = threadIdx.x;                                                               \
        const type a = as[i], b = bs[i], c = cs[i];                                              \
        (void)b, (void)c;                                                                        \
        out[i] = expression;                                                                     \
    }

typedef long long i64;
typedef unsigned long long u64;
typedef unsigned u32;

KERNEL(low_product, int, a* b + c)
KERNEL(high_product, int, __mulhi(a, b))
KERNEL(unsigned_high_product, u32, __umulhi(a, b))
KERNEL(product_64, i64, a* b + c)
KERNEL(high_product_64, i64, __mul64hi(a, b))
KERNEL(unsigned_high_product_64, u64, __umul64hi(a, b))
KERNEL(wide_product, i64, (i64)(int)a * (int)b + c)
KERNEL(unsigned_wide_product, u64, (u64)(u32)a * (u32)b + c)
KERNEL(product_24, int, __mul24(a, b))
KERNEL(by_constant, int, a * 100003 + b / 7 - c % 1000)
KERNEL(quotient, int, (b == 0 ? 0 : a / b) + (c == 0 ? 0 : a % c))
KERNEL(quotient_64, i64, (b == 0 ? 0 : a / b) + (c == 0 ? 0 : a % c))
KERNEL(sum_of_three, int, a - b + c)
KERNEL(sum_of_three_64, i64, a + b - c)
KERNEL(choice, int, max(min(a, b), c))
KERNEL(choice_64, i64, max(min(a, b), c))
KERNEL(unsigned_choice_64, u64, max(min(a, b), c))
KERNEL(comparisons_64, i64, (a < b ? 1 : 0) + (a == c ? 2 : 0) + ((u64)a >= (u64)c ? 4 : 0) + (b != c ? 8 : 0))
KERNEL(shifts, int, (a << (b & 31)) ^ (a >> (c & 31)) ^ (int)((u32)b >> (a & 31)))
KERNEL(shifts_64, i64, (a << (b & 63)) ^ (a >> (c & 63)) ^ (i64)((u64)b >> (a & 63)))
KERNEL(funnels, u32, __funnelshift_l(a, b, c) ^ __funnelshift_r(a, b, c) ^ __funnelshift_lc(a, b, c & 63))
KERNEL(bits, u32, __popc(a) + 64 * __clz(b) + 4096 * __ffs(c) + __brev(a ^ b))
KERNEL(bits_64, u64, __popcll(a) + 128 * __clzll(b) + 16384 * __ffsll(c))
KERNEL(bytes, u32, __byte_perm(a, b, c) + __sad((int)a, (int)b, c) + __usad(a, b, c))
KERNEL(logic, u32, (a & b) | (~c & (a ^ b)))
KERNEL(averages, int, __hadd(a, b) ^ __rhadd(b, c))
KERNEL(fields, u32, ((a >> 7) & 0x3ff) | ((b << 10) & 0xffc00) | (c & 0xfff00000))
KERNEL(absolute, int, abs(a) ^ abs(b - c))
KERNEL(floats, int, __float2int_rn(__int2float_rn(a) * 0.5f) ^ __float_as_int(fminf(__int_as_float(b), __int_as_float(c))))
KERNEL(narrow, int, (signed char)a + 256 * (unsigned char)b + 65536 * (short)c)

// Lanes of each warp leave a loop one by one, meet, and vote.
extern "C" __global__ void divergent(int* out, const int* as, const int* bs, const int* cs) {
    const int i = threadIdx.x;
    int n = 0, sum = 0;
    for (int k = as[i] & 15; k >= 0; --k) {
        if (k == (bs[i] & 7)) {
            sum += 1000;
            continue;
        }
        if (k == (cs[i] & 3)) {
            break;
        }
        sum += (k + 1) * k;
        ++n;
    }
    switch (n & 3) {
        case 0: sum ^= 0x111; break;
        case 1: sum += 7 * n; break;
        default: sum -= n;
    }
    out[i] = sum + 100000 * __popc(__ballot_sync(~0u, n > 3));
}

// An address that may lie in shared or in device memory, read, written and added to.
extern "C" __global__ void either_memory(float* out, const float* as, const float* bs, const float* cs) {
    __shared__ float tile[64];
    const int i = threadIdx.x;
    tile[i] = as[i];
    out[i] = bs[i];
    __syncthreads();
    float* place = (i / 4) % 2 == 0 ? tile : out;
    const float old = atomicAdd(place + i, 1.0f);
    place[i] += cs[i] + old;
    __syncthreads();
    if (place == tile) {
        out[i] = tile[i];
    }
}
