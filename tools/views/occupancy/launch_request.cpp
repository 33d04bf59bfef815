#include "tools/views/occupancy/launch_request.h"

namespace gpumodel::cli::page {

OccupancyRequest request_of(const BlockResources& r) {
    OccupancyRequest request;
    request.threads_per_block = r.threads;
    request.registers_per_thread = r.registers_per_thread;
    request.shared_bytes_per_block = r.static_shared_bytes + r.dynamic_shared_bytes;
    request.barriers_per_block = r.barriers;
    constexpr std::int64_t static_limit = 48 * 1024;
    request.allow_optin_shared = r.static_shared_bytes <= static_limit;
    return request;
}

}  // namespace gpumodel::cli::page
