#include "traces/trace/native/section_file.h"

#include <fmt/format.h>
#include <zlib.h>

#include <istream>
#include <ostream>

#include "base/diagnostics.h"
#include "traces/trace/native/byte_stream.h"
#include "traces/trace/trace_file.h"

namespace gpumodel {

namespace {

// As PNG's: the first byte is no ASCII, the line ends show a transfer that changed them.
constexpr std::string_view signature = "\x89GPT\r\n\x1a\n";
constexpr std::size_t header_bytes = 16;  // tag, content bytes, stored bytes, checksum
constexpr std::size_t max_stored_bytes = max_section_bytes + max_section_bytes / 16;

std::uint32_t checksum(std::string_view header, std::string_view stored) {
    const auto add = [](uLong sum, std::string_view bytes) {
        return crc32(sum, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size()));
    };
    return static_cast<std::uint32_t>(add(add(crc32(0, nullptr, 0), header), stored));
}

std::string pack(std::string_view content) {
    uLongf size = compressBound(content.size());
    std::string stored(size, '\0');
    const int status = compress2(reinterpret_cast<Bytef*>(stored.data()), &size,
                                 reinterpret_cast<const Bytef*>(content.data()), content.size(), 6);
    if (status != Z_OK) {
        throw std::runtime_error("zlib cannot compress a section");
    }
    stored.resize(size);
    return stored;
}

}  // namespace

SectionWriter::SectionWriter(std::ostream& out, std::string name) : out_(out), name_(std::move(name)) {
    ByteWriter version;
    version.u32(trace_file_version);
    out_ << signature << version.bytes();
}

void SectionWriter::write(std::string_view tag, std::string_view content) {
    if (content.size() > max_section_bytes) {
        throw InputError(InputErrorKind::invalid_input,
                         {{name_, 0, 0, std::string(tag),
                           fmt::format("the program needs {} bytes in one section, at most {} are allowed",
                                       content.size(), max_section_bytes)}});
    }
    const auto stored = pack(content);
    ByteWriter header;
    header.raw(tag);
    header.u32(static_cast<std::uint32_t>(content.size()));
    header.u32(static_cast<std::uint32_t>(stored.size()));
    const auto sum = checksum(header.bytes(), stored);
    header.u32(sum);
    out_ << header.bytes() << stored;
}

SectionReader::SectionReader(std::istream& in, std::string name) : in_(in), name_(std::move(name)) {
    if (take(signature.size()) != signature) {
        fail(0, "this is no gpumodel trace file");
    }
    const auto bytes = take(4);
    if (const auto version = ByteReader(bytes).u32(); version != trace_file_version) {
        fail(signature.size(), fmt::format("version {} of the trace format, this program reads version {}",
                                           version, trace_file_version));
    }
}

void SectionReader::fail(std::uint64_t offset, const std::string& message) const {
    throw InputError(InputErrorKind::invalid_input, {{name_, 0, 0, fmt::format("byte {}", offset), message}});
}

std::string SectionReader::take(std::size_t size) {
    std::string bytes(size, '\0');
    in_.read(bytes.data(), static_cast<std::streamsize>(size));
    if (const auto got = static_cast<std::size_t>(in_.gcount()); got != size) {
        fail(offset_ + got, "the file ends in the middle");
    }
    offset_ += size;
    return bytes;
}

FileSection SectionReader::next() {
    FileSection section;
    section.offset = offset_;
    const auto header = take(header_bytes);
    ByteReader fields(header);
    section.tag = fields.raw(4);
    const std::size_t content_bytes = fields.u32();
    const std::size_t stored_bytes = fields.u32();
    if (content_bytes > max_section_bytes || stored_bytes > max_stored_bytes) {
        fail(section.offset, fmt::format("a section of {} bytes, at most {} are allowed",
                                         std::max(content_bytes, stored_bytes), max_section_bytes));
    }
    unpacked_ += content_bytes;
    if (unpacked_ > max_unpacked_bytes) {
        fail(section.offset, fmt::format("more than {} bytes in all sections", max_unpacked_bytes));
    }
    const auto stored = take(stored_bytes);
    if (checksum(std::string_view(header).substr(0, 12), stored) != fields.u32()) {
        fail(section.offset, "wrong checksum: the section is damaged");
    }
    section.content.resize(content_bytes);
    uLongf size = content_bytes;
    const int status = uncompress(reinterpret_cast<Bytef*>(section.content.data()), &size,
                                  reinterpret_cast<const Bytef*>(stored.data()), stored.size());
    if (status != Z_OK || size != content_bytes) {
        fail(section.offset, "the section does not unpack to its stated size");
    }
    return section;
}

void SectionReader::expect_end() {
    if (in_.peek() != std::istream::traits_type::eof()) {
        fail(offset_, "bytes after the last section");
    }
}

}  // namespace gpumodel
