// Bytes in a row, from a file or from memory, compressed or not.
#pragma once

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace gpumodel {

// Compressed data that is damaged or cut.
struct DamagedBytes : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class ByteSource {
public:
    virtual ~ByteSource() = default;
    // Fills the buffer as far as there is data; 0 at the end. Throws DamagedBytes.
    virtual std::size_t read(char* buffer, std::size_t size) = 0;
};

// A file, through liblzma where its name ends in .xz. Throws InputError (usage) if it cannot be opened.
[[nodiscard]] std::unique_ptr<ByteSource> open_bytes(const std::string& path);
[[nodiscard]] std::unique_ptr<ByteSource> memory_bytes(std::string text);
// What Packer packed; `packed` must outlive the source.
[[nodiscard]] std::unique_ptr<ByteSource> packed_bytes(std::string_view packed);

// Takes text in pieces and keeps it compressed (zlib's fastest level: traces repeat themselves).
class Packer {
public:
    Packer();
    ~Packer();
    Packer(const Packer&) = delete;
    Packer& operator=(const Packer&) = delete;
    void append(std::string_view text);
    // The packed text; the packer is empty again.
    [[nodiscard]] std::string finish();

private:
    struct State;
    void deflate_all(int flush);
    std::unique_ptr<State> state_;
};

// Lines of a source, without their ends. A line of more than `longest` bytes is cut and marked.
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
