// Keeps what a block executed, word by word.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "traces/warp_events.h"

// 4-byte words touched (8- and 16-bit accesses count once), per space, kind and array; every lane on its own.
using AccessKey = std::tuple<gpumodel::MemorySpace, gpumodel::AccessKind, int>;
using WordAccesses = std::map<AccessKey, std::vector<std::int64_t>>;

std::string to_string(const AccessKey& key);
void sort_words(WordAccesses& words);

class RecordingSink : public gpumodel::WarpSink {
public:
    explicit RecordingSink(const gpumodel::StaticCode& code) : code_(code) {}

    void straight(int warp, int begin, int end, std::uint32_t active) override;
    void access(int warp, const gpumodel::AccessEvent& event) override;

    WordAccesses words;
    std::map<int, std::int64_t> warp_instructions;  // per warp
    std::map<int, std::int64_t> times;              // straight() calls that cover an instruction
    std::int64_t thread_instructions = 0;
    std::vector<std::string> faults;  // of the interface's contract

private:
    void add(gpumodel::MemorySpace space, gpumodel::AccessKind kind, int array, std::int64_t address,
             int bytes);

    const gpumodel::StaticCode& code_;
    std::map<int, std::vector<int>> pending_;  // memory instructions whose access() is due
};
