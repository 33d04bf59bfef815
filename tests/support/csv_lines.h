// Printed lines and csv taken apart by hand, not by the reader under test.
#pragma once

#include <unistd.h>

#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

inline std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::string line;
    for (std::istringstream in(text); std::getline(in, line);) {
        lines.push_back(line);
    }
    return lines;
}

// Commas inside of quotes do not separate; the quotes are dropped.
inline std::vector<std::string> cells_of(const std::string& line) {
    std::vector<std::string> cells(1);
    bool quoted = false;
    for (const char c : line) {
        if (c == '"') {
            quoted = !quoted;
        } else if (c == ',' && !quoted) {
            cells.emplace_back();
        } else {
            cells.back() += c;
        }
    }
    return cells;
}

// Of this process alone.
inline std::string temporary_path(const std::string& name) {
    return "/tmp/gpumodel_" + std::to_string(::getpid()) + "_" + name;
}

// The path of a file with this content.
inline std::string write_temporary(const std::string& name, const std::string& content) {
    const auto path = temporary_path(name);
    std::ofstream(path, std::ios::binary) << content;
    return path;
}

inline std::string read_temporary(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}
