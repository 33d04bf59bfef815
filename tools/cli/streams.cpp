#include "tools/cli/streams.h"

#include <unistd.h>

#include <iostream>

namespace gpumodel::cli {
namespace {

std::ostream* own_out = nullptr;
std::ostream* own_err = nullptr;

}  // namespace

std::ostream& out() {
    return own_out != nullptr ? *own_out : std::cout;
}

std::ostream& err() {
    return own_err != nullptr ? *own_err : std::cerr;
}

bool out_is_terminal() {
    return own_out == nullptr && isatty(STDOUT_FILENO) != 0;
}

bool err_is_terminal() {
    return own_err == nullptr && isatty(STDERR_FILENO) != 0;
}

StreamsInPlace::StreamsInPlace(std::ostream& out, std::ostream& err) {
    own_out = &out;
    own_err = &err;
}

StreamsInPlace::~StreamsInPlace() {
    own_out = nullptr;
    own_err = nullptr;
}

}  // namespace gpumodel::cli
