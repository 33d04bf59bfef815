// Instances of the warp groups' products in clusters (../wgmma_groups.cuh): fast tiles of wgmma.cuh and
// wgmma_types.cuh, with CLUSTER. TYPE: 0 = f16, 1 = bf16, 2 = tf32, 3 = int8.
#pragma once

// BM, BN, BK, STAGES, CONSUMERS, PERSISTENT, RASTER, TYPE, CLUSTER
#define GPUMODEL_WGMMA_CLUSTERS(X)     \
    X(128, 256, 64, 4, 2, 1, 8, 0, 2)  \
    X(128, 256, 64, 3, 2, 1, 8, 0, 2)  \
    X(128, 256, 64, 4, 2, 0, 8, 0, 2)  \
    X(128, 256, 64, 4, 2, 0, 8, 0, 4)  \
    X(256, 128, 64, 4, 2, 1, 8, 0, 2)  \
    X(256, 128, 64, 4, 2, 0, 8, 0, 4)  \
    X(128, 128, 64, 6, 2, 1, 8, 0, 2)  \
    X(128, 128, 64, 4, 2, 0, 8, 0, 4)  \
    X(64, 256, 64, 4, 1, 1, 8, 0, 2)   \
    X(64, 128, 64, 6, 1, 0, 8, 0, 2)   \
    X(64, 128, 64, 6, 1, 0, 8, 0, 4)   \
    X(128, 256, 64, 4, 2, 1, 8, 1, 2)  \
    X(128, 256, 32, 4, 2, 1, 8, 2, 2)  \
    X(128, 256, 32, 4, 2, 0, 8, 2, 4)  \
    X(128, 256, 128, 4, 2, 1, 8, 3, 2) \
    X(128, 256, 128, 4, 2, 0, 8, 3, 4)
