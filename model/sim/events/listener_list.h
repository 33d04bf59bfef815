// Several listeners as one.
#pragma once

#include <vector>

#include "model/sim/events/events.h"

namespace gpumodel {

class ListenerList : public SimListener {
public:
    void add(SimListener& listener) { list_.push_back(&listener); }
    [[nodiscard]] bool empty() const { return list_.empty(); }

    void block_started(std::int64_t cycle, int slot, std::int64_t block, int warps) override {
        for (auto* l : list_) {
            l->block_started(cycle, slot, block, warps);
        }
    }
    void block_ended(std::int64_t cycle, int slot, std::int64_t block) override {
        for (auto* l : list_) {
            l->block_ended(cycle, slot, block);
        }
    }
    void barrier_released(std::int64_t cycle, int slot, std::int64_t block) override {
        for (auto* l : list_) {
            l->barrier_released(cycle, slot, block);
        }
    }
    void issued(const WarpIssue& issue) override {
        for (auto* l : list_) {
            l->issued(issue);
        }
    }
    void spent(const WarpSpan& span) override {
        for (auto* l : list_) {
            l->spent(span);
        }
    }
    void wavefront(const DataPipeWavefront& wavefront) override {
        for (auto* l : list_) {
            l->wavefront(wavefront);
        }
    }
    void memory_request(const MemoryRequest& request) override {
        for (auto* l : list_) {
            l->memory_request(request);
        }
    }

private:
    std::vector<SimListener*> list_;
};

}  // namespace gpumodel
