// Instances of the direct products, smem and the transposes, see ../instances.cuh.
#pragma once

// UNROLL of naive, coalesced and the guides' products
#define GPUMODEL_SIMPLE_UNROLLS(X) \
    X(0)                           \
    X(1)                           \
    X(2)                           \
    X(4)                           \
    X(8)                           \
    X(16)

// UNROLL of the transposes (four rows per thread)
#define GPUMODEL_TRANSPOSE_UNROLLS(X) \
    X(0)                              \
    X(1)                              \
    X(2)

// BS, UNROLL
#define GPUMODEL_SMEM(X) \
    X(32, 0)             \
    X(32, 1)             \
    X(32, 2)             \
    X(32, 4)             \
    X(32, 8)             \
    X(32, 16)            \
    X(32, 32)            \
    X(16, 0)             \
    X(16, 1)             \
    X(16, 2)             \
    X(16, 4)             \
    X(16, 8)             \
    X(16, 16)            \
    X(8, 0)              \
    X(8, 1)              \
    X(8, 2)              \
    X(8, 4)              \
    X(8, 8)
