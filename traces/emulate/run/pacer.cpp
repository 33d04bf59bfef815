#include "traces/emulate/run/pacer.h"

#include <algorithm>
#include <bit>
#include <map>
#include <string_view>
#include <utility>

namespace gpumodel::emulate {
namespace {

constexpr std::int64_t line_bytes = 128, sector_bytes = 32, sectors_of_line = 4;
constexpr unsigned array_shift = 40;
constexpr int draws = 4096;

std::uint64_t mixed(std::int64_t number) {
    const auto bits = static_cast<std::uint64_t>(number) * 0x9e3779b97f4a7c15U;
    return bits >> 33U;
}

bool says(std::string_view mnemonic, std::string_view word) {
    return mnemonic.find(word) != std::string_view::npos;
}

}  // namespace

Pacer::Pacer(const StaticCode& code, const Pace& pace)
    : pace_(pace),
      code_(code),
      trips_(code.instructions.size(), -1),
      additions_(added_to),
      of_sm_(pace.sms),
      l1_(pace.sms) {
    for (const auto& instruction : code.instructions) {
        const std::string_view mnemonic = code.mnemonics.name(instruction.mnemonic);
        uses_.push_back(use_of(code, instruction));
        widths_.push_back(instruction.access_bytes);
        fences_.push_back(mnemonic.starts_with("MEMBAR") && !says(mnemonic, ".CTA"));
        has_fences_ = has_fences_ || fences_.back();
    }
}

Pacer::Use Pacer::use_of(const StaticCode& code, const Instruction& instruction) {
    const std::string_view mnemonic = code.mnemonics.name(instruction.mnemonic);
    if (instruction.access_bytes == 0 || instruction.texture != TextureUnit::none) {
        return Use::other;
    }
    switch (instruction.access_kind) {
        case AccessKind::load:
            return says(mnemonic, ".STRONG") ? Use::load_past_l1 : Use::load;
        case AccessKind::store:
            return Use::store;
        case AccessKind::atomic: {
            const bool returns = instruction.result_count > 0;
            const bool floats = says(mnemonic, ".F32") || says(mnemonic, "F16") || says(mnemonic, ".F64");
            return says(mnemonic, ".CAS") ? Use::compare
                   : floats               ? (returns ? Use::add_floats_and_return : Use::add_floats)
                   : returns              ? Use::change_and_return
                                          : Use::change;
        }
        case AccessKind::async_copy:
            break;
    }
    return Use::other;
}

void Pacer::straight(int /*warp*/, int begin, int end, std::uint32_t /*active*/) {
    serve();
    executed_ += end - begin;
    now_ += static_cast<double>(end - begin) * pace_.instruction;
    const auto first = static_cast<std::size_t>(begin), last = static_cast<std::size_t>(end) - 1;
    if (trips_[first] < 0) {
        find_trips(first, last + 1);
    }
    fenced_ = fences_[last];  // they end a code block
}

// A warp's instructions are issued in order: one that waits for what is loaded keeps those behind it.
void Pacer::find_trips(std::size_t begin, std::size_t end) {
    std::map<std::pair<RegisterKind, int>, int> there;  // loaded registers: after which trip
    int trips = 0;
    for (auto i = begin; i < end; ++i) {
        const auto& instruction = code_.instructions[i];
        const auto each = [](const RegisterUse& use, const auto& function) {
            for (int j = 0; use.kind != RegisterKind::none && j < use.width; ++j) {
                function(std::pair{use.kind, use.index + j});
            }
        };
        const auto wait = [&](const RegisterUse& use) {
            each(use, [&](const auto& name) {
                const auto found = there.find(name);
                trips = found == there.end() ? trips : std::max(trips, found->second);
            });
        };
        std::for_each_n(instruction.sources.begin(), instruction.source_count, wait);
        wait(instruction.guard);
        trips_[i] = trips;
        const bool loads = uses_[i] != Use::other && uses_[i] != Use::store;
        std::for_each_n(instruction.results.begin(), instruction.result_count, [&](const RegisterUse& use) {
            wait(use);
            each(use, [&](const auto& name) { there[name] = loads ? trips + 1 : 0; });
        });
    }
}

void Pacer::access(int /*warp*/, const AccessEvent& event) {
    const auto use = uses_[static_cast<std::size_t>(event.instruction)];
    if (event.space != MemorySpace::global || use == Use::other) {
        return;
    }
    const auto width = widths_[static_cast<std::size_t>(event.instruction)];
    const auto trip = trips_[static_cast<std::size_t>(event.instruction)];
    const auto from = static_cast<std::int64_t>(event.array + 1) << array_shift;
    if (use == Use::load_past_l1 && event.active != 0) {
        const std::pair read{event.instruction,
                             from + event.address[static_cast<std::size_t>(std::countr_zero(event.active))]};
        auto& last = last_read_[warp_];
        polls_ = std::exchange(last, read) == read;
    }
    for (auto left = event.active; left != 0; left &= left - 1) {
        const auto address = from + event.address[static_cast<std::size_t>(std::countr_zero(left))];
        named_.push_back({trip, use, address});
        if (width > sector_bytes / 2 || use == Use::load) {
            named_.push_back({trip, use, address + width - 1});
        }
    }
}

void Pacer::serve() {
    if (!named_.empty()) {
        std::sort(named_.begin(), named_.end());
        for (std::size_t at = 0; at < named_.size();) {
            at = serve_trip(at);
        }
        named_.clear();
    }
    if (std::exchange(fenced_, false)) {
        wait_for_accesses();
    }
}

std::size_t Pacer::serve_trip(std::size_t at) {
    double back = 0, waits = 0, done = 0;
    bool swaps = false;
    const int number = named_[at].trip;
    while (at < named_.size() && named_[at].trip == number) {
        auto request = next_request(at);
        swaps = swaps || request.use == Use::compare;
        if (is_in_l1(request)) {
            back = std::max(back, pace_.l1_hit);
            continue;
        }
        look_for_copy(request);
        const double there_and_back = trip(request);
        const bool returns = brings_back(request.use);
        if (!returns) {
            wait_for_room();
        }
        const double arrives = now_ + there_and_back / 2, queue = queued(request, arrives);
        if (!returns) {
            post(request, arrives + queue);
        }
        done = std::max(done, there_and_back + queue);
        if (returns && there_and_back + queue > back) {
            back = there_and_back + queue;
            waits = queue;
        }
    }
    if (has_fences_) {
        of_sm_[sm_].accesses.push_back({now_, now_ + done});
    }
    // what stands before it at a slice is the same for all; but compare-and-swaps that lose do not come back
    // in the order in which they were served
    const double drawn = 1 + pace_.spread * (2 * static_cast<double>(mixed(++served_) % draws) / draws - 1);
    const double waited = swaps ? waits * drawn : waits;
    queued_ += waited;
    now_ += (back - waits) * drawn + waited;
    return at;
}

void Pacer::wait_for_accesses() {
    auto& accesses = of_sm_[sm_].accesses;
    std::erase_if(accesses, [&](const OnTheWay& access) { return access.to <= began_; });
    double done = now_;
    for (const auto& access : accesses) {
        done = std::max(done, access.from <= now_ ? access.to : done);
    }
    now_ = done + pace_.fence;
}

Pacer::Request Pacer::next_request(std::size_t& at) const {
    const int trip = named_[at].trip;
    Request request{named_[at].use, named_[at].address / line_bytes};
    request.far = mixed(request.line / 8) % 2 != sm_ % 2;
    const auto is_of = [&](std::int64_t size, std::int64_t number) {
        return at < named_.size() && named_[at].trip == trip && named_[at].use == request.use &&
               named_[at].address / size == number;
    };
    while (is_of(line_bytes, request.line)) {
        const auto sector = named_[at].address / sector_bytes;
        request.sectors |= 1U << static_cast<unsigned>(sector % sectors_of_line);
        int most = 0, words = 0;
        for (; is_of(sector_bytes, sector); ++words) {
            int lanes = 0;
            for (const auto word = named_[at].address; is_of(1, word); ++at) {
                ++lanes;
            }
            most = std::max(most, lanes);
        }
        request.lanes += most;
        if (most > request.most_lanes) {
            request.most_lanes = most;
            request.sector = sector;
        }
        request.several = request.several || words > 1;
    }
    return request;
}

bool Pacer::is_in_l1(const Request& request) {
    auto& cached = l1_[sm_][mixed(request.line) % l1_lines];
    const bool same = cached.line == request.line;
    if (request.use != Use::load) {
        const bool changes = request.use != Use::load_past_l1 && request.use != Use::store;
        cached.sectors &= same && changes ? ~request.sectors : ~0U;
        return false;
    }
    const bool has = same && (cached.sectors & request.sectors) == request.sectors;
    cached = {request.line, (same ? cached.sectors : 0) | request.sectors};
    return has;
}

void Pacer::look_for_copy(Request& request) {
    if (request.use == Use::load || request.use == Use::load_past_l1) {
        request.fetches = request.far && stale_.erase(request.line) > 0;
    } else {
        stale_.insert(request.line);
    }
}

double Pacer::trip(const Request& request) const {
    if (request.use == Use::load || request.use == Use::load_past_l1) {
        return request.fetches ? pace_.far_load_trip : request.far ? pace_.copy_trip : pace_.load_trip;
    }
    if (!request.far) {
        return pace_.atomic_trip;
    }
    const bool again = queues_[home_of(request)].has_changed(request.line);
    return request.use == Use::store ? pace_.far_store_trip
           : again                   ? pace_.far_again_trip
                                     : pace_.far_atomic_trip;
}

std::size_t Pacer::slice_of(std::int64_t line) {
    // Of eight lines in a row two slices have every other two; 128 lines in a row lie in 32 slices, and more
    // wherever (model/memory/hot_slice.h, crowded_slices.h).
    const auto eight = line / 8;
    return (2 * (static_cast<std::uint64_t>(eight) + mixed(eight / 16)) +
            static_cast<std::uint64_t>(line / 2 % 2)) %
           slices_of_half;
}

std::size_t Pacer::home_of(const Request& request) const {
    return (sm_ + (request.far ? 1 : 0)) % 2 * slices_of_half + slice_of(request.line);
}

// Besides, whatever is asked for takes its part of what all share, in which loads wait that nobody else
// wants.
double Pacer::read(const Request& request, double arrives) {
    const auto own = sm_ % 2 * slices_of_half + slice_of(request.line);
    const int sectors = std::popcount(request.sectors);
    const double bytes = static_cast<double>(sector_bytes) * sectors;
    const bool same = std::exchange(queues_[own].line, request.line) == request.line;
    const bool hot = same || queues_[home_of(request)].has_changed(request.line);
    const double at_sm = queue_at(of_sm_[sm_].queue, arrives, pace_.sm_read);
    const double cost = std::max(same ? pace_.same_line : pace_.read, pace_.read_sector * sectors);
    // looks for the copy, reads at home, and writes the copy (model/memory/stale_copies.h)
    const double here = request.fetches ? cost + pace_.read : cost;
    const double fetched = request.fetches ? queue_at(queues_[home_of(request)], arrives, cost) : 0;
    const double queue = std::max(at_sm, fetched + queue_at(queues_[own], arrives, here));
    const double shared =
        std::max(l2_.wait(arrives, bytes / pace_.l2_read_bytes),
                 of_sm_[sm_].rate.wait(arrives, std::max(pace_.sm_read, bytes / pace_.sm_read_bytes)));
    if (request.use == Use::load_past_l1) {
        return std::max(queue, shared);
    }
    return hot ? queue : shared;
}

double Pacer::stored(const Request& request, double arrives) {
    const int sectors = std::popcount(request.sectors);
    const double at_sm =
        queue_at(of_sm_[sm_].queue, arrives, std::max(pace_.sm_store, pace_.sm_stored_sector * sectors));
    const double cost = std::max(pace_.store, pace_.stored_sector * sectors);
    of_sm_[sm_].rate.wait(arrives, pace_.sm_stored_sector * sectors);
    l2_.wait(arrives, static_cast<double>(sector_bytes) * sectors / pace_.l2_stored_bytes);
    const double passed = request.far ? queue_at(queues_[sm_ % 2 * slices_of_half + slice_of(request.line)],
                                                 arrives, pace_.store)
                                      : 0;
    return std::max(at_sm, passed + queue_at(queues_[home_of(request)], arrives + passed, cost));
}

bool Pacer::brings_back(Use use) {
    return use != Use::store && use != Use::change && use != Use::add_floats;
}

void Pacer::wait_for_room() {
    auto& sm = of_sm_[sm_];
    const double asked = now_;
    while (!sm.posted.empty() &&
           (sm.posted.front().leaves <= now_ || sm.posted_sectors > pace_.posted_sectors)) {
        now_ = std::max(now_, sm.posted.front().leaves);
        sm.posted_sectors -= sm.posted.front().sectors;
        sm.posted.pop_front();
    }
    queued_ += now_ - asked;
}

void Pacer::post(const Request& request, double leaves) {
    auto& sm = of_sm_[sm_];
    const int sectors = std::max(request.lanes, std::popcount(request.sectors));
    sm.posted.push_back({sm.posted.empty() ? leaves : std::max(leaves, sm.posted.back().leaves), sectors});
    sm.posted_sectors += sectors;
}

double Pacer::added(const Request& request, double arrives) {
    auto& last = additions_[mixed(request.sector) % added_to];
    if (std::exchange(last.sector, request.sector) != request.sector) {
        last.queue = {};
    }
    return queue_at(last.queue, arrives, request.most_lanes * pace_.same_word_float);
}

double Pacer::queued(const Request& request, double arrives) {
    if (request.use == Use::load || request.use == Use::load_past_l1) {
        return read(request, arrives);
    }
    if (request.use == Use::store) {
        return stored(request, arrives);
    }
    const double change = changed(request, arrives);
    const bool floats = request.use == Use::add_floats || request.use == Use::add_floats_and_return;
    return floats ? std::max(change, added(request, arrives)) : change;
}

double Pacer::changed(const Request& request, double arrives) {
    auto& own = queues_[sm_ % 2 * slices_of_half + slice_of(request.line)];
    auto& home = queues_[home_of(request)];
    const double at_sm = queue_at(of_sm_[sm_].queue, arrives, pace_.sm_atomic);
    const double least = brings_back(request.use) ? pace_.atomic : pace_.reduction;
    const double passed = request.far ? queue_at(own, arrives, least) : 0;
    if (!home.has_changed(request.line)) {
        home.changed[home.changes++ % home.changed.size()] = request.line;
    }
    const double more = request.use == Use::compare && request.several ? pace_.compare_more : 0;
    const double cost =
        std::max(std::popcount(request.sectors) * least, request.lanes * (pace_.same_word + more));
    return std::max(at_sm, passed + queue_at(home, arrives + passed, cost));
}

double SharedRate::wait(double arrives, double cost) {
    const auto asked = static_cast<std::size_t>(std::max(arrives, 0.0) / width);
    if (asked < first_) {
        return 0;
    }
    if (asked - first_ >= 2 * kept) {  // forget what is long past
        const auto past = std::min(asked - kept - first_, places_.size());
        places_.erase(places_.begin(), places_.begin() + static_cast<std::ptrdiff_t>(past));
        first_ = asked - kept;
    }
    const auto from = asked - first_;
    const auto taken = [this](std::size_t i) { return i < places_.size() && places_[i].taken >= width; };
    auto at = from;
    while (taken(at)) {
        at += std::max<std::size_t>(1, places_[at].full);
    }
    for (auto i = from; i < at;) {
        const auto next = i + std::max<std::size_t>(1, places_[i].full);
        places_[i].full = at - i;
        i = next;
    }
    if (at >= places_.size()) {
        places_.resize(at + 1);
    }
    places_[at].taken += cost;
    return std::max(0.0, static_cast<double>(first_ + at) * width - arrives);
}

double Pacer::queue_at(Queue& queue, double arrives, double cost) {
    if (arrives > queue.at) {
        queue.work = std::max(0.0, queue.work - (arrives - queue.at));
        queue.at = arrives;
    }
    queue.work += cost;
    return queue.work;
}

}  // namespace gpumodel::emulate
