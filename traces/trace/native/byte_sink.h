// Bytes to a file, compressed with xz where its name ends in .xz. Written to `path`.part and renamed when
// finished; without finish() nothing is left.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace gpumodel {

class ByteSink {
public:
    // Each throws InputError (usage) if the file cannot be written.
    explicit ByteSink(std::string path);
    ~ByteSink();
    ByteSink(const ByteSink&) = delete;
    ByteSink& operator=(const ByteSink&) = delete;
    void write(std::string_view bytes);
    void finish();

private:
    struct State;
    void compress(std::string_view bytes, bool last);
    [[noreturn]] void fail();
    std::string path_;
    std::unique_ptr<State> state_;
};

}  // namespace gpumodel
