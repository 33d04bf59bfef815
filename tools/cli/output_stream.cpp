#include "tools/cli/output_stream.h"

#include "tools/cli/streams.h"
#include "tools/results/csv_shape.h"

namespace gpumodel::cli {

OutputStream::OutputStream(const OutputOptions& output, bool append)
    : path_(output.out), stream_(&cli::out()) {
    if (!path_.empty()) {
        file_.open(path_, append ? std::ios::binary | std::ios::app : std::ios::binary | std::ios::out);
        stream_ = &file_;
        require_sound_file();
    }
    if (output.format == Format::csv && CsvShape(output).changes()) {
        shape_ = std::make_unique<CsvShape>(output);
    }
}

OutputStream::~OutputStream() = default;

void OutputStream::write(const std::string& text) {
    *stream_ << (shape_ ? shape_->shaped(text) : text) << std::flush;
    require_sound_file();
}

void OutputStream::require_sound_file() const {
    if (!path_.empty() && !file_) {
        throw InputError(InputErrorKind::usage, {{path_, 0, 0, "--out", "cannot write this file"}});
    }
}

}  // namespace gpumodel::cli
