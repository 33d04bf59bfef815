// Products of segment_code.h.
#include <algorithm>
#include <array>
#include <vector>

#include "traces/codegen/products/fragments.h"
#include "traces/codegen/registers/scratch_registers.h"
#include "traces/codegen/segment_code.h"

namespace gpumodel {

namespace {

bool reads_global(const Segment& segment) {
    return std::any_of(segment.sites.begin(), segment.sites.end(), [](const AccessSite& site) {
        return site.space == MemorySpace::global && !site.thread_private;
    });
}

class ProductWriter {
public:
    ProductWriter(Emitter& emit, const Segment& segment, const RegisterPlan& plan, const CodeStyle& style)
        : emit_(emit),
          segment_(segment),
          plan_(plan),
          map_(with_plan(fragment_map(segment), plan)),
          order_(product_order(map_.shape, style)),
          scratch_(plan.scratch, plan.scratch_words),
          first_register_(map_.loads.size(), -1),
          uses_(map_.loads.size(), 0),
          first_use_(map_.loads.size(), static_cast<int>(order_.size())),
          bank_(map_.loads.size(), 0) {
        count_uses(style);
    }

    // `late`: what is not loaded in front waits until a product needs it. `lead`: further loads stand at
    // least so many products ahead of their first use, as long as there are registers.
    void write(int budget, bool late, int lead) {
        budget_ = std::min(budget, plan_.scratch_words);
        while (issue_within_budget() || issue_ahead(lead)) {
        }
        const bool global = reads_global(segment_);
        if (!global) {
            emit_.arithmetic(emit_.arithmetic_left());
        }
        // A step frees as many words as the next one's loads take: loads from global memory stay equally far
        // ahead, those from shared memory are spread over the products.
        for (std::size_t i = 0; i < order_.size(); ++i) {
            if (late && !is_loaded(order_[i])) {
                while (issue_within_budget()) {
                }
            }
            write_product(order_[i]);
            if (lead > 0) {
                products_since_load_ += 1;
                issue_apart(static_cast<int>(i) + lead);
                continue;
            }
            while (!late && issue_within_budget() && global) {
            }
        }
        // Words that no product reads.
        while (next_ < queue_.size()) {
            issue(queue_[next_++]);
        }
    }

private:
    static FragmentMap with_plan(FragmentMap map, const RegisterPlan& plan) {
        map.shape.consecutive_results = plan.consecutive_results;
        return map;
    }

    void count_uses(const CodeStyle& style) {
        for (const Product& product : order_) {
            for (const bool is_a : {true, false}) {
                const FragmentWord& word = is_a ? map_.a_word(product) : map_.b_word(product);
                if (word.load < 0) {
                    continue;
                }
                const auto load = static_cast<std::size_t>(word.load);
                if (uses_[load]++ == 0) {
                    queue_.push_back(word.load);
                    first_use_[load] = static_cast<int>(&product - order_.data());
                    bank_[load] = fragment_bank(map_.shape, product, is_a, style);
                }
            }
        }
        for (std::size_t load = 0; load < uses_.size(); ++load) {
            if (uses_[load] == 0) {
                queue_.push_back(static_cast<int>(load));
            }
        }
    }

    [[nodiscard]] int width_of(int load) const { return map_.loads[static_cast<std::size_t>(load)].width; }

    bool issue_within_budget() {
        if (next_ == queue_.size() || live_words_ + width_of(queue_[next_]) > budget_ ||
            !scratch_.has_room(width_of(queue_[next_]))) {
            return false;
        }
        issue(queue_[next_++]);
        return true;
    }

    // The next load, if product number `last` or an earlier one is the first to read it.
    bool issue_ahead(int last) {
        if (next_ == queue_.size() || first_use_[static_cast<std::size_t>(queue_[next_])] > last ||
            !scratch_.has_room(width_of(queue_[next_]))) {
            return false;
        }
        issue(queue_[next_++]);
        return true;
    }

    [[nodiscard]] bool is_loaded(const Product& product) const {
        const auto loaded = [this](const FragmentWord& word) {
            return word.load < 0 || first_register_[static_cast<std::size_t>(word.load)] >= 0;
        };
        return loaded(map_.a_word(product)) && loaded(map_.b_word(product));
    }

    // Loads between products stand a few products apart.
    void issue_apart(int last) {
        constexpr int apart = 3;
        if (products_since_load_ >= apart && (issue_ahead(last) || issue_within_budget())) {
            products_since_load_ = 0;
        }
    }

    void issue(int load) {
        const FragmentLoad& fragment = map_.loads[static_cast<std::size_t>(load)];
        // Loads from global memory come with their share of the address arithmetic, others after all of it
        // but the compare, or, where they come first, with one instruction between two.
        const bool global =
            segment_.sites[static_cast<std::size_t>(fragment.site)].space == MemorySpace::global;
        const int loads_left = static_cast<int>(queue_.size() - issued_);
        if (global) {
            emit_.arithmetic((emit_.arithmetic_left() + loads_left - 1) / loads_left);
        } else if (!segment_.order.loads_first) {
            emit_.arithmetic(emit_.arithmetic_left() - (issued_ == 0 && emit_.closes_loop() ? 1 : 0));
        } else if (issued_ > 0) {
            emit_.arithmetic(1);
        } else {
            emit_.keep_address();  // it has gone on by a constant since the last trip
        }
        ++issued_;
        const int reg = scratch_.take(fragment.width, bank_[static_cast<std::size_t>(load)]);
        first_register_[static_cast<std::size_t>(load)] = reg;
        live_words_ += fragment.width;
        add_result(emit_.access(fragment.site, fragment.word), vector_registers(reg, fragment.width));
        if (uses_[static_cast<std::size_t>(load)] == 0) {
            release(load);
        }
    }

