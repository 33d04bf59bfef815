// The readers that take foreign bytes, each as a function of the bytes. A harness calls one of them; anything
// but a normal return is a finding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace gpumodel::fuzz {

struct Target {
    const char* name;  // and folder of its corpus
    int (*run)(const std::uint8_t* data, std::size_t size);
    int mutations;  // in the short run: about a second each, optimised
};

[[nodiscard]] std::span<const Target> targets();

// Readers that take a path (file_targets.cpp).
int read_log(const std::uint8_t* data, std::size_t size);
int read_settings_file(const std::uint8_t* data, std::size_t size);
int read_measured(const std::uint8_t* data, std::size_t size);
int read_architecture(const std::uint8_t* data, std::size_t size);
int read_recorded(const std::uint8_t* data, std::size_t size);

}  // namespace gpumodel::fuzz
