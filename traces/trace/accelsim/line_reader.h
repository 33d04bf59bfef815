// Lines of a byte source, without their ends.
#pragma once

#include <string>
#include <string_view>

#include "base/files/byte_stream.h"

namespace gpumodel {

// A line of more than `longest` bytes is cut and marked.
class LineReader {
public:
    static constexpr std::size_t longest = 8192;  // an instruction with 32 listed addresses has 700

    // `first_line`: number of the line before the first.
    LineReader(ByteSource& source, int first_line) : source_(source), number_(first_line) {}
    // False at the end. The view is valid until the next call.
    bool next(std::string_view& line);
    [[nodiscard]] int number() const { return number_; }
    [[nodiscard]] bool cut() const { return cut_; }

private:
    bool fill();

    ByteSource& source_;
    std::string buffer_;
    std::size_t begin_ = 0;
    bool ended_ = false;
    bool cut_ = false;
    int number_ = 0;
};

}  // namespace gpumodel
