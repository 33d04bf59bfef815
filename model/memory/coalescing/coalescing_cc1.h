// The half-warp rules of compute capability 1.0/1.1 and 1.2/1.3 (CUDA C Programming Guide 4.2,
// appendix F.3.2; for the uncoalesced case of 1.0/1.1 "one transaction per element requested" of the
// Best Practices Guide 4.2, which fixes what happens with idle lanes).
#pragma once

#include <cstdint>

#include "model/memory/coalescing/coalescing.h"
#include "model/memory/warp_access.h"

namespace gpumodel {

// Takes one transaction at a time, in order of issue.
class TransactionSink {
public:
    TransactionSink(Coalescing& result, bool keep_list) : result_(result), keep_list_(keep_list) {}
    void add(std::int64_t address, int bytes) {
        ++result_.transactions;
        result_.bytes_moved += bytes;
        if (keep_list_) {
            result_.list.push_back({address, bytes});
        }
    }

private:
    Coalescing& result_;
    bool keep_list_;
};

// `lanes`: the active lanes of one half-warp, at least one.
void serve_half_warp_cc1_0(const WarpAccess& access, std::uint32_t lanes, TransactionSink& sink);
void serve_half_warp_cc1_2(const WarpAccess& access, std::uint32_t lanes, TransactionSink& sink);

}  // namespace gpumodel
