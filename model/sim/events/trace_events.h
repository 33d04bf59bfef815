// A run as trace events in Chrome's JSON format (Trace Event Format; Perfetto and chrome://tracing open it),
// streamed to `out` while the simulation runs.
//
// Times: `ts` and `dur` are SM cycles; viewers, which take them for microseconds, show 1 us per cycle.
// Tracks (process / thread):
//   warps       one per warp of the SM: a slice per block, in it without gaps what the warp did: the mnemonic
//               in the cycle in which it issued, else the stall reason (args: which instruction waited)
//   schedulers  one per scheduler: a slice of one cycle per issue
//   SM          data pipe: a slice per wavefront; barriers: an instant per release
//   memory      asynchronous slices, one per memory instruction, from the data pipe's queue to its result
//
// Neighbouring spans of one reason and instruction are joined. After `max_events` nothing but the open
// blocks' slices is written, cut where their last span ends; truncated() says so. Names are escaped; the
// output is valid JSON once finish() was called.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "model/sim/events/events.h"

namespace gpumodel {

class TraceEventWriter : public SimListener {
public:
    // `program` names the mnemonics and must outlive the writer.
    TraceEventWriter(std::ostream& out, const KernelProgram& program, std::int64_t max_events);

    void block_started(std::int64_t cycle, int slot, std::int64_t block, int warps) override;
    void block_ended(std::int64_t cycle, int slot, std::int64_t block) override;
    void barrier_released(std::int64_t cycle, int slot, std::int64_t block) override;
    void issued(const WarpIssue& issue) override;
    void spent(const WarpSpan& span) override;
    void wavefront(const DataPipeWavefront& wavefront) override;
    void memory_request(const MemoryRequest& request) override;

    // Writes what is open and ends the document; nothing may follow.
    void finish();
    [[nodiscard]] std::int64_t events() const { return events_; }
    [[nodiscard]] bool truncated() const { return truncated_; }

private:
    struct Track {
        bool named = false;
        bool open = false;  // `pending` holds a span
        WarpSpan pending;
        std::int64_t start = 0, written_until = 0;
        std::int64_t block = 0;
    };
    Track& track_of(const WarpName& warp);
    [[nodiscard]] int thread_of(const WarpName& warp) const { return warp.slot * warps_ + warp.warp + 1; }
    [[nodiscard]] const std::string& name_of(const CodePlace& place, OpClass op) const;
    [[nodiscard]] bool room();
    void name_process(int process, const char* name);
    void name_thread(int process, int thread, const std::string& name);
    void flush_span(Track& track, int thread);
    void close_block(Track& track, int thread);
    void put(const std::string& event);

    std::ostream& out_;
    const KernelProgram& program_;
    std::int64_t max_events_;
    std::vector<std::string> mnemonics_;  // escaped, in quotes
    std::vector<std::string> classes_;
    int warps_ = 1;  // of a block
    std::vector<Track> tracks_;
    std::vector<bool> scheduler_named_;
    std::int64_t events_ = 0;
    std::int64_t requests_ = 0;
    bool truncated_ = false;
    bool first_ = true;
};

}  // namespace gpumodel
