// The recording's folder (FORMAT.md): data/ and images/ by hash, launches.jsonl line by line, so that what a
// program recorded before it crashed can be read.
#pragma once

#include <cstdint>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <span>
#include <string>

#include "validate/recorder/preload/code_images.h"

namespace gpumodel::recorder {

class RecordingFiles {
public:
    explicit RecordingFiles(std::string folder) : folder_(std::move(folder)) {}

    // "data/HASH.bin"; "zeros" for bytes that are all zero, which no file is written for. The same bytes are
    // written once. "" if the file cannot be written.
    [[nodiscard]] std::string add_data(std::span<const std::uint8_t> bytes);
    // "images/HASH.cubin", ".fatbin", ".ptx" or ".program".
    [[nodiscard]] std::string add_image(const CodeImage& image);
    // One line of launches.jsonl or skipped.jsonl, in one write: several processes may record together.
    void add_line(const std::string& file, const nlohmann::ordered_json& line) const;

private:
    std::string add(const std::string& name, std::span<const std::uint8_t> bytes);

    std::string folder_;
    std::set<std::string> written_;
};

}  // namespace gpumodel::recorder
