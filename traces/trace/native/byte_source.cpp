#include "traces/trace/native/byte_source.h"

#include <lzma.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include "base/diagnostics.h"

namespace gpumodel {

namespace {

constexpr std::size_t chunk = 1 << 16;
// xz -9 needs 65 MiB to decompress (xz manual); more is no trace of ours or Accel-Sim's.
constexpr std::uint64_t lzma_memory = std::uint64_t{256} << 20;

class FileBytes : public ByteSource {
public:
    explicit FileBytes(const std::string& path) : file_(path, std::ios::binary) {
        std::error_code error;
        if (!file_ || std::filesystem::is_directory(path, error)) {
            throw InputError(InputErrorKind::usage, {{path, 0, 0, "", "cannot read this file"}});
        }
    }
    std::size_t read(char* buffer, std::size_t size) override {
        file_.read(buffer, static_cast<std::streamsize>(size));
        return static_cast<std::size_t>(file_.gcount());
    }

private:
    std::ifstream file_;
};

class XzBytes : public ByteSource {
public:
    explicit XzBytes(std::unique_ptr<ByteSource> packed) : packed_(std::move(packed)) {
        if (lzma_stream_decoder(&stream_, lzma_memory, LZMA_CONCATENATED) != LZMA_OK) {
            throw std::bad_alloc();
        }
    }
    ~XzBytes() override { lzma_end(&stream_); }
    XzBytes(const XzBytes&) = delete;
    XzBytes& operator=(const XzBytes&) = delete;

    std::size_t read(char* buffer, std::size_t size) override {
        stream_.next_out = reinterpret_cast<std::uint8_t*>(buffer);
        stream_.avail_out = size;
        while (stream_.avail_out > 0 && !ended_) {
            if (stream_.avail_in == 0 && action_ == LZMA_RUN) {
                const auto got = packed_->read(input_.data(), input_.size());
                stream_.next_in = reinterpret_cast<const std::uint8_t*>(input_.data());
                stream_.avail_in = got;
                action_ = got == 0 ? LZMA_FINISH : LZMA_RUN;
            }
            const auto status = lzma_code(&stream_, action_);
            if (status == LZMA_STREAM_END) {
                ended_ = true;
            } else if (status != LZMA_OK) {
                throw DamagedBytes(status == LZMA_BUF_ERROR ? "the xz data end in the middle"
                                                            : "the xz data are damaged or not xz");
            }
        }
        return size - stream_.avail_out;
    }

private:
    std::unique_ptr<ByteSource> packed_;
    lzma_stream stream_ = LZMA_STREAM_INIT;
    lzma_action action_ = LZMA_RUN;
    std::array<char, chunk> input_{};
    bool ended_ = false;
};

class MemoryBytes : public ByteSource {
public:
    explicit MemoryBytes(std::string text) : text_(std::move(text)) {}
    std::size_t read(char* buffer, std::size_t size) override {
        const auto taken = std::min(size, text_.size() - at_);
        std::memcpy(buffer, text_.data() + at_, taken);
        at_ += taken;
        return taken;
    }

private:
    std::string text_;
    std::size_t at_ = 0;
};

class InflatedBytes : public ByteSource {
public:
    explicit InflatedBytes(std::string_view packed) {
        stream_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(packed.data()));
        stream_.avail_in = static_cast<uInt>(packed.size());
        if (inflateInit(&stream_) != Z_OK) {
            throw std::bad_alloc();
        }
    }
    ~InflatedBytes() override { inflateEnd(&stream_); }
    InflatedBytes(const InflatedBytes&) = delete;
    InflatedBytes& operator=(const InflatedBytes&) = delete;

    std::size_t read(char* buffer, std::size_t size) override {
        stream_.next_out = reinterpret_cast<Bytef*>(buffer);
        stream_.avail_out = static_cast<uInt>(size);
        if (const int status = inflate(&stream_, Z_NO_FLUSH);
            status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) {
            throw DamagedBytes("packed text is damaged");
        }
        return size - stream_.avail_out;
    }

private:
    z_stream stream_{};
};

}  // namespace

std::unique_ptr<ByteSource> open_bytes(const std::string& path) {
    auto file = std::make_unique<FileBytes>(path);
    if (path.ends_with(".xz")) {
        return std::make_unique<XzBytes>(std::move(file));
    }
    return file;
}

std::unique_ptr<ByteSource> memory_bytes(std::string text) {
    return std::make_unique<MemoryBytes>(std::move(text));
}

std::unique_ptr<ByteSource> packed_bytes(std::string_view packed) {
    return std::make_unique<InflatedBytes>(packed);
}

struct Packer::State {
    z_stream stream{};
    std::string input, output;
    std::array<char, chunk> buffer{};
};

Packer::Packer() : state_(std::make_unique<State>()) {
    if (deflateInit(&state_->stream, Z_BEST_SPEED) != Z_OK) {
        throw std::bad_alloc();
    }
}

Packer::~Packer() {
    deflateEnd(&state_->stream);
}

void Packer::deflate_all(int flush) {
    auto& [stream, input, output, buffer] = *state_;
    stream.next_in = reinterpret_cast<Bytef*>(input.data());
    stream.avail_in = static_cast<uInt>(input.size());
    do {
        stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
        stream.avail_out = static_cast<uInt>(buffer.size());
        deflate(&stream, flush);
        output.append(buffer.data(), buffer.size() - stream.avail_out);
    } while (stream.avail_out == 0);
    input.clear();
}

void Packer::append(std::string_view text) {
    state_->input.append(text);
    if (state_->input.size() > chunk) {
        deflate_all(Z_NO_FLUSH);
    }
}

std::string Packer::finish() {
    deflate_all(Z_FINISH);
    deflateReset(&state_->stream);
    return std::exchange(state_->output, {});
}

bool LineReader::fill() {
    if (ended_) {
        return false;
    }
    buffer_.erase(0, begin_);
    begin_ = 0;
    const auto kept = buffer_.size();
    buffer_.resize(kept + chunk);
    const auto got = source_.read(buffer_.data() + kept, chunk);
    buffer_.resize(kept + got);
    ended_ = got == 0;
    return !ended_;
}

bool LineReader::next(std::string_view& line) {
    cut_ = false;
    std::size_t searched = 0;
    for (;;) {
        const std::string_view rest = std::string_view(buffer_).substr(begin_);
        if (const auto end = rest.find('\n', searched); end != std::string_view::npos) {
            begin_ += end + 1;
            line = rest.substr(0, std::min(end, longest));
            cut_ = cut_ || end > longest;
            break;
        }
        searched = rest.size();
        if (searched > longest) {
            // Only the first part of such a line is kept, however long it is.
            buffer_.resize(begin_ + longest + 1);
            searched = longest + 1;
            cut_ = true;
        }
        if (!fill()) {
            begin_ = buffer_.size();
            line = std::string_view(buffer_).substr(begin_ - std::min(rest.size(), buffer_.size()));
            line = line.substr(0, longest);
            if (rest.empty()) {
                return false;
            }
            break;
        }
    }
    ++number_;
    return true;
}

}  // namespace gpumodel
