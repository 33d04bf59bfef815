#include "traces/emulate/data/shared_counters.h"

namespace gpumodel::emulate {

void SharedCounters::found(const Words& words) {
    if (!shared_) {
        shared_ = words;
        return;
    }
    std::erase_if(*shared_, [&](const auto& entry) {
        const auto other = words.find(entry.first);
        return other == words.end() || other->second != entry.second;
    });
}

}  // namespace gpumodel::emulate
