// Bytes in a row, to and from files and memory, packed with gzip, xz or zstd or not (libarchive).
//
// Of the packings only xz tests all it reads: libarchive passes over gzip's checksum, and writes none for
// zstd.
#pragma once

#include <cstddef>
#include <fstream>
#include <iosfwd>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

struct archive;

namespace gpumodel {

enum class Packing : unsigned char { none, gzip, xz, zstd };

// By the ending of its name: .gz, .xz, .zst.
[[nodiscard]] Packing packing_of(std::string_view path);

// Packed bytes that are damaged or cut.
struct DamagedBytes : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Unpacks what it reads; the packing shows in the first bytes.
class ByteSource {
public:
    // Throws InputError (usage) if the file cannot be read. One whose name says that it is packed has to be.
    // "-" is the standard input.
    explicit ByteSource(const std::string& path);
    // `bytes` must outlive the source. A packing that is named has to be found.
    explicit ByteSource(std::string_view bytes, Packing expected);

    // Fills the buffer as far as there is data; 0 at the end. Throws DamagedBytes.
    std::size_t read(char* buffer, std::size_t size);

private:
    struct Close {
        void operator()(archive* reader) const;
    };
    void start();

    std::unique_ptr<archive, Close> reader_;
    Packing expected_ = Packing::none;
    bool started_ = false, ended_ = false;
};

// Packs with the fastest level of each unless told otherwise: traces repeat themselves within the shortest
// window.
class ByteSink {
public:
    // `out` must outlive the sink; its faults show in its state only.
    ByteSink(std::ostream& out, Packing packing, int level = 1);
    void write(std::string_view bytes);
    // Without it the packed bytes are not complete.
    void finish();

private:
    struct Close {
        void operator()(archive* writer) const;
    };
    std::unique_ptr<archive, Close> writer_;
};

// All bytes packed, and those of a file unpacked. The latter throws InputError: usage if the file cannot be
// read, invalid input if it is damaged, begins with zeros or holds more than most_text_bytes
// (base/files/file_text.h).
[[nodiscard]] std::string packed(std::string_view bytes, Packing packing, int level = 1);
[[nodiscard]] std::string read_bytes(const std::string& path);

// Written to `path`.part and renamed when finished; without finish() nothing is left.
class FileSink {
public:
    // Each throws InputError (usage) if the file cannot be written.
    explicit FileSink(std::string path);
    ~FileSink();
    FileSink(const FileSink&) = delete;
    FileSink& operator=(const FileSink&) = delete;
    void write(std::string_view bytes);
    void finish();

private:
    void check(bool good) const;

    std::string path_;
    std::ofstream file_;
    ByteSink bytes_;
};

}  // namespace gpumodel
