// Device memory while blocks run: what --args gave, and over it what the kernel has stored.
//
// Addresses are absolute (constant_bank.h: allocation i begins at (i + 1) << allocation_shift). A byte is
// known if it was given, or stored with a value that hangs on known ones only; what is not known reads as
// zero.
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <vector>

#include "traces/emulate/data/given_data.h"
#include "traces/emulate/data/read_log.h"

namespace gpumodel::emulate {

class DeviceMemory {
public:
    // By argument; nullptr where nothing is given.
    explicit DeviceMemory(std::vector<std::shared_ptr<const GivenData>> given) : given_(std::move(given)) {}
    // Words of this allocation change their highest bit with every store, whatever is stored: the barrier of
    // the grid, at which all others have come (module_variables.h).
    void set_grid_barrier(std::int64_t allocation) { grid_barrier_ = allocation; }
    [[nodiscard]] bool is_grid_barrier(std::int64_t address) const;

    // `bytes` <= 8.
    [[nodiscard]] MemoryWord load(std::int64_t address, int bytes) const;
    void store(std::int64_t address, std::uint64_t value, int bytes, bool known);
    // All bytes from the address on; returns how many are not known.
    [[nodiscard]] std::int64_t read(std::int64_t address, std::span<std::uint8_t> bytes) const;
    // A store by a compare-and-swap whose comparison held. The word is settled while such stores leave what
    // was there: the loop around the instruction has nothing left to change.
    void swap(std::int64_t address, std::uint64_t value, int bytes, bool known);
    // A comparison and swap is tried, for the first time or again.
    void count_try(bool again) { ++(again ? tried_again_ : tried_first_); }
    [[nodiscard]] double tries_per_swap() const {
        return 1 + static_cast<double>(tried_again_) /
                       static_cast<double>(std::max<std::int64_t>(1, tried_first_));
    }
    // Back to what was given.
    void forget_stores() {
        pages_.clear();
        last_ = {};
    }
    // Allocations, by number, that are read for their values, and that are stored to, since begin_noting().
    void begin_noting() {
        notes_ = true;
        noted_read_ = {};
        noted_stored_ = {};
    }
    void end_noting() { notes_ = false; }
    void note_read(std::int64_t address);
    [[nodiscard]] std::set<std::int64_t> read_and_stored() const;
    // The block that reads and stores from now on; -1: nobody asks.
    void set_accessor(std::int32_t block) { accessor_ = block; }
    // A block has read for its value what another had stored.
    [[nodiscard]] bool has_read_of_others() const { return has_read_of_others_; }
    // The same, but for settled words of arrays of which nothing was given: they keep their values, not
    // known.
    void forget_unsettled();
    // Stores so far that changed a value.
    [[nodiscard]] std::uint64_t changes() const { return changes_; }

private:
    static constexpr int page_shift = 8, word_bytes = 4;
    static constexpr std::size_t page_bytes = std::size_t{1} << page_shift;
    struct Page {
        std::array<std::uint8_t, page_bytes> bytes{};
        std::bitset<page_bytes> written, known, settled;
        std::vector<std::int32_t> storers;  // by word; -1 = nobody
    };
    struct Noted {
        std::set<std::int64_t> all;
        std::int64_t last = -1;  // noted last
    };
    struct Asked {
        std::int64_t number = -1;
        Page* page = nullptr;
    };
    // nullptr: nothing is stored there. Lanes of a warp mostly ask for the page that was asked for last,
    // which is kept: not for several threads.
    [[nodiscard]] Page* page_at(std::int64_t address) const;
    Page& page_for(std::int64_t address);
    static void note(std::int64_t address, Noted& noted);
    void note_reader(std::int64_t address);
    void note_storer(Page& page, std::int64_t address) const;
    [[nodiscard]] MemoryWord given(std::int64_t address, int bytes) const;
    [[nodiscard]] MemoryWord load_byte(std::int64_t address) const;
    [[nodiscard]] std::optional<MemoryWord> load_at_once(const Page& page, std::int64_t address,
                                                         int bytes) const;

    std::vector<std::shared_ptr<const GivenData>> given_;
    std::unordered_map<std::int64_t, std::unique_ptr<Page>> pages_;
    mutable Asked last_;
    std::int64_t tried_first_ = 0, tried_again_ = 0;
    std::uint64_t changes_ = 0;
    std::int64_t grid_barrier_ = -1;
    std::int32_t accessor_ = -1;
    bool has_read_of_others_ = false;
    bool notes_ = false;
    Noted noted_read_, noted_stored_;
};

}  // namespace gpumodel::emulate
