#include "traces/trace/accelsim/line_reader.h"

#include <algorithm>

namespace gpumodel {

namespace {

constexpr std::size_t read_size = 1 << 16;

}  // namespace

bool LineReader::fill() {
    if (ended_) {
        return false;
    }
    buffer_.erase(0, begin_);
    begin_ = 0;
    const auto kept = buffer_.size();
    buffer_.resize(kept + read_size);
    const auto got = source_.read(buffer_.data() + kept, read_size);
    buffer_.resize(kept + got);
    ended_ = got == 0;
    return !ended_;
}

bool LineReader::next(std::string_view& line) {
    cut_ = false;
    std::size_t searched = 0;
    for (;;) {
        const std::string_view rest = std::string_view(buffer_).substr(begin_);
        if (const auto end = rest.find('\n', searched); end != std::string_view::npos) {
            begin_ += end + 1;
            line = rest.substr(0, std::min(end, longest));
            cut_ = cut_ || end > longest;
            break;
        }
        searched = rest.size();
        if (searched > longest) {
            // Only the first part of such a line is kept, however long it is.
            buffer_.resize(begin_ + longest + 1);
            searched = longest + 1;
            cut_ = true;
        }
        if (!fill()) {
            begin_ = buffer_.size();
            line = std::string_view(buffer_).substr(begin_ - std::min(rest.size(), buffer_.size()));
            line = line.substr(0, longest);
            if (rest.empty()) {
                return false;
            }
            break;
        }
    }
    ++number_;
    return true;
}

}  // namespace gpumodel
