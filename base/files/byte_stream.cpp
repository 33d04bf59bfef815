#include "base/files/byte_stream.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <new>
#include <sstream>
#include <utility>

#include "base/diagnostics.h"
#include "base/enum_table.h"
#include "base/files/file_text.h"
#include "base/process.h"

namespace gpumodel {

namespace {

constexpr std::size_t chunk = most_leading_zeros;

struct PackingRow {
    Packing packing;
    std::string_view name, ending;
    int filter;
    int (*add)(archive*);
};

constexpr std::array packings{
    PackingRow{Packing::none, "none", "", ARCHIVE_FILTER_NONE, &archive_write_add_filter_none},
    PackingRow{Packing::gzip, "gzip", ".gz", ARCHIVE_FILTER_GZIP, &archive_write_add_filter_gzip},
    PackingRow{Packing::xz, "xz", ".xz", ARCHIVE_FILTER_XZ, &archive_write_add_filter_xz},
    PackingRow{Packing::zstd, "zstd", ".zst", ARCHIVE_FILTER_ZSTD, &archive_write_add_filter_zstd},
};
static_assert(rows_in_order(packings, &PackingRow::packing));

const PackingRow& row_of(Packing packing) {
    return packings[static_cast<std::size_t>(packing)];
}

DamagedBytes damage(archive* reader) {
    const char* what = archive_error_string(reader);
    DamagedBytes damaged(what != nullptr ? what : "the packed data are damaged or end in the middle");
    return damaged;
}

archive* new_reader() {
    auto* const reader = archive_read_new();
    if (reader == nullptr) {
        throw std::bad_alloc();
    }
    archive_read_support_filter_gzip(reader);
    archive_read_support_filter_xz(reader);
    archive_read_support_filter_zstd(reader);
    archive_read_support_format_raw(reader);
    archive_read_support_format_empty(reader);
    return reader;
}

la_ssize_t pass_on(archive* /*writer*/, void* out, const void* bytes, std::size_t size) {
    static_cast<std::ostream*>(out)->write(static_cast<const char*>(bytes),
                                           static_cast<std::streamsize>(size));
    return static_cast<la_ssize_t>(size);
}

// Packing fails for want of memory only.
void require(int status) {
    if (status != ARCHIVE_OK) {
        throw std::bad_alloc();
    }
}

}  // namespace

Packing packing_of(std::string_view path) {
    for (const auto& row : packings) {
        if (!row.ending.empty() && path.ends_with(row.ending)) {
            return row.packing;
        }
    }
    return Packing::none;
}

void ByteSource::Close::operator()(archive* reader) const {
    archive_read_free(reader);
}

// Faults of the packed data show at the first read.
ByteSource::ByteSource(const std::string& path) : reader_(new_reader()), expected_(packing_of(path)) {
    if (path == "-") {
        archive_read_open_fd(reader_.get(), standard_input_file(), chunk);
        return;
    }
    std::error_code error;
    if (!std::ifstream(path) || std::filesystem::is_directory(path, error)) {
        throw InputError(InputErrorKind::usage, {{path, 0, 0, "", "cannot read this file"}});
    }
    archive_read_open_filename(reader_.get(), path.c_str(), chunk);
}

ByteSource::ByteSource(std::string_view bytes, Packing expected)
    : reader_(new_reader()), expected_(expected) {
    archive_read_open_memory(reader_.get(), bytes.data(), bytes.size());
}

void ByteSource::start() {
    started_ = true;
    archive_entry* entry = nullptr;
    const int status = archive_read_next_header(reader_.get(), &entry);
    if (status != ARCHIVE_OK && status != ARCHIVE_EOF) {
        throw damage(reader_.get());
    }
    ended_ = status == ARCHIVE_EOF;
    const auto& expected = row_of(expected_);
    if (expected_ != Packing::none && archive_filter_code(reader_.get(), 0) != expected.filter) {
        throw DamagedBytes("the data are damaged or not " + std::string(expected.name));
    }
}

std::size_t ByteSource::read(char* buffer, std::size_t size) {
    if (!started_) {
        start();
    }
    const auto got = ended_ ? 0 : archive_read_data(reader_.get(), buffer, size);
    if (got < 0) {
        throw damage(reader_.get());
    }
    return static_cast<std::size_t>(got);
}

namespace {

// Room for what a file unpacks to, listings to some thirty times their size: what is not used costs nothing,
// a string that grows is copied and its pages are had anew each time.
std::size_t room_for(const std::string& path) {
    constexpr std::uintmax_t packed_ratio = 32;
    std::error_code missing;
    const auto size =
        std::filesystem::is_regular_file(path, missing) ? std::filesystem::file_size(path, missing) : 0;
    const auto room = packing_of(path) == Packing::none ? size : size * packed_ratio;
    return missing ? 0 : static_cast<std::size_t>(std::min<std::uintmax_t>(room, most_text_bytes));
}

}  // namespace

std::string read_bytes(const std::string& path) {
    ByteSource source(path);
    std::string text;
    text.reserve(room_for(path));
    std::array<char, chunk> buffer{};
    try {
        while (const auto got = source.read(buffer.data(), buffer.size())) {
            if (text.empty() && begins_with_zeros({buffer.data(), got})) {
                throw DamagedBytes("begins with 64 KiB of zero bytes: neither text nor code");
            }
            text.append(buffer.data(), got);
            if (text.size() > most_text_bytes) {
                throw DamagedBytes(fmt::format("holds more than {} MiB unpacked", most_text_bytes >> 20U));
            }
        }
    } catch (const DamagedBytes& damaged) {
        throw InputError(InputErrorKind::invalid_input, {{path, 0, 0, "", damaged.what()}});
    }
    return text;
}

void ByteSink::Close::operator()(archive* writer) const {
    archive_write_free(writer);
}

ByteSink::ByteSink(std::ostream& out, Packing packing, int level) : writer_(archive_write_new()) {
    const std::unique_ptr<archive_entry, void (*)(archive_entry*)> entry(archive_entry_new(),
                                                                         archive_entry_free);
    if (!writer_ || !entry) {
        throw std::bad_alloc();
    }
    auto* const writer = writer_.get();
    require(archive_write_set_format_raw(writer));
    require(row_of(packing).add(writer));
    if (packing != Packing::none) {
        require(archive_write_set_filter_option(writer, nullptr, "compression-level",
                                                std::to_string(level).c_str()));
    }
    archive_write_set_bytes_in_last_block(writer, 1);  // no padding
    require(archive_write_open(writer, &out, nullptr, &pass_on, nullptr));
    archive_entry_set_filetype(entry.get(), AE_IFREG);
    require(archive_write_header(writer, entry.get()));
}

void ByteSink::write(std::string_view bytes) {
    if (!bytes.empty() && archive_write_data(writer_.get(), bytes.data(), bytes.size()) < 0) {
        throw std::bad_alloc();
    }
}

void ByteSink::finish() {
    require(archive_write_close(writer_.get()));
}

std::string packed(std::string_view bytes, Packing packing, int level) {
    std::ostringstream out;
    ByteSink sink(out, packing, level);
    sink.write(bytes);
    sink.finish();
    return std::move(out).str();
}

FileSink::FileSink(std::string path)
    : path_(std::move(path)),
      file_(path_ + ".part", std::ios::binary | std::ios::trunc),
      bytes_(file_, packing_of(path_)) {
    check(file_.good());
}

FileSink::~FileSink() {
    if (file_.is_open()) {
        file_.close();
        std::error_code ignored;
        std::filesystem::remove(path_ + ".part", ignored);
    }
}

void FileSink::check(bool good) const {
    if (!good) {
        throw InputError(InputErrorKind::usage, {{path_, 0, 0, "", "cannot write this file"}});
    }
}

void FileSink::write(std::string_view bytes) {
    bytes_.write(bytes);
    check(file_.good());
}

void FileSink::finish() {
    bytes_.finish();
    file_.flush();
    check(file_.good());
    std::error_code error;
    std::filesystem::rename(path_ + ".part", path_, error);
    check(!error);
    file_.close();
}

}  // namespace gpumodel
