#include "tests/traces/emulate/recording_sink.h"

#include <algorithm>
#include <bit>

using namespace gpumodel;

std::string to_string(const AccessKey& key) {
    return std::string(to_string(std::get<0>(key))) + " " + std::string(to_string(std::get<1>(key))) + " " +
           std::to_string(std::get<2>(key));
}

namespace {

// By counting where they lie close together: tiles are read over and over.
void sort_list(std::vector<std::int64_t>& list) {
    const auto [least, most] = std::minmax_element(list.begin(), list.end());
    if (list.empty() || *most - *least > static_cast<std::int64_t>(2 * list.size())) {
        std::sort(list.begin(), list.end());
        return;
    }
    const auto first = *least;
    std::vector<std::int32_t> counts(static_cast<std::size_t>(*most - first) + 1);
    for (const auto word : list) {
        ++counts[static_cast<std::size_t>(word - first)];
    }
    auto at = list.begin();
    for (std::size_t i = 0; i < counts.size(); ++i) {
        at = std::fill_n(at, counts[i], first + static_cast<std::int64_t>(i));
    }
}

}  // namespace

void sort_words(WordAccesses& words) {
    for (auto& [key, list] : words) {
        sort_list(list);
    }
}

void RecordingSink::straight(int warp, int begin, int end, std::uint32_t active) {
    if (!pending_[warp].empty()) {
        faults.push_back("a memory instruction without access()");
        pending_[warp].clear();
    }
    warp_instructions[warp] += end - begin;
    thread_instructions += static_cast<std::int64_t>(end - begin) * std::popcount(active);
    for (int i = begin; i < end; ++i) {
        ++times[i];
        if (code_.instructions[static_cast<std::size_t>(i)].access_bytes > 0) {
            pending_[warp].push_back(i);
        }
    }
}

void RecordingSink::access(int warp, const AccessEvent& event) {
    auto& pending = pending_[warp];
    if (pending.empty() || pending.front() != event.instruction) {
        faults.push_back("access() of another instruction than the next one");
    } else {
        pending.erase(pending.begin());
    }
    const auto& instruction = code_.instructions[static_cast<std::size_t>(event.instruction)];
    for (std::size_t i = 0; i < event.address.size(); ++i) {
        if ((event.active >> i & 1U) == 0) {
            if (event.address[i] != 0 || event.shared_address[i] != 0) {
                faults.push_back("an address in an inactive lane");
            }
            continue;
        }
        const bool copy = instruction.access_kind == AccessKind::async_copy;
        add(event.space, instruction.access_kind, event.array, event.address[i], instruction.access_bytes);
        if (copy) {
            add(MemorySpace::shared, instruction.access_kind, -1, event.shared_address[i],
                instruction.access_bytes);
        }
    }
}

void RecordingSink::add(MemorySpace space, AccessKind kind, int array, std::int64_t address, int bytes) {
    auto& list = words[{space, kind, array}];
    list.push_back(address);
    for (int at = 4; at < bytes; at += 4) {
        list.push_back(address + at);
    }
}
