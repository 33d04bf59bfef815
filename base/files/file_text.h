// The whole of a file in memory, with an end to what is read: devices and pipes may have none.
#pragma once

#include <cstdint>
#include <istream>
#include <string>

namespace gpumodel {

inline constexpr std::uint64_t most_text_bytes = std::uint64_t{1} << 29U;

struct FileText {
    std::string text;   // empty where there is a fault
    std::string fault;  // "cannot read this file", "larger than 512 MiB", "" = read
};

// Directories cannot be read. `most` bytes are the limit of a regular file, whose size is known before; of
// all else the smaller of it and most_text_bytes.
[[nodiscard]] FileText read_text(const std::string& path, std::uint64_t most = most_text_bytes);
[[nodiscard]] FileText read_text(std::istream& in, std::uint64_t most = most_text_bytes);

// The same; throws InputError (usage) under `option` where there is a fault.
[[nodiscard]] std::string require_text(const std::string& path, const std::string& option);

}  // namespace gpumodel
