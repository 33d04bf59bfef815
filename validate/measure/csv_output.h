// A csv that a measurement can be cut off from and taken up again: rows that are in the file already are not
// measured anew, every row is written through at once. The first lines, "# key: value", say on what and
// how it was measured.
#pragma once

#include <fstream>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gpumodel::measure {

using Metadata = std::vector<std::pair<std::string, std::string>>;

class CsvOutput {
public:
    // Takes up `path` if it exists; otherwise writes metadata and header. A row is identified by its first
    // `key_fields` fields. Throws std::runtime_error if the file cannot be written, has another header, or
    // was measured on another GPU ("gpu" of the metadata).
    CsvOutput(const std::string& path, const Metadata& metadata, const std::string& header, int key_fields);

    [[nodiscard]] bool has(const std::string& key) const { return keys_.count(key) != 0; }
    void write(const std::string& row);
    [[nodiscard]] std::size_t found() const { return found_; }  // rows of earlier runs

private:
    void read_existing(const std::string& path, const Metadata& metadata, const std::string& header);
    [[nodiscard]] std::string key_of(const std::string& row) const;

    int key_fields_;
    std::set<std::string> keys_;
    std::size_t found_ = 0;
    std::ofstream out_;
};

}  // namespace gpumodel::measure
