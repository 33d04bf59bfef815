// Instances of the tensor-core products for sm_70 and sm_75, see ../instances.cuh; int8 for sm_75 alone.
// TYPE, ACC: as in mma.cuh and mma_types.cuh.
#pragma once

// BM, BN, WM, WN, TYPE, ACC
#define GPUMODEL_MMA_DIRECT_VOLTA(X) \
    X(64, 64, 32, 32, 0, 0)          \
    X(128, 128, 64, 32, 0, 0)        \
    X(64, 64, 32, 32, 0, 1)

// BM, BN, BK, WM, WN, PAD, TYPE, ACC
#define GPUMODEL_MMA_SHARED_VOLTA(X) \
    X(128, 128, 32, 64, 32, 8, 0, 0) \
    X(128, 128, 32, 64, 32, 0, 0, 0) \
    X(128, 128, 32, 64, 64, 8, 0, 0) \
    X(64, 64, 32, 32, 32, 8, 0, 0)   \
    X(128, 64, 32, 64, 32, 8, 0, 0)  \
    X(128, 128, 32, 64, 32, 8, 0, 1) \
    X(128, 256, 32, 64, 64, 8, 0, 1)

// BM, BN, BK, WM, WN, TYPE, ACC
#define GPUMODEL_MMA_SWIZZLED_VOLTA(X) \
    X(128, 128, 32, 64, 32, 0, 0)      \
    X(128, 128, 32, 64, 64, 0, 0)      \
    X(64, 64, 64, 32, 32, 0, 0)        \
    X(128, 128, 32, 64, 32, 0, 1)

#define GPUMODEL_MMA_DIRECT_TURING(X) X(64, 64, 32, 32, 3, 2)
#define GPUMODEL_MMA_SHARED_TURING(X) X(128, 128, 64, 64, 32, 16, 3, 2)
#define GPUMODEL_MMA_SWIZZLED_TURING(X) X(128, 128, 64, 64, 32, 3, 2)
