#include "traces/trace/native/byte_sink.h"

#include <lzma.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <utility>

#include "base/diagnostics.h"

namespace gpumodel {

namespace {

// Traces repeat themselves within the shortest window: higher presets only take longer.
constexpr std::uint32_t xz_preset = 1;

}  // namespace

struct ByteSink::State {
    std::ofstream file;
    bool packed = false;
    lzma_stream stream = LZMA_STREAM_INIT;
    std::array<std::uint8_t, 1 << 16> buffer{};
};

ByteSink::ByteSink(std::string path) : path_(std::move(path)), state_(std::make_unique<State>()) {
    state_->file.open(path_ + ".part", std::ios::binary | std::ios::trunc);
    if (!state_->file) {
        fail();
    }
    state_->packed = path_.ends_with(".xz");
    if (state_->packed && lzma_easy_encoder(&state_->stream, xz_preset, LZMA_CHECK_CRC64) != LZMA_OK) {
        throw std::bad_alloc();
    }
}

ByteSink::~ByteSink() {
    if (state_) {
        lzma_end(&state_->stream);
        state_->file.close();
        std::error_code ignored;
        std::filesystem::remove(path_ + ".part", ignored);
    }
}

void ByteSink::fail() {
    throw InputError(InputErrorKind::usage, {{path_, 0, 0, "", "cannot write this file"}});
}

void ByteSink::compress(std::string_view bytes, bool last) {
    auto& [file, packed, stream, buffer] = *state_;
    stream.next_in = reinterpret_cast<const std::uint8_t*>(bytes.data());
    stream.avail_in = bytes.size();
    lzma_ret status = LZMA_OK;
    do {
        stream.next_out = buffer.data();
        stream.avail_out = buffer.size();
        status = lzma_code(&stream, last ? LZMA_FINISH : LZMA_RUN);
        if (status != LZMA_OK && status != LZMA_STREAM_END) {
            throw std::bad_alloc();
        }
        file.write(reinterpret_cast<const char*>(buffer.data()),
                   static_cast<std::streamsize>(buffer.size() - stream.avail_out));
    } while (last ? status != LZMA_STREAM_END : stream.avail_in > 0);
}

void ByteSink::write(std::string_view bytes) {
    if (state_->packed) {
        compress(bytes, false);
    } else {
        state_->file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    }
    if (!state_->file) {
        fail();
    }
}

void ByteSink::finish() {
    if (state_->packed) {
        compress({}, true);
    }
    state_->file.close();
    std::error_code error;
    if (state_->file) {
        std::filesystem::rename(path_ + ".part", path_, error);
    }
    if (!state_->file || error) {
        fail();
    }
    lzma_end(&state_->stream);
    state_.reset();
}

}  // namespace gpumodel
