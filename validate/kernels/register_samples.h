// The rows of tests/traces/kernel/ptxas_registers.csv and their split into two thirds to fit on and a third
// to judge on.
#pragma once

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "traces/kernel/compiler/registers.h"

namespace gpumodel {

struct RegisterSample {
    std::string arch;    // "sm_70"
    std::string family;  // "warptile"
    std::string params;  // "BM=128;...;UNROLL=0"
    RegisterDemand demand;
    Target target;
    int registers = 0;  // as ptxas reports
    int stack_bytes = 0;
};

[[nodiscard]] inline ParamValues parse_params(const std::string& text) {
    ParamValues params;
    std::istringstream pairs(text);
    for (std::string pair; std::getline(pairs, pair, ';');) {
        const auto equals = pair.find('=');
        params[pair.substr(0, equals)] = std::stoll(pair.substr(equals + 1));
    }
    return params;
}

// All configurations of one family and tile, whatever their UNROLL, fall on the same side on every
// architecture: FNV-1a of "family;KEY=VALUE;..." in alphabetical order without UNROLL (as
// validate/accuracy/measurements.h splits launches); a third (hash mod 3 = 0) is held back from fitting.
[[nodiscard]] inline bool for_calibration(const RegisterSample& sample) {
    std::string text = sample.family;
    for (const auto& [key, value] : parse_params(sample.params)) {
        if (key != "UNROLL") {
            text += ";" + key + "=" + std::to_string(value);
        }
    }
    std::uint32_t hash = 2166136261U;
    for (const char c : text) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
    }
    return hash % 3 != 0;
}

// Throws std::runtime_error if the file cannot be read, std::exception if it is malformed.
[[nodiscard]] inline std::vector<RegisterSample> read_register_samples(const std::string& path) {
    std::ifstream file(path);
    std::string line;
    if (!std::getline(file, line)) {
        throw std::runtime_error("cannot read " + path);
    }
    std::vector<RegisterSample> samples;
    while (std::getline(file, line)) {
        std::vector<std::string> cells;
        std::istringstream stream(line);
        for (std::string cell; std::getline(stream, cell, ',');) {
            cells.push_back(cell);
        }
        RegisterSample sample{
            .arch = cells.at(1), .family = cells.at(2), .params = cells.at(3), .demand = {}, .target = {}};
        sample.demand = register_demand(sample.family, parse_params(sample.params));
        const int cc = std::stoi(sample.arch.substr(3));
        sample.target.cc = {.major = cc / 10, .minor = cc % 10};
        sample.registers = std::stoi(cells.at(4));
        sample.stack_bytes = std::stoi(cells.at(7));
        samples.push_back(sample);
    }
    return samples;
}

// Blocks per SM that the registers alone allow: 64 warps, 4 sub-partitions of 16384 registers, 256 registers
// per allocation step and warp (CUDA occupancy rules for cc 3.5 and later, without K80's larger file).
[[nodiscard]] inline int blocks_by_registers(int registers, int threads) {
    const int warps = (threads + 31) / 32;
    const int per_warp = (registers * 32 + 255) / 256 * 256;
    return std::min(4 * (16384 / per_warp), 64) / warps;
}

}  // namespace gpumodel
