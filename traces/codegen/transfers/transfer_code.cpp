// Transfers of segment_code.h.
#include <algorithm>
#include <map>
#include <vector>

#include "traces/codegen/segment_code.h"
#include "traces/codegen/transfers/transfers.h"

namespace gpumodel {

namespace {

class TransferWriter {
public:
    TransferWriter(Emitter& emit, const Segment& segment, const RegisterPlan& plan,
                   const KernelProgram& program)
        : emit_(emit), segment_(segment), plan_(plan), program_(program), moves_(plan_transfers(segment)) {}

    void write() {
        const int slots = std::max(1, plan_.scratch_words / moves_.vector_words);
        const int count = static_cast<int>(moves_.loads.size());
        const int window = moves_.stores_here ? std::min(moves_.window, slots) : count;
        accesses_left_ = count + static_cast<int>(moves_.stores.size());
        if (is_tile_load(segment_)) {
            write_tile(window);
            return;
        }
        if (count == 0) {
            write_stores(0, static_cast<int>(moves_.stores.size()));
            return;
        }
        for (int i = 0; i < std::min(window, count); ++i) {
            share_arithmetic();
            write_load(i);
        }
        for (int i = 0; i < count; ++i) {
            const auto at = static_cast<std::size_t>(i);
            write_stores(moves_.first_store[at], moves_.first_store[at + 1]);
            if (i + window < count) {
                share_arithmetic();
                write_load(i + window);
            }
        }
    }

private:
    // Where the arithmetic of a tile stands (listings of sm_90, some 300 single-buffered tiles): before the
    // first load and while the loads are out; with many loads two instructions for each of them between the
    // stores. Stores begin with the same few addresses.
    void write_tile(int window) {
        const int count = static_cast<int>(moves_.loads.size());
        const int stores = static_cast<int>(moves_.stores.size());
        constexpr int few_loads = 6;
        const int all = emit_.arithmetic_left();
        const int between_stores = std::min(count > few_loads ? 2 * count : count, all / 2);
        const int gaps = window - 1;
        const int between_loads =
            std::min(window > few_loads ? 2 * gaps : gaps * window / 4, (all - between_stores) / 2);
        const int others = all - between_stores - between_loads;
        emit_.arithmetic(window < count ? others : (others + 1) / 2);
        for (int i = 0; i < window; ++i) {
            emit_.arithmetic(i == 0 ? 0 : between_loads * i / gaps - between_loads * (i - 1) / gaps);
            write_load(i);
        }
        emit_.arithmetic(emit_.arithmetic_left() - between_stores);
        emit_.keep_address();
        for (int i = 0, stored = 0; i < count; ++i) {
            const auto at = static_cast<std::size_t>(i);
            for (; stored < moves_.first_store[at + 1]; ++stored) {
                emit_.arithmetic(between_stores * (stored + 1) / stores - between_stores * stored / stores);
                write_store(moves_.stores[static_cast<std::size_t>(stored)]);
            }
            if (i + window < count) {
                write_load(i + window);
            }
        }
    }

    // Address arithmetic is spread evenly over the accesses.
    void share_arithmetic() {
        emit_.arithmetic((emit_.arithmetic_left() + accesses_left_ - 1) / std::max(1, accesses_left_));
        --accesses_left_;
    }

    [[nodiscard]] const AccessSite& site(const Access& access) const {
        return segment_.sites[static_cast<std::size_t>(access.site)];
    }

    // Registers of the words [first, first + count) of a site.
    std::vector<int>& data_of(const AccessSite& of, int first, int count) {
        std::vector<int>& words = data_[transfer_key(of)];
        if (words.size() < static_cast<std::size_t>(first + count)) {
            words.resize(static_cast<std::size_t>(first + count), plan_.scratch);
        }
        return words;
    }

    [[nodiscard]] int first_accumulator(int word, int width) const {
        int first = plan_.accumulator(word);
        for (int i = 1; i < width; ++i) {
            first = std::min(first, plan_.accumulator(word + i));
        }
        return first;
    }

    // Where a load goes.
    int destination(const AccessSite& of, const Access& access) {
        if (of.thread_private && !plan_.accumulators.empty()) {
            return first_accumulator(access.word, of.vector_words);
        }
        const auto staged = plan_.staged.find(of.stage_id);
        if (of.role == SiteRole::stage_load && staged != plan_.staged.end() && !moves_.stores_here) {
            return staged->second + access.word;
        }
        const int slots = std::max(1, plan_.scratch_words / moves_.vector_words);
        return plan_.scratch + next_slot_++ % slots * moves_.vector_words;
    }

