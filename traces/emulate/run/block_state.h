// What the warps of one block share while they run.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "traces/emulate/data/device_memory.h"
#include "traces/emulate/data/read_log.h"
#include "traces/emulate/data/shared_counters.h"
#include "traces/emulate/data/swap_probe.h"
#include "traces/emulate/prepare/constant_bank.h"
#include "traces/emulate/run/arrivals.h"
#include "traces/emulate/run/machine.h"
#include "traces/emulate/run/taint.h"
#include "traces/emulate/translate/translator.h"
#include "traces/warp_events.h"

namespace gpumodel::emulate {

struct Program;

// Byte-addressed, grows with its use; what was never written reads as zero.
class SharedMemory {
public:
    [[nodiscard]] std::uint64_t load(std::uint32_t address, int bytes) const;
    // Beyond the largest shared memory of any architecture nothing is kept.
    void store(std::uint32_t address, std::uint64_t value, int bytes);
    // Bytes that hang on device memory that nobody gave.
    [[nodiscard]] bool is_tainted(std::uint32_t address, int bytes) const;
    void set_taint(std::uint32_t address, int bytes, bool tainted);
    // Stores so far that changed a value.
    [[nodiscard]] std::uint64_t changes() const { return changes_; }

private:
    std::vector<std::uint8_t> bytes_;
    std::vector<bool> tainted_;  // empty: none
    std::uint64_t changes_ = 0;
};

// Words of all lanes of a warp, by word of their local memory.
using LocalMemory = std::map<std::uint32_t, Lanes>;

// The same for their taint: a bit per lane.
using LocalTaint = std::map<std::uint32_t, std::uint32_t>;

// How many different values lanes had in all executions of a MATCH.ANY, or addresses that they named with an
// indexed LDC.
struct MatchedValues {
    std::int64_t values = 0, executions = 0;
};

// A bulk copy as it is counted: its bytes, and how far apart its pieces of 512 bytes lie in device memory.
struct CountedCopy {
    std::int64_t bytes = 0, apart = 0;
    friend bool operator==(const CountedCopy&, const CountedCopy&) = default;
};

// Which of a block's bulk copies a wait on a barrier needs: the last that went to it, by the order of issue.
// Known where it goes up evenly with the warp's waits at that instruction, in all warps and blocks.
struct CopyWait {
    std::int64_t first = 0, step = 0, ahead = 0;
    bool even = true;
    bool any = false;   // copies come to its barriers
    bool alone = true;  // its barriers expect one arrival, that of who announces the copies
    ArrivalWait arrivals;
    void note(std::int64_t wait, std::int64_t needed, std::int64_t issued) {
        if (wait == 0 && first == 0) {
            first = needed;
        } else if (wait == 1 && step == 0) {
            step = needed - first;
        }
        ahead = std::max(ahead, issued - needed);
        any = any || needed > 0;
        even = even && needed > 0 && needed == first + wait * step;
    }
};
struct CopyOrder {
    std::int64_t issued = 0;
    std::map<std::uint32_t, std::int64_t> last_to;      // by barrier
    std::map<std::pair<int, int>, std::int64_t> waits;  // by warp and instruction
    std::map<int, CopyWait>* by_instruction = nullptr;
};

// What is found out of blocks while they run, besides what their sinks are told.
struct BlockFindings {
    DataMarks marks;
    std::map<std::string, std::int64_t> notes;  // what to tell the user, with counts
    std::int64_t shared_extent = 0;
    std::map<int, CountedCopy> copies;     // bulk copies, by instruction
    std::map<int, CopyWait> copy_waits;    // by instruction
    std::set<int> arriving;                // instructions that arrive at barriers in shared memory
    std::map<int, MatchedValues> matches;  // by instruction
};

struct BlockState {
    const Program* program = nullptr;
    WarpSink* sink = nullptr;
    Dim3 index;
    std::vector<BlockState*> cluster;  // by rank, itself among them; empty: a cluster of one
    std::uint32_t rank = 0;
    AccessEvent event;
    SharedMemory shared;
    std::vector<LocalMemory> local;                  // per warp
    std::vector<LocalTaint> local_taint;             // per warp
    DeviceMemory* device = nullptr;                  // nullptr: its contents do not matter
    const std::set<std::int64_t>* logged = nullptr;  // allocations whose reads `log` has; nullptr: none
    ReadLog* log = nullptr;
    bool logs = false;                         // reads are added to it; else found there
    bool paced = false;                        // a turn of a warp ends with such a read
    const SharedCounters* counters = nullptr;  // nullptr: there are none
    std::int64_t place = 0;                    // of the block in the order of their start
    SharedCounters::Words counted;             // so far
    SwapProbe* swaps = nullptr;                // nullptr: swaps are as they are
    DataMarks* marks = nullptr;
    std::set<std::uint32_t> locked;                        // Kepler: words held by LDSLK
    std::map<std::string, std::int64_t>* notes = nullptr;  // what to tell the user, with counts
    std::int64_t* shared_extent = nullptr;
    CopyOrder copy_order;
    ArrivalOrder arrivals;
    std::set<int>* arriving = nullptr;                // instructions that arrive at barriers in shared memory
    std::map<int, CountedCopy>* copies = nullptr;     // bulk copies, by instruction
    std::map<int, MatchedValues>* matches = nullptr;  // by instruction
    std::uint64_t other_changes = 0;                  // of local memory and locks

    // Grows whenever what warps can read from each other or from their past changes.
    [[nodiscard]] std::uint64_t memory_changes() const {
        return shared.changes() + other_changes + (device == nullptr ? 0 : device->changes()) +
               (log == nullptr ? 0 : log->taken());
    }
    [[nodiscard]] bool is_logged(std::int64_t address) const {
        return logged != nullptr && logged->contains(address >> allocation_shift);
    }
    [[nodiscard]] bool ends_turn(std::int64_t address) const { return paced && is_logged(address); }
    // What a thread reads of device memory.
    [[nodiscard]] MemoryWord read(std::size_t thread, std::int64_t address, int bytes) const {
        if (!is_logged(address)) {
            return device->load(address, bytes);
        }
        if (!logs) {
            const auto word = log->next(thread, address, bytes);
            return word ? *word : device->load(address, bytes);
        }
        const auto word = device->load(address, bytes);
        log->add(thread, address, word, bytes);
        return word;
    }
};

}  // namespace gpumodel::emulate
