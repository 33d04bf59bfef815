// Packed bytes. The packed samples were made by gzip 1.12, xz 5.4 and zstd 1.5.
#include "base/files/byte_stream.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/diagnostics.h"
#include "base/files/file_text.h"

namespace byte_stream_test {

using namespace gpumodel;

namespace {

const std::string text = "hello, lanes\n";

std::string from_hex(std::string_view digits) {
    std::string bytes;
    for (std::size_t i = 0; i < digits.size(); i += 2) {
        bytes.push_back(static_cast<char>(std::stoi(std::string(digits.substr(i, 2)), nullptr, 16)));
    }
    return bytes;
}

struct Sample {
    Packing packing;
    std::string ending, bytes;
};

std::vector<Sample> samples() {
    return {
        {Packing::gzip, ".gz",
         from_hex("1f8b0800000000000203cb48cdc9c9d751c849cc4b2de60200546f98320d000000")},
        {Packing::xz, ".xz",
         from_hex(
             "fd377a585a000004e6d6b446020021011c00000010cf58cc01000c68656c6c6f2c206c616e65730a00000000ea1c6b9"
             "bb62bc8a30001250d7119c4b61fb6f37d010000000004595a")},
        {Packing::zstd, ".zst", from_hex("28b52ffd045869000068656c6c6f2c206c616e65730a84ef3e67")}};
}

std::string all_of(ByteSource source) {
    std::string bytes;
    char buffer[5];
    while (const auto got = source.read(buffer, sizeof buffer)) {
        bytes.append(buffer, got);
    }
    return bytes;
}

std::string packed(const std::string& bytes, Packing packing) {
    std::ostringstream out;
    ByteSink sink(out, packing);
    sink.write(std::string_view(bytes).substr(0, bytes.size() / 3));
    sink.write(std::string_view(bytes).substr(bytes.size() / 3));
    sink.finish();
    return out.str();
}

struct Folder {
    std::filesystem::path path = std::filesystem::temp_directory_path() / "gpumodel_byte_stream_test";
    Folder() { std::filesystem::create_directories(path); }
    ~Folder() { std::filesystem::remove_all(path); }
    std::string file(const std::string& name, const std::string& bytes) const {
        std::ofstream(path / name, std::ios::binary) << bytes;
        return (path / name).string();
    }
};

}  // namespace

TEST_CASE("bytes: what other programs packed is unpacked", "[unit]") {
    const Folder folder;
    for (const auto& sample : samples()) {
        INFO(sample.ending);
        CHECK(all_of(ByteSource(sample.bytes, Packing::none)) == text);
        CHECK(all_of(ByteSource(sample.bytes, sample.packing)) == text);
        CHECK(read_bytes(folder.file("a" + sample.ending, sample.bytes)) == text);
        CHECK(read_bytes(folder.file("no_ending", sample.bytes)) == text);
        CHECK(packing_of("folder.gz/a.traceg" + sample.ending) == sample.packing);
    }
    CHECK(read_bytes(folder.file("plain", text)) == text);
    CHECK(read_bytes(folder.file("empty", "")).empty());
    CHECK(packing_of("a.gz/plain") == Packing::none);
}

TEST_CASE("bytes: what is written comes back, and packing makes it smaller", "[unit]") {
    std::string lines;
    for (int i = 0; i < 20000; ++i) {
        lines += "R" + std::to_string(i % 17) + " IADD3\n";
    }
    for (const auto packing : {Packing::none, Packing::gzip, Packing::xz, Packing::zstd}) {
        for (const auto& bytes : {std::string(), std::string("x"), text, lines}) {
            CHECK(all_of(ByteSource(packed(bytes, packing), Packing::none)) == bytes);
        }
        CHECK((packed(lines, packing).size() < lines.size() / 10) == (packing != Packing::none));
    }
    CHECK(packed(text, Packing::none) == text);
}

TEST_CASE("bytes: damaged and cut data are refused", "[unit]") {
    for (const auto& sample : samples()) {
        INFO(sample.ending);
        for (std::size_t size = 0; size + 1 < sample.bytes.size(); ++size) {
            INFO(size);
            CHECK_THROWS_AS(
                all_of(ByteSource(std::string_view(sample.bytes).substr(0, size), sample.packing)),
                DamagedBytes);
        }
        CHECK_THROWS_AS(all_of(ByteSource(text, sample.packing)), DamagedBytes);
    }
    // xz: whatever byte it is
    const auto xz = samples()[1];
    for (std::size_t at = 0; at < xz.bytes.size(); ++at) {
        auto damaged = xz.bytes;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
        INFO(at);
        CHECK_THROWS_AS(all_of(ByteSource(damaged, Packing::xz)), DamagedBytes);
    }
    const Folder folder;
    CHECK_THROWS_AS(read_bytes(folder.file("plain.xz", text)), InputError);
    CHECK_THROWS_AS(read_bytes((folder.path / "none").string()), InputError);
    CHECK_THROWS_AS(read_bytes(folder.path.string()), InputError);
}

TEST_CASE("bytes: a file appears when it is finished", "[unit]") {
    const Folder folder;
    const auto path = (folder.path / "out.xz").string();
    {
        FileSink sink(path);
        sink.write(text);
    }
    CHECK(std::filesystem::is_empty(folder.path));
    FileSink sink(path);
    sink.write(text);
    sink.finish();
    CHECK(read_bytes(path) == text);
    CHECK_THROWS_AS(FileSink((folder.path / "none" / "out").string()), InputError);
}

TEST_CASE("a file without an end is read as far as its limit, zeros as far as they show") {
    CHECK(read_text("/dev/urandom", 1 << 20).fault == "larger than 1 MiB");
    CHECK(read_text("/dev/zero").fault == "begins with 64 KiB of zero bytes: this is no text");
    CHECK(read_text("/dev/zero", 1 << 20, Content::bytes).fault == "larger than 1 MiB");
    std::istringstream zeros(std::string(most_leading_zeros - 1, '\0'));
    CHECK(read_text(zeros).text.size() == most_leading_zeros - 1);
}

}  // namespace byte_stream_test
