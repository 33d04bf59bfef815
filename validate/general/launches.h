// One launch of each kernel: X(kernel, grid x,y,z, block x,y,z, dynamic shared bytes, arguments as for
// --args, C++ arguments). Sizes are no multiples of the blocks where a kernel checks bounds.
#pragma once

#define GENERAL_LAUNCHES(X)                                                                                  \
    X(stencil5, (32, 64, 1), (32, 8, 1), 0, "ptr:4MiB,ptr:4MiB,1000,507",                                    \
      (p<const float>(0), p<float>(1), 1000, 507))                                                           \
    X(stencil7_march, (7, 28, 1), (32, 8, 1), 0, "ptr:32MiB,ptr:32MiB,220,219,40",                           \
      (p<const float>(0), p<float>(1), 220, 219, 40))                                                        \
    X(stencil1d_shared, (400, 1, 1), (256, 1, 1), 0, "ptr,ptr,102301",                                       \
      (p<const float>(0), p<float>(1), 102301))                                                              \
    X(reduce_tree, (200, 1, 1), (256, 1, 1), 0, "ptr,ptr,1000003",                                           \
      (p<const float>(0), p<float>(1), 1000003))                                                             \
    X(reduce_interleaved, (500, 1, 1), (256, 1, 1), 0, "ptr,ptr", (p<const float>(0), p<float>(1)))          \
    X(row_sum_shuffle, (125, 1, 1), (256, 1, 1), 0, "ptr,ptr,997,1111",                                      \
      (p<const float>(0), p<float>(1), 997, 1111))                                                           \
    X(saxpy_grid_stride, (264, 1, 1), (256, 1, 1), 0, "1.5f,ptr,ptr,1234567L",                               \
      (1.5f, p<const float>(0), p<float>(1), 1234567LL))                                                     \
    X(copy_vector, (150, 1, 1), (128, 1, 1), 0, "ptr,ptr,1000003",                                           \
      (p<const float>(0), p<float>(1), 1000003))                                                             \
    X(bytes_to_shorts, (500, 1, 1), (256, 1, 1), 0, "ptr,ptr,127777",                                        \
      (p<const std::uint8_t>(0), p<std::uint16_t>(1), 127777))                                               \
    X(histogram_shared, (132, 1, 1), (256, 1, 1), 0, "ptr,ptr,500000", (p<const int>(0), p<int>(1), 500000)) \
    X(scan_block, (300, 1, 1), (512, 1, 1), 0, "ptr,ptr", (p<const float>(0), p<float>(1)))                  \
    X(bitonic_step, (1024, 1, 1), (256, 1, 1), 0, "ptr,8,64", (p<float>(0), 8, 64))                          \
    X(triangular_matvec, (8, 1, 1), (128, 1, 1), 0, "ptr,ptr,ptr,1000",                                      \
      (p<const float>(0), p<const float>(1), p<float>(2), 1000))                                             \
    X(permute_3d, (430, 1, 1), (256, 1, 1), 0, "ptr,ptr,37,53,55",                                           \
      (p<const float>(0), p<float>(1), 37, 53, 55))                                                          \
    X(gather_rows, (200, 1, 1), (256, 1, 1), 0, "ptr,ptr,1009L,777L,50001L",                                 \
      (p<const float>(0), p<float>(1), 1009LL, 777LL, 50001LL))                                              \
    X(escape_time, (10, 33, 1), (32, 4, 1), 0, "ptr,300,130,100", (p<int>(0), 300, 130, 100))                \
    X(collatz_steps, (20, 1, 1), (128, 1, 1), 0, "ptr,2500", (p<int>(0), 2500))                              \
    X(transpose_bounds, (32, 17, 1), (32, 8, 1), 0, "ptr,ptr,1001,517",                                      \
      (p<const float>(0), p<float>(1), 1001, 517))                                                           \
    X(sgemm_bounds, (20, 13, 1), (16, 16, 1), 0, "ptr,ptr,ptr,200,310,177",                                  \
      (p<const float>(0), p<const float>(1), p<float>(2), 200, 310, 177))                                    \
    X(nbody_forces, (32, 1, 1), (128, 1, 1), 2048, "ptr,ptr,4096", (p<const float4>(0), p<float4>(1), 4096)) \
    X(softmax_rows, (300, 1, 1), (128, 1, 1), 0, "ptr,ptr,1000", (p<const float>(0), p<float>(1), 1000))     \
    X(axpy_3d_double, (4, 5, 11), (32, 4, 2), 0, "ptr,ptr,1.5,100,19,21",                                    \
      (p<const double>(0), p<double>(1), 1.5, 100, 19, 21))
