#include "validate/measure/csv_output.h"

#include <filesystem>
#include <stdexcept>

namespace gpumodel::measure {

CsvOutput::CsvOutput(const std::string& path, const Metadata& metadata, const std::string& header,
                     int key_fields)
    : key_fields_(key_fields) {
    std::error_code ignored;
    const bool exists = std::filesystem::file_size(path, ignored) > 0 && !ignored;
    if (exists) {
        read_existing(path, metadata, header);
    }
    out_.open(path, std::ios::app | std::ios::binary);
    if (!out_) {
        throw std::runtime_error(path + ": cannot write this file");
    }
    if (!exists) {
        for (const auto& [key, value] : metadata) {
            out_ << "# " << key << ": " << value << '\n';
        }
        out_ << header << '\n' << std::flush;
    }
}

void CsvOutput::write(const std::string& row) {
    out_ << row << '\n' << std::flush;
    if (!out_) {
        throw std::runtime_error("cannot write a row: is the disk full?");
    }
    keys_.insert(key_of(row));
}

void CsvOutput::read_existing(const std::string& path, const Metadata& metadata, const std::string& header) {
    std::ifstream in(path, std::ios::binary);
    std::string line;
    bool header_seen = false;
    bool complete = true;
    while (std::getline(in, line)) {
        complete = !in.eof();  // a row cut off in writing has no line end
        if (!line.empty() && line.front() == '#') {
            for (const auto& [key, value] : metadata) {
                if (key == "gpu" && line.rfind("# gpu: ", 0) == 0 && line != "# gpu: " + value) {
                    throw std::runtime_error(path + ": measured on another GPU (" + line.substr(7) +
                                             ", here " + value + ")");
                }
            }
        } else if (!header_seen) {
            header_seen = true;
            if (line != header) {
                throw std::runtime_error(path + ": not a table of this suite: its header is '" + line + "'");
            }
        } else if (complete && !line.empty()) {
            keys_.insert(key_of(line));
            ++found_;
        }
    }
    if (!complete) {
        const auto cut = std::filesystem::file_size(path) - line.size();
        std::filesystem::resize_file(path, cut);
    }
}

std::string CsvOutput::key_of(const std::string& row) const {
    std::size_t end = 0;
    for (int i = 0; i < key_fields_ && end != std::string::npos; ++i) {
        end = row.find(',', i == 0 ? 0 : end + 1);
    }
    return row.substr(0, end);
}

}  // namespace gpumodel::measure
