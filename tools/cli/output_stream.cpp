#include "tools/cli/output_stream.h"

#include "tools/cli/streams.h"

namespace gpumodel::cli {

OutputStream::OutputStream(const OutputOptions& output, bool append)
    : path_(output.out), stream_(&cli::out()) {
    if (!path_.empty()) {
        file_.open(path_, append ? std::ios::binary | std::ios::app : std::ios::binary | std::ios::out);
        stream_ = &file_;
        require_sound_file();
    }
}

void OutputStream::write(const std::string& text) {
    *stream_ << text << std::flush;
    require_sound_file();
}

void OutputStream::require_sound_file() const {
    if (!path_.empty() && !file_) {
        throw InputError(InputErrorKind::usage, {{path_, 0, 0, "--out", "cannot write this file"}});
    }
}

}  // namespace gpumodel::cli