    void release(int load) {
        scratch_.release(first_register_[static_cast<std::size_t>(load)], width_of(load));
        live_words_ -= width_of(load);
    }

    // Register of a fragment word, loaded now if need be.
    int register_of(const FragmentWord& word) {
        if (word.load < 0) {
            return plan_.scratch;
        }
        while (first_register_[static_cast<std::size_t>(word.load)] < 0) {
            issue(queue_[next_++]);
        }
        return first_register_[static_cast<std::size_t>(word.load)] + word.component;
    }

    void use(const FragmentWord& word) {
        if (word.load >= 0 && --uses_[static_cast<std::size_t>(word.load)] == 0) {
            release(word.load);
        }
    }

    void write_product(const Product& product) {
        const FragmentWord& a = map_.a_word(product);
        const FragmentWord& b = map_.b_word(product);
        const int a_register = register_of(a);
        const int b_register = register_of(b);
        const int c = plan_.accumulator(accumulator_index(segment_.product, product.i, product.j));
        Instruction& ffma = emit_.add(OpClass::ffma);
        add_result(ffma, vector_registers(c));
        add_source(ffma, vector_registers(product.swapped ? b_register : a_register, 1, 0));
        add_source(ffma, vector_registers(product.swapped ? a_register : b_register, 1, 1));
        add_source(ffma, vector_registers(c, 1, 2));
        use(a);
        use(b);
    }

    Emitter& emit_;
    const Segment& segment_;
    const RegisterPlan& plan_;
    FragmentMap map_;
    std::vector<Product> order_;
    ScratchRegisters scratch_;
    std::vector<int> first_register_;  // by load; -1 = not issued
    std::vector<int> uses_;            // by load: products that still read it
    std::vector<int> first_use_;       // by load: number of the first product that reads it
    std::vector<int> bank_;            // by load: of single words
    std::vector<int> queue_;           // loads by first use
    std::size_t next_ = 0;
    std::size_t issued_ = 0;
    int live_words_ = 0;
    int budget_ = 0;
    int products_since_load_ = 0;
};

}  // namespace

void emit_products(Emitter& emit, const Segment& segment, const RegisterPlan& plan, const CodeStyle& style) {
    const FragmentShape shape = fragment_map(segment).shape;
    int budget = reads_global(segment) ? plan.scratch_words : fragment_budget(segment, shape, style);
    if (shape.a_vector == 1 || shape.b_vector == 1) {
        budget = std::min(budget, plan.scratch_words * 5 / 8);  // keeps a choice of banks
    }
    ProductWriter(emit, segment, plan, style)
        .write(budget, loads_in_halves(segment, shape, style), products_ahead(segment, shape, style));
}

namespace {

// The words that reuse entries hold, by slot and bank, as the last FFMA left them.
class ReuseEntries {
public:
    void drop() { last_.fill(nullptr); }
    void access(RegisterUse& source) {
        if (source.slot < 0 || source.slot > 1) {
            return;  // never the accumulator's slot
        }
        RegisterUse*& before = last_.at(static_cast<std::size_t>(2 * source.slot + source.index % 2));
        if (before != nullptr) {
            before->reuse = before->index == source.index;
        }
        before = &source;
    }

private:
    std::array<RegisterUse*, 4> last_{};
};

// Registers that loads have written and nobody has read yet.
class FreshRegisters {
public:
    void load(const RegisterUse& result, int products) {
        ++loads_;
        for (int i = 0; i < result.width; ++i) {
            load_of_[static_cast<std::size_t>(result.index + i)] = {loads_, products};
        }
    }
    // True for the first use of loaded registers that may not be there yet.
    bool waits(const RegisterUse& source, int products) {
        constexpr int latency = 12;  // products that a shared load takes, about
        const Load& load = load_of_[static_cast<std::size_t>(source.index)];
        const bool fresh = load.number > used_ && products - load.products < latency;
        used_ = std::max(used_, load.number);
        return fresh;
    }

private:
    struct Load {
        int number = 0;
        int products = 0;  // before it
    };
    std::array<Load, 256> load_of_{};
    int loads_ = 0, used_ = 0;  // loads return in order: using one has waited for all before it
};

}  // namespace

void set_reuse_flags(std::vector<Instruction>& code, const CodeStyle& style) {
    if (!style.reuse_flags) {
        return;
    }
    ReuseEntries entries;
    FreshRegisters fresh;
    int number = 0;
    bool load_between = false;
    for (Instruction& instruction : code) {
        if (instruction.op == OpClass::shared_load) {
            fresh.load(instruction.results[0], number);
            load_between = true;
        }
        if (instruction.op != OpClass::ffma) {
            continue;
        }
        bool waits = false;
        for (std::size_t i = 0; i < instruction.source_count; ++i) {
            waits = fresh.waits(instruction.sources.at(i), number) || waits;
        }
        const bool new_group =
            style.flag_period > 0 && (number + style.flag_period - 1) % style.flag_period == 0;
        if (new_group || (waits && load_between)) {
            entries.drop();
        }
        for (std::size_t i = 0; i < instruction.source_count; ++i) {
            entries.access(instruction.sources.at(i));
        }
        ++number;
        load_between = false;
    }
}

}  // namespace gpumodel
