#include "traces/trace/native/documents.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <istream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <ostream>
#include <streambuf>

#include "base/diagnostics.h"
#include "base/files/byte_stream.h"
#include "traces/trace/trace_file.h"

namespace gpumodel {

namespace {

using nlohmann::json;

// As PNG's: the first byte is no ASCII, the line ends show a transfer that changed them.
constexpr std::string_view signature = "\x89GPT\r\n\x1a\n";
constexpr std::size_t version_bytes = 4, size_bytes = 8;
constexpr std::size_t header_bytes = signature.size() + version_bytes + size_bytes;
constexpr std::size_t chunk = 1 << 16;

std::string little_endian(std::uint64_t value, std::size_t bytes) {
    std::string text;
    for (std::size_t i = 0; i < bytes; ++i) {
        text.push_back(static_cast<char>(value >> 8 * i & 0xff));
    }
    return text;
}

std::uint64_t from_little_endian(std::string_view bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        value |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << 8 * i;
    }
    return value;
}

[[noreturn]] void refuse(const std::string& name, const std::string& key, const std::string& message) {
    throw InputError(InputErrorKind::invalid_input, {{name, 0, 0, key, message}});
}

class Unpacked : public std::streambuf {
public:
    Unpacked(std::string packed, std::string name)
        : packed_(std::move(packed)), name_(std::move(name)), source_(packed_, Packing::xz) {}

protected:
    int_type underflow() override {
        std::size_t got = 0;
        try {
            got = source_.read(buffer_.data(), buffer_.size());
        } catch (const DamagedBytes& damage) {
            refuse(name_, fmt::format("byte {}", header_bytes),
                   fmt::format("the packed documents are damaged: {}", damage.what()));
        }
        taken_ += got;
        if (taken_ > max_trace_bytes) {
            refuse(name_, fmt::format("byte {}", header_bytes),
                   fmt::format("more than {} bytes when unpacked", max_trace_bytes));
        }
        setg(buffer_.data(), buffer_.data(), buffer_.data() + got);
        return got == 0 ? traits_type::eof() : traits_type::to_int_type(buffer_[0]);
    }

private:
    std::string packed_, name_;
    ByteSource source_;
    std::uint64_t taken_ = 0;
    std::array<char, chunk> buffer_{};
};

// Builds a document within bounds: nesting is what the parser's own stack has to hold, objects and fields are
// what takes much more memory than bytes of the file.
class BoundedBuilder : public nlohmann::detail::json_sax_dom_parser<json> {
    using Builder = nlohmann::detail::json_sax_dom_parser<json>;

public:
    explicit BoundedBuilder(json& document) : Builder(document, false) {}
    bool start_object(std::size_t size) { return enter(size) && Builder::start_object(size); }
    bool start_array(std::size_t size) { return enter(size) && Builder::start_array(size); }
    bool end_object() { return leave() && Builder::end_object(); }
    bool end_array() { return leave() && Builder::end_array(); }
    bool key(std::string& text) { return count() && Builder::key(text); }
    template <class Exception>
    bool parse_error(std::size_t at, const std::string& /*token*/, const Exception& /*fault*/) {
        return stop(fmt::format("byte {} is not as in CBOR, or the documents end there", at));
    }
    [[nodiscard]] const std::string& fault() const { return fault_; }

private:
    bool stop(std::string fault) {
        fault_ = std::move(fault);
        return false;
    }
    bool count() {
        return ++parts_ <= max_document_parts ||
               stop(fmt::format("more than {} objects, lists and fields", max_document_parts));
    }
    // `size` as the document states it, -1 where it does not.
    bool enter(std::size_t size) {
        constexpr int deepest = 64;  // a site of the innermost loop lies half as deep
        const bool possible = size <= max_trace_bytes || size == std::size_t(-1);
        return count() && (++depth_ <= deepest || stop("nested too deeply")) &&
               (possible || stop(fmt::format("a list of {} elements", size)));
    }
    bool leave() {
        --depth_;
        return true;
    }

    int depth_ = 0;
    std::uint64_t parts_ = 0;
    std::string fault_;
};

// Up to `size` bytes, fewer at the end.
std::string take(std::istream& in, std::uint64_t size) {
    std::string taken;
    while (taken.size() < size && in) {
        const auto before = taken.size();
        taken.resize(before + static_cast<std::size_t>(std::min<std::uint64_t>(chunk, size - before)));
        in.read(taken.data() + before, static_cast<std::streamsize>(taken.size() - before));
        taken.resize(before + static_cast<std::size_t>(in.gcount()));
    }
    return taken;
}

}  // namespace

void DocumentWriter::write(const json& document) {
    json::to_cbor(document, bytes_);
    if (bytes_.size() > max_trace_bytes) {
        refuse(name_, document.begin().key(),
               fmt::format("the program needs more than {} bytes", max_trace_bytes));
    }
}

void DocumentWriter::finish(std::ostream& out) const {
    const auto documents = packed(bytes_, Packing::xz);
    out << signature << little_endian(trace_file_version, version_bytes)
        << little_endian(documents.size(), size_bytes) << documents;
}

std::unique_ptr<std::streambuf> unpack_documents(std::istream& in, const std::string& name) {
    const auto fail = [&](std::uint64_t offset, const std::string& message) {
        refuse(name, fmt::format("byte {}", offset), message);
    };
    const auto header = take(in, header_bytes);
    const std::string_view fields = header;
    if (header.size() >= signature.size() && !fields.starts_with(signature)) {
        fail(0, "this is no gpumodel trace file");
    }
    if (header.size() < header_bytes) {
        fail(header.size(), "the file ends in the middle");
    }
    const auto version = from_little_endian(fields.substr(signature.size(), version_bytes));
    if (version != trace_file_version) {
        fail(signature.size(), fmt::format("version {} of the trace format, this program reads version {}",
                                           version, trace_file_version));
    }
    const auto size = from_little_endian(fields.substr(signature.size() + version_bytes));
    auto documents = take(in, size);
    if (documents.size() < size) {
        fail(header_bytes + documents.size(), "the file ends in the middle");
    }
    if (in.peek() != std::istream::traits_type::eof()) {
        fail(header_bytes + size, "bytes after the last document");
    }
    return std::make_unique<Unpacked>(std::move(documents), name);
}

void DocumentReader::fail(const std::string& key, const std::string& message) const {
    refuse(name_, fmt::format("document {}{}{}", number_, key.empty() ? "" : ", ", key), message);
}

json DocumentReader::next() {
    ++number_;
    json document;
    BoundedBuilder builder(document);
    using Bytes = std::istreambuf_iterator<char>;
    if (!json::sax_parse(Bytes(&bytes_), Bytes(), &builder, json::input_format_t::cbor, false)) {
        fail("", builder.fault());
    }
    return document;
}

void DocumentReader::expect_end() {
    if (bytes_.sgetc() != std::streambuf::traits_type::eof()) {
        fail("", "is not the last one");
    }
}

}  // namespace gpumodel
