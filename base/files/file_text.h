// The whole of a file in memory, with an end to what is read: devices and pipes may have none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <istream>
#include <string>
#include <string_view>

namespace gpumodel {

inline constexpr std::uint64_t most_text_bytes = std::uint64_t{1} << 29U;

// Bytes may begin with any number of zeros. Text, and code, that begins with 64 KiB of them is refused there
// and then: /dev/zero, a disk's hole, the wrong file.
enum class Content : unsigned char { text, bytes };
inline constexpr std::size_t most_leading_zeros = 1 << 16;

struct FileText {
    std::string text;   // empty where there is a fault
    std::string fault;  // "cannot read this file", "larger than 512 MiB", "begins with ...", "" = read
};

// Directories cannot be read. `most` bytes are the limit of a regular file, whose size is known before; of
// all else the smaller of it and most_text_bytes.
[[nodiscard]] FileText read_text(const std::string& path, std::uint64_t most = most_text_bytes,
                                 Content content = Content::text);
[[nodiscard]] FileText read_text(std::istream& in, std::uint64_t most = most_text_bytes,
                                 Content content = Content::text);

// Whether what was read first is most_leading_zeros zeros.
[[nodiscard]] bool begins_with_zeros(std::string_view first);

// The same; throws InputError (usage) under `option` where there is a fault.
[[nodiscard]] std::string require_text(const std::string& path, const std::string& option);

}  // namespace gpumodel
