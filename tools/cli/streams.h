// Where subcommands print: standard output and standard error, or what a host of the run (base/process.h) has
// put in their place.
#pragma once

#include <ostream>

namespace gpumodel::cli {

[[nodiscard]] std::ostream& out();
[[nodiscard]] std::ostream& err();
// For who draws what only a person wants to see.
[[nodiscard]] bool out_is_terminal();
[[nodiscard]] bool err_is_terminal();

// While it lives. One at a time, as HostedRun.
class StreamsInPlace {
public:
    StreamsInPlace(std::ostream& out, std::ostream& err);
    ~StreamsInPlace();
    StreamsInPlace(const StreamsInPlace&) = delete;
    StreamsInPlace& operator=(const StreamsInPlace&) = delete;
};

}  // namespace gpumodel::cli
