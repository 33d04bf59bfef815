// The container of the native trace file: a header, then documents packed with xz (FORMAT.md).
//
// Documents are CBOR (RFC 8949), one after the other. xz keeps checksums of all it packs, the header says how
// long it is: a file that is cut, damaged or has something behind it is refused.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace gpumodel {

// Bytes of all documents, unpacked, and what one holds in memory at a time (estimated: a hundred times what
// our largest programs need).
inline constexpr std::uint64_t max_trace_bytes = std::uint64_t{1} << 26;
inline constexpr std::uint64_t max_document_parts = std::uint64_t{1} << 23;

class DocumentWriter {
public:
    // `name` stands in diagnostics.
    explicit DocumentWriter(std::string name) : name_(std::move(name)) {}
    // Throws InputError (invalid input) for more than a reader takes.
    void write(const nlohmann::json& document);
    // Header and packed documents.
    void finish(std::ostream& out) const;

private:
    std::string name_;
    std::string bytes_;
};

// The unpacked documents of a file. Throws InputError (invalid input) with the byte offset, here or when
// read, for anything that is not as written.
[[nodiscard]] std::unique_ptr<std::streambuf> unpack_documents(std::istream& in, const std::string& name);

class DocumentReader {
public:
    // `bytes` must outlive the reader.
    DocumentReader(std::streambuf& bytes, std::string name) : bytes_(bytes), name_(std::move(name)) {}
    // Each throws InputError (invalid input) with the number of the document, from 1.
    [[nodiscard]] nlohmann::json next();
    void expect_end();
    [[noreturn]] void fail(const std::string& key, const std::string& message) const;

private:
    std::streambuf& bytes_;
    std::string name_;
    int number_ = 0;  // of the document read last
};

}  // namespace gpumodel
