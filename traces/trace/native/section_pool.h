// Entries that bodies refer to by number, written in sections of limited size (FORMAT.md: CODE, TABL).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "traces/trace/native/byte_stream.h"
#include "traces/trace/native/section_file.h"

namespace gpumodel {

// Equal values are written once.
class SectionPool {
public:
    SectionPool(SectionWriter& sections, std::string_view tag) : sections_(sections), tag_(tag) {}

    // Number of the entry, or of the first of `count` entries.
    std::uint64_t add(std::string bytes, std::uint64_t count) {
        const auto [found, added] = known_.try_emplace(std::move(bytes), next_);
        if (added) {
            buffer_.raw(found->first);
            next_ += count;
            if (buffer_.bytes().size() > closing_size) {
                flush();
            }
        }
        return found->second;
    }
    void flush() {
        if (!buffer_.bytes().empty()) {
            sections_.write(tag_, buffer_.take());
        }
    }
    [[nodiscard]] std::uint64_t size() const { return next_; }

private:
    static constexpr std::size_t closing_size = std::size_t{1} << 22;  // a quarter of what a section may hold

    SectionWriter& sections_;
    std::string tag_;
    ByteWriter buffer_;
    std::map<std::string, std::uint64_t> known_;
    std::uint64_t next_ = 0;
};

}  // namespace gpumodel
