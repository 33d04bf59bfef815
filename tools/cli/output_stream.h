// Results that go out piece by piece, so that an interrupt loses nothing that was finished.
#pragma once

#include <fstream>
#include <memory>
#include <ostream>
#include <string>

#include "tools/cli/command.h"

namespace gpumodel::cli {

class CsvShape;

// Standard output, or the file of --out; a file that cannot be written throws InputError (usage).
class OutputStream {
public:
    // `append`: behind what the file holds. Result csv takes the shape that is asked for.
    explicit OutputStream(const OutputOptions& output, bool append = false);
    ~OutputStream();
    OutputStream(const OutputStream&) = delete;
    OutputStream& operator=(const OutputStream&) = delete;
    void write(const std::string& text);  // flushed
    // False once nothing more reaches the reader; faults of standard output are main's to report.
    [[nodiscard]] bool good() const { return stream_->good(); }

private:
    void require_sound_file() const;

    std::string path_;
    std::ofstream file_;
    std::ostream* stream_;
    std::unique_ptr<CsvShape> shape_;
};

}  // namespace gpumodel::cli
