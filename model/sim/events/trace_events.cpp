#include "model/sim/events/trace_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

namespace gpumodel {
namespace {

constexpr int warps_process = 1, schedulers_process = 2, sm_process = 3, memory_process = 4;
constexpr int data_pipe_thread = 1, barrier_thread = 2;

std::string json_string(std::string_view text) {
    return nlohmann::json(text).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

const std::string barrier_name = "\"barrier\"";

}  // namespace

TraceEventWriter::TraceEventWriter(std::ostream& out, const KernelProgram& program, std::int64_t max_events)
    : out_(out), program_(program), max_events_(max_events) {
    for (const auto& name : program.mnemonics.names()) {
        mnemonics_.push_back(json_string(name));
    }
    for (const auto name : op_class_names) {
        classes_.push_back(json_string(name));
    }
    out_ << "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"kernel\":" << json_string(program.kernel)
         << ",\"time_unit\":\"SM cycles; a viewer shows 1 us per cycle\"},\n\"traceEvents\":[";
    name_process(warps_process, "warps");
    name_process(schedulers_process, "schedulers");
    name_process(sm_process, "SM");
    name_process(memory_process, "memory requests");
    name_thread(sm_process, data_pipe_thread, "data pipe");
    name_thread(sm_process, barrier_thread, "barriers");
}

void TraceEventWriter::put(const std::string& event) {
    out_ << (first_ ? "\n" : ",\n") << event;
    first_ = false;
}

void TraceEventWriter::name_process(int process, const char* name) {
    put(fmt::format(R"({{"ph":"M","name":"process_name","pid":{},"tid":0,"args":{{"name":"{}"}}}})", process,
                    name));
}

void TraceEventWriter::name_thread(int process, int thread, const std::string& name) {
    put(fmt::format(R"({{"ph":"M","name":"thread_name","pid":{},"tid":{},"args":{{"name":"{}"}}}})", process,
                    thread, name));
}

const std::string& TraceEventWriter::name_of(const CodePlace& place, OpClass op) const {
    if (place.segment == nullptr || place.index < 0) {
        return barrier_name;
    }
    const auto id = place.segment->code[static_cast<std::size_t>(place.index)].mnemonic;
    return id < mnemonics_.size() ? mnemonics_[id] : classes_[static_cast<std::size_t>(op)];
}

bool TraceEventWriter::room() {
    truncated_ = truncated_ || events_ >= max_events_;
    events_ += truncated_ ? 0 : 1;
    return !truncated_;
}

TraceEventWriter::Track& TraceEventWriter::track_of(const WarpName& warp) {
    const auto index = static_cast<std::size_t>(thread_of(warp));
    tracks_.resize(std::max(tracks_.size(), index + 1));
    auto& track = tracks_[index];
    if (!track.named) {
        track.named = true;
        name_thread(warps_process, thread_of(warp),
                    fmt::format("slot {} warp {} (scheduler {})", warp.slot, warp.warp, warp.scheduler));
    }
    return track;
}

void TraceEventWriter::block_started(std::int64_t cycle, int slot, std::int64_t block, int warps) {
    warps_ = warps;
    const auto first = static_cast<std::size_t>(slot * warps + 1);
    tracks_.resize(std::max(tracks_.size(), first + static_cast<std::size_t>(warps)));
    for (auto t = first; t < first + static_cast<std::size_t>(warps); ++t) {
        tracks_[t].start = tracks_[t].written_until = cycle;
        tracks_[t].block = block;
        tracks_[t].open = false;
    }
}

void TraceEventWriter::block_ended(std::int64_t /*cycle*/, int slot, std::int64_t /*block*/) {
    for (int w = 0; w < warps_; ++w) {
        const int thread = slot * warps_ + w + 1;
        close_block(tracks_[static_cast<std::size_t>(thread)], thread);
    }
}

void TraceEventWriter::close_block(Track& track, int thread) {
    flush_span(track, thread);
    if (track.written_until > track.start) {
        put(fmt::format(R"({{"ph":"X","cat":"block","name":"block {}","pid":{},"tid":{},"ts":{},"dur":{}}})",
                        track.block, warps_process, thread, track.start, track.written_until - track.start));
    }
    track.start = track.written_until;
}

void TraceEventWriter::flush_span(Track& track, int thread) {
    if (!track.open || !room()) {
        track.open = false;
        return;
    }
    track.open = false;
    const auto& span = track.pending;
    const auto& name = name_of(span.code, span.op);
    track.written_until = span.until;
    if (span.reason == StallReason::selected) {
        put(fmt::format(R"({{"ph":"X","cat":"issue","name":{},"pid":{},"tid":{},"ts":{},"dur":{}}})", name,
                        warps_process, thread, span.from, span.until - span.from));
        return;
    }
    put(fmt::format(
        R"({{"ph":"X","cat":"stall","name":"{}","pid":{},"tid":{},"ts":{},"dur":{},"args":{{"next":{}}}}})",
        to_string(span.reason), warps_process, thread, span.from, span.until - span.from, name));
}

void TraceEventWriter::spent(const WarpSpan& span) {
    auto& track = track_of(span.warp);
    auto& last = track.pending;
    if (track.open && last.reason == span.reason && span.reason != StallReason::selected &&
        last.until == span.from && last.code.segment == span.code.segment &&
        last.code.index == span.code.index) {
        last.until = span.until;
        return;
    }
    flush_span(track, thread_of(span.warp));
    track.pending = span;
    track.open = true;
}

void TraceEventWriter::issued(const WarpIssue& issue) {
    if (!room()) {
        return;
    }
    const auto scheduler = static_cast<std::size_t>(issue.warp.scheduler);
    scheduler_named_.resize(std::max(scheduler_named_.size(), scheduler + 1));
    if (!scheduler_named_[scheduler]) {
        scheduler_named_[scheduler] = true;
        name_thread(schedulers_process, issue.warp.scheduler + 1, fmt::format("scheduler {}", scheduler));
    }
    put(fmt::format(
        R"({{"ph":"X","cat":"issue","name":{},"pid":{},"tid":{},"ts":{},"dur":1,"args":{{"block":{},"warp":{}}}}})",
        name_of(issue.code, issue.op), schedulers_process, issue.warp.scheduler + 1, issue.cycle,
        issue.warp.block, issue.warp.warp));
}

void TraceEventWriter::wavefront(const DataPipeWavefront& wavefront) {
    if (!room()) {
        return;
    }
    put(fmt::format(
        R"({{"ph":"X","cat":"wavefront","name":{},"pid":{},"tid":{},"ts":{},"dur":{},"args":{{"block":{},"warp":{}}}}})",
        name_of(wavefront.code, wavefront.op), sm_process, data_pipe_thread, wavefront.start,
        wavefront.cycles, wavefront.warp.block, wavefront.warp.warp));
}

void TraceEventWriter::barrier_released(std::int64_t cycle, int /*slot*/, std::int64_t block) {
    if (!room()) {
        return;
    }
    put(fmt::format(
        R"({{"ph":"i","s":"t","cat":"barrier","name":"block {} released","pid":{},"tid":{},"ts":{}}})", block,
        sm_process, barrier_thread, cycle));
}

void TraceEventWriter::memory_request(const MemoryRequest& request) {
    if (!room()) {
        return;
    }
    const auto& name = name_of(request.code, request.op);
    const double end = std::max(request.last_start, static_cast<double>(request.ready));
    put(fmt::format(
        R"({{"ph":"b","cat":"memory","id":{},"name":{},"pid":{},"tid":1,"ts":{},"args":{{"block":{},"warp":{},"wavefronts":{}}}}})",
        requests_, name, memory_process, request.available, request.warp.block, request.warp.warp,
        request.wavefronts));
    put(fmt::format(R"({{"ph":"e","cat":"memory","id":{},"name":{},"pid":{},"tid":1,"ts":{}}})", requests_,
                    name, memory_process, end));
    ++requests_;
}

void TraceEventWriter::finish() {
    for (std::size_t t = 1; t < tracks_.size(); ++t) {
        close_block(tracks_[t], static_cast<int>(t));
    }
    out_ << fmt::format("\n],\n\"truncated\":{}}}\n", truncated_);
    out_.flush();
}

}  // namespace gpumodel
