// The container of the native trace file: a signature, then sections (FORMAT.md).
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>

namespace gpumodel {

// A reader never holds more than one section of this size, nor unpacks more than the second figure from one
// file (estimated: a thousand times what our largest programs need).
inline constexpr std::size_t max_section_bytes = std::size_t{1} << 24;
inline constexpr std::size_t max_unpacked_bytes = std::size_t{1} << 30;

class SectionWriter {
public:
    // Writes the signature. `name` stands in diagnostics.
    SectionWriter(std::ostream& out, std::string name);
    // Throws InputError (invalid input) if the content is larger than a section may be.
    void write(std::string_view tag, std::string_view content);

private:
    std::ostream& out_;
    std::string name_;
};

struct FileSection {
    std::string tag;
    std::uint64_t offset = 0;  // of the section's first byte in the file
    std::string content;
};

// Throws InputError (invalid input) with the byte offset for anything that is not as written.
class SectionReader {
public:
    SectionReader(std::istream& in, std::string name);
    [[nodiscard]] FileSection next();
    // That nothing follows.
    void expect_end();
    [[noreturn]] void fail(std::uint64_t offset, const std::string& message) const;

private:
    [[nodiscard]] std::string take(std::size_t size);

    std::istream& in_;
    std::string name_;
    std::uint64_t offset_ = 0;
    std::size_t unpacked_ = 0;
};

}  // namespace gpumodel
