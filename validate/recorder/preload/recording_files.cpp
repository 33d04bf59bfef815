#include "validate/recorder/preload/recording_files.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/hash.h"

namespace gpumodel::recorder {

namespace {

std::string hash_of(std::span<const std::uint8_t> bytes) {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());  // NOLINT: bytes
    std::array<char, 17> digits{};
    std::snprintf(digits.data(), digits.size(), "%016llx",
                  static_cast<unsigned long long>(fnv1a<std::uint64_t>(text)));
    // with the length, by which most contents differ already
    return std::string(digits.data()) + "_" + std::to_string(bytes.size());
}

const char* ending(CodeKind kind) {
    switch (kind) {
        case CodeKind::cubin:
            return ".cubin";
        case CodeKind::fatbin:
            return ".fatbin";
        case CodeKind::program:
            return ".program";
        case CodeKind::ptx:
        case CodeKind::none:
            break;
    }
    return ".ptx";
}

}  // namespace

std::string RecordingFiles::add(const std::string& name, std::span<const std::uint8_t> bytes) {
    if (!written_.insert(name).second) {
        return name;
    }
    const auto path = folder_ + '/' + name;
    // under a name of its own first: another process may write the same contents
    const auto temporary = path + '.' + std::to_string(getpid());
    std::ofstream out(temporary, std::ios::binary);
    out.write(reinterpret_cast<const char*>(bytes.data()),  // NOLINT: bytes
              static_cast<std::streamsize>(bytes.size()));
    out.close();
    if (!out || std::rename(temporary.c_str(), path.c_str()) != 0) {
        written_.erase(name);
        std::remove(temporary.c_str());
        return "";
    }
    return name;
}

std::string RecordingFiles::add_data(std::span<const std::uint8_t> bytes) {
    if (std::all_of(bytes.begin(), bytes.end(), [](std::uint8_t b) { return b == 0; })) {
        return "zeros";
    }
    return add("data/" + hash_of(bytes) + ".bin", bytes);
}

std::string RecordingFiles::add_image(const CodeImage& image) {
    return add("images/" + hash_of(image.bytes) + ending(image.kind), image.bytes);
}

void RecordingFiles::add_line(const std::string& file, const nlohmann::ordered_json& line) const {
    const auto text = line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
    const int out = open((folder_ + '/' + file).c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (out < 0 || write(out, text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
        std::fprintf(stderr, "gpumodel-record: cannot write %s/%s\n", folder_.c_str(), file.c_str());
    }
    if (out >= 0) {
        close(out);
    }
}

}  // namespace gpumodel::recorder