    void write_load(int number) {
        const Access& load = moves_.loads[static_cast<std::size_t>(number)];
        const AccessSite& from = site(load);
        const int reg = destination(from, load);
        std::vector<int>& words = data_of(from, load.word, from.vector_words);
        for (int i = 0; i < from.vector_words; ++i) {
            words[static_cast<std::size_t>(load.word + i)] = reg + i;
        }
        add_result(emit_.access(load.site, load.word), vector_registers(reg, from.vector_words));
    }

    // beta*C, then alpha*acc + that, in place.
    void scale_results(const AccessSite& to, const Access& store, const std::vector<int>& words) {
        for (const OpClass op : {OpClass::fmul, OpClass::ffma}) {
            for (int i = 0; i < to.vector_words; ++i) {
                const int word = store.word + i;
                const int reg = words[static_cast<std::size_t>(word)];
                Instruction& scaled = emit_.add(op);
                add_result(scaled, vector_registers(reg));
                if (op == OpClass::ffma) {
                    add_source(scaled, vector_registers(result_register(word), 1, 0));
                }
                add_source(scaled, vector_registers(reg, 1, op == OpClass::ffma ? 2 : 0));
            }
        }
    }

    [[nodiscard]] int result_register(int word) const {
        return plan_.accumulators.empty() || !program_.result_acc
                   ? plan_.scratch
                   : plan_.accumulator(program_.result_acc(Coord{}, word));
    }

    void write_stores(int begin, int end) {
        for (int s = begin; s < end; ++s) {
            share_arithmetic();
            write_store(moves_.stores[static_cast<std::size_t>(s)]);
        }
    }

    void write_store(const Access& store) {
        const AccessSite& to = site(store);
        std::vector<int>& words = data_of(to, store.word, to.vector_words);
        const bool result = to.role == SiteRole::result_write;
        const bool scaled = result && segment_.ops[static_cast<std::size_t>(OpClass::fmul)] > 0;
        if (scaled) {
            scale_results(to, store, words);
        }
        Instruction& instruction = emit_.access(store.site, store.word);
        for (int i = 0; i < to.vector_words; ++i) {
            add_source(instruction, vector_registers(source(to, store.word + i, scaled, words)));
        }
        merge_data(instruction);
    }

    [[nodiscard]] int source(const AccessSite& to, int word, bool scaled,
                             const std::vector<int>& words) const {
        if (to.role == SiteRole::result_write && !scaled) {
            return result_register(word);
        }
        if (to.thread_private && !plan_.accumulators.empty()) {
            return plan_.accumulator(word);
        }
        if (const auto staged = plan_.staged.find(to.stage_id);
            to.role == SiteRole::stage_store && staged != plan_.staged.end() && moves_.loads.empty()) {
            return staged->second + word;
        }
        return words[static_cast<std::size_t>(word)];
    }

    // Data in consecutive registers is one operand.
    static void merge_data(Instruction& instruction) {
        const int data = instruction.source_count - 1;
        for (int i = 1; i < data; ++i) {
            if (instruction.sources.at(static_cast<std::size_t>(1 + i)).index !=
                instruction.sources[1].index + i) {
                return;
            }
        }
        if (data > 1) {
            instruction.sources[1].width = static_cast<std::uint8_t>(data);
            instruction.source_count = 2;
        }
    }

    Emitter& emit_;
    const Segment& segment_;
    const RegisterPlan& plan_;
    const KernelProgram& program_;
    TransferPlan moves_;
    std::map<int, std::vector<int>> data_;  // registers of the words, by transfer key
    int next_slot_ = 0;
    int accesses_left_ = 0;
};

}  // namespace

void emit_transfers(Emitter& emit, const Segment& segment, const RegisterPlan& plan,
                    const KernelProgram& program) {
    TransferWriter(emit, segment, plan, program).write();
}

void emit_async_copies(Emitter& emit, const Segment& segment) {
    int left = 0;
    const auto is_copy = [](const AccessSite& site) {
        return site.kind == AccessKind::async_copy && site.space == MemorySpace::global;
    };
    for (const AccessSite& site : segment.sites) {
        left += is_copy(site) ? site.accesses() : 0;
    }
    for (int number = 0; number < static_cast<int>(segment.sites.size()); ++number) {
        const AccessSite& site = segment.sites[static_cast<std::size_t>(number)];
        for (int word = 0; is_copy(site) && word < site.words; word += site.vector_words) {
            emit.arithmetic((emit.arithmetic_left() + left - 1) / left);
            --left;
            add_source(emit.access(number, word), vector_registers(RegisterPlan::shared_base));
        }
    }
}

}  // namespace gpumodel
