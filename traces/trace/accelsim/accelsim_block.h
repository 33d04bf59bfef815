// The text of one thread block, between #BEGIN_TB and #END_TB.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "traces/kernel_program.h"
#include "traces/trace/accelsim/accelsim_line.h"

namespace gpumodel {

class AccelSimBlockHandler {
public:
    virtual ~AccelSimBlockHandler() = default;
    virtual void block(const Dim3& id) = 0;
    virtual void warp(int id) = 0;
    virtual void instruction(const AccelSimLine& line) = 0;
};

// Line by line; faults are added, the handler sees what is right.
class AccelSimBlockParser {
public:
    AccelSimBlockParser(AccelSimTable& table, AccelSimBlockHandler& handler, std::string file, Dim3 grid,
                        std::int64_t threads, std::vector<Diagnostic>& faults)
        : table_(table),
          handler_(handler),
          file_(std::move(file)),
          grid_(grid),
          threads_(threads),
          faults_(faults) {}

    void begin(int number);
    void line(std::string_view text, int number);
    void end(int number);

private:
    void fault(int number, const std::string& key, const std::string& message);
    void directive(std::string_view text, int number);
    void block_id(std::string_view value, int number);
    void warp_id(std::string_view value, int number);

    AccelSimTable& table_;
    AccelSimBlockHandler& handler_;
    std::string file_;
    Dim3 grid_;
    std::int64_t threads_;
    std::vector<Diagnostic>& faults_;

    bool has_id_ = false;
    bool has_warp_ = false;    // a warp line waits for its insts line
    std::uint64_t warps_ = 0;  // bit per warp seen
    std::int64_t left_ = 0;    // instruction lines to come
    AccelSimLine parsed_;
};

}  // namespace gpumodel
