// Every kernel of this folder, by name. Compiled alone, its listing is what predictions run:
//   nvcc -std=c++17 -O3 -arch=sm_90 -I. -cubin -o kernels.cubin validate/microbench/memory/kernels.cu
//   cuobjdump -sass kernels.cubin | gzip -n > validate/microbench/memory/sm_90.sass.gz
#include "validate/microbench/memory/chains.cuh"
#include "validate/microbench/memory/held_back.cuh"
#include "validate/microbench/memory/kernels.cuh"
#include "validate/microbench/memory/streams.cuh"

namespace gpumodel::microbench {

#define MEMORY_KERNEL(NAME) {#NAME, reinterpret_cast<const void*>(&NAME)},
#define MEMORY_STREAM_KERNELS(NAME) \
    MEMORY_KERNEL(read_##NAME) MEMORY_KERNEL(copy_##NAME) MEMORY_KERNEL(fill_##NAME)
#define MEMORY_MIX_KERNELS(NAME) MEMORY_KERNEL(mix_##NAME) MEMORY_KERNEL(mix1_##NAME)

const void* memory_kernel(const std::string& entry) {
    static const std::map<std::string, const void*> kernels = {
        MEMORY_STREAM_KERNELS(w1_u1) MEMORY_STREAM_KERNELS(w1_u2) MEMORY_STREAM_KERNELS(
            w1_u4) MEMORY_STREAM_KERNELS(w1_u8) MEMORY_STREAM_KERNELS(w2_u1) MEMORY_STREAM_KERNELS(w2_u4)
            MEMORY_STREAM_KERNELS(w4_u1) MEMORY_STREAM_KERNELS(w4_u2) MEMORY_STREAM_KERNELS(
                w4_u4) MEMORY_STREAM_KERNELS(w4_u8) MEMORY_MIX_KERNELS(r8_w1) MEMORY_MIX_KERNELS(r4_w1)
                MEMORY_MIX_KERNELS(r3_w1) MEMORY_MIX_KERNELS(r2_w1) MEMORY_MIX_KERNELS(
                    r1_w1) MEMORY_MIX_KERNELS(r2_w2) MEMORY_MIX_KERNELS(r4_w4) MEMORY_MIX_KERNELS(r1_w2)
                    MEMORY_MIX_KERNELS(r1_w4) MEMORY_KERNEL(read_stride) MEMORY_KERNEL(fill_stride)
                        MEMORY_KERNEL(read_shared) MEMORY_KERNEL(nothing) MEMORY_KERNEL(chain_ffma)
                            MEMORY_KERNEL(chain_ffma_rolled) MEMORY_KERNEL(chain_imad) MEMORY_KERNEL(
                                chain_imad_rolled) MEMORY_KERNEL(chain_imad64) MEMORY_KERNEL(chain_xorshift)
                                MEMORY_KERNEL(chain_break) MEMORY_KERNEL(chain_break_unrolled) MEMORY_KERNEL(
                                    chain_if) MEMORY_KERNEL(test_triad) MEMORY_KERNEL(test_triad_vector)
                                    MEMORY_KERNEL(test_triad_few_blocks) MEMORY_KERNEL(test_axpy)
                                        MEMORY_KERNEL(test_stencil_2d) MEMORY_KERNEL(test_stencil_3d)
                                            MEMORY_KERNEL(test_stencil_march) MEMORY_KERNEL(test_softmax)
                                                MEMORY_KERNEL(test_layer_norm) MEMORY_KERNEL(test_reduce)
                                                    MEMORY_KERNEL(test_reduce_tree) MEMORY_KERNEL(test_dot)
                                                        MEMORY_KERNEL(test_scan_shared) MEMORY_KERNEL(
                                                            test_scan_shuffle) MEMORY_KERNEL(test_bitonic)
                                                            MEMORY_KERNEL(test_compact) MEMORY_KERNEL(
                                                                test_transpose) MEMORY_KERNEL(test_matvec)
                                                                MEMORY_KERNEL(test_bytes)
                                                                    MEMORY_KERNEL(test_gray)
                                                                        MEMORY_KERNEL(test_julia)
                                                                            MEMORY_KERNEL(test_darts)
                                                                                MEMORY_KERNEL(test_walk)};
    const auto found = kernels.find(entry);
    if (found == kernels.end()) {
        throw std::logic_error("no kernel '" + entry + "'");
    }
    return found->second;
}

}  // namespace gpumodel::microbench
