// Instances of the warp groups' products (../wgmma_groups.cuh) in TF32 and 8-bit integers, TYPE: 2 = tf32, 3
// = int8. Of either type the same tiles in bytes.
#pragma once

// BM, BN, BK, STAGES, TYPE
#define GPUMODEL_WGMMA_TMA_TYPES(X) \
    X(128, 128, 32, 4, 2)           \
    X(128, 128, 32, 3, 2)           \
    X(128, 128, 32, 6, 2)           \
    X(128, 128, 64, 3, 2)           \
    X(64, 128, 32, 4, 2)            \
    X(64, 256, 32, 4, 2)            \
    X(128, 128, 128, 4, 3)          \
    X(128, 128, 128, 3, 3)          \
    X(128, 128, 128, 6, 3)          \
    X(128, 128, 256, 3, 3)          \
    X(64, 128, 128, 4, 3)           \
    X(64, 256, 128, 4, 3)

// BM, BN, BK, STAGES, CONSUMERS, PERSISTENT, RASTER, TYPE
#define GPUMODEL_WGMMA_WARP_SPECIALIZED_TYPES(X) \
    X(128, 256, 32, 4, 2, 1, 8, 2)               \
    X(128, 256, 32, 3, 2, 1, 8, 2)               \
    X(128, 256, 32, 4, 2, 0, 8, 2)               \
    X(256, 128, 32, 4, 2, 1, 8, 2)               \
    X(128, 128, 32, 6, 2, 1, 8, 2)               \
    X(64, 128, 32, 6, 1, 0, 8, 2)                \
    X(128, 256, 128, 4, 2, 1, 8, 3)              \
    X(128, 256, 128, 3, 2, 1, 8, 3)              \
    X(128, 256, 128, 4, 2, 0, 8, 3)              \
    X(256, 128, 128, 4, 2, 1, 8, 3)              \
    X(128, 128, 128, 6, 2, 1, 8, 3)              \
    X(64, 128, 128, 6, 1, 0, 8, 3)
