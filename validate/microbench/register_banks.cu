// register_banks READS=..;SAME_BANK=..   cycles per FFMA of one warp that reads READS registers, SAME_BANK of
// them always in the same bank, none of them in the reuse cache.
// Determines sm.register_file.banks, reads_per_bank.
//
// PTX has no register numbers, but what a 16-byte load fills is an aligned group of four: component 0 to 3
// has the register number 0 to 3 modulo 4. Banks are the number modulo 2 from sm_70 on, modulo 4 before.
// Accumulators that would share the bank of every other operand are moved by the assembler to the other bank,
// so two of two and three of three operands on one bank cannot be measured this way.
#include "validate/microbench/microbench.cuh"

namespace gpumodel::microbench {
namespace {

constexpr int short_body = 64;
constexpr int long_body = 192;
constexpr int rounds = 100;

struct Quad {
    float word[4];
};

// Components of the three operands; -1 = an immediate.
template <int A, int B, int C, int BODY>
__global__ void read_registers(const float4* in, float4* out, Interval* warps) {
    union {
        float4 vector;
        Quad quad;
    } a[8], b[8], c[8];  // eight disjoint triples: nothing that the reuse cache could keep
    for (int i = 0; i < 8; ++i) {
        a[i].vector = in[threadIdx.x + 32 * i];
        b[i].vector = in[threadIdx.x + 32 * (8 + i)];
        c[i].vector = in[threadIdx.x + 32 * (16 + i)];
    }
    const long long begin = clock64();
#pragma unroll 1
    for (int round = 0; round < rounds; ++round) {
#pragma unroll
        for (int i = 0; i < BODY; ++i) {
            float& sum = c[i % 8].quad.word[C];
            if constexpr (A < 0) {
                asm volatile("fma.rn.f32 %0, %0, 0f3F7FFFFE, %0;" : "+f"(sum));
            } else if constexpr (B < 0) {
                asm volatile("fma.rn.f32 %0, %1, 0f3F7FFFFE, %0;" : "+f"(sum) : "f"(a[i % 8].quad.word[A]));
            } else {
                asm volatile("fma.rn.f32 %0, %1, %2, %0;"
                             : "+f"(sum)
                             : "f"(a[i % 8].quad.word[A]), "f"(b[i % 8].quad.word[B]));
            }
        }
    }
    const long long end = clock64();
    for (int i = 0; i < 8; ++i) {
        out[threadIdx.x + 32 * i] = a[i].vector;
        out[threadIdx.x + 32 * (8 + i)] = b[i].vector;
        out[threadIdx.x + 32 * (16 + i)] = c[i].vector;
    }
    *warps = {begin, end};
}

template <int A, int B, int C>
void measure(Recorder& recorder, int banks) {
    const int operands[] = {A, B, C};
    int reads = 0;
    int on_bank[4] = {};
    for (const int component : operands) {
        if (component >= 0) {
            ++reads;
            ++on_bank[component % banks];
        }
    }
    const int same = *std::max_element(on_bank, on_bank + 4);
    const std::string params = pair("READS", reads) + ";" + pair("SAME_BANK", same);
    if (!recorder.wanted("register_banks", params)) {
        return;
    }
    const DeviceArray<float4> in(32 * 24);
    const DeviceArray<float4> out(32 * 24);
    const DeviceArray<Interval> warp(1);
    const auto run = [&](auto kernel) {
        return [&, kernel] {
            kernel<<<1, 32>>>(in.data(), out.data(), warp.data());
            finish("register banks");
            return span(warp.host());
        };
    };
    recorder.add({"register_banks", params, "cycles_per_instruction",
                  "sm.register_file.banks sm.register_file.reads_per_bank"},
                 difference(run(read_registers<A, B, C, short_body>), run(read_registers<A, B, C, long_body>),
                            double(rounds) * (long_body - short_body)));
}

}  // namespace

void register_banks(const Device& device, Recorder& recorder) {
    const int banks = device.compute_capability >= 70 ? 2 : 4;
    measure<-1, -1, 0>(recorder, banks);
    measure<1, -1, 0>(recorder, banks);
    measure<0, 0, 1>(recorder, banks);
    if (banks == 4) {
        measure<0, 1, 2>(recorder, banks);
    }
}

}  // namespace gpumodel::microbench
