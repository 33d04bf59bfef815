#include "traces/codegen/transfers/transfers.h"

#include <algorithm>
#include <cmath>

namespace gpumodel {

namespace {

constexpr int copy_key = -1;
constexpr int result_key = -2;
constexpr int local_key = -3;
constexpr int no_key = -4;

void add_accesses(std::vector<Access>& to, const AccessSite& site, int number) {
    for (int word = 0; word < site.words; word += site.vector_words) {
        to.push_back({number, word});
    }
}

// Last load whose words the store needs, at least `after`: stores keep their order.
int load_before(const Segment& segment, const TransferPlan& plan, const Access& store, int after) {
    const AccessSite& to = segment.sites[static_cast<std::size_t>(store.site)];
    int needed = after;
    for (int i = after; i < static_cast<int>(plan.loads.size()); ++i) {
        const Access& load = plan.loads[static_cast<std::size_t>(i)];
        const AccessSite& from = segment.sites[static_cast<std::size_t>(load.site)];
        if (transfer_key(from) == transfer_key(to) && load.word < store.word + to.vector_words &&
            store.word < load.word + from.vector_words) {
            needed = i;
        }
    }
    return needed;
}

void place_stores(TransferPlan& plan, const Segment& segment) {
    const std::size_t loads = plan.loads.size();
    plan.first_store.assign(loads + 1, static_cast<int>(plan.stores.size()));
    std::size_t next = 0;
    int after = 0;
    for (std::size_t s = 0; s < plan.stores.size(); ++s) {
        after = load_before(segment, plan, plan.stores[s], after);
        for (; next <= static_cast<std::size_t>(after) && next < loads; ++next) {
            plan.first_store[next] = static_cast<int>(s);
        }
    }
}

}  // namespace

bool is_tile_load(const Segment& segment) {
    return segment.product.r == 0 && segment.order.load_window > 0;
}

bool is_fragment(const AccessSite& site) {
    return site.role == SiteRole::fragment_a || site.role == SiteRole::fragment_b;
}

int transfer_key(const AccessSite& site) {
    switch (site.role) {
        case SiteRole::stage_load:
        case SiteRole::stage_store:
            return site.stage_id;
        case SiteRole::copy_load:
        case SiteRole::copy_store:
            return copy_key;
        case SiteRole::result_read:
        case SiteRole::result_write:
            return result_key;
        case SiteRole::fragment_a:
        case SiteRole::fragment_b:
        case SiteRole::none:
            break;
    }
    return site.thread_private ? local_key : no_key;
}

TransferPlan plan_transfers(const Segment& segment) {
    TransferPlan plan;
    const bool product = segment.product.r > 0;
    for (int number = 0; number < static_cast<int>(segment.sites.size()); ++number) {
        const AccessSite& site = segment.sites[static_cast<std::size_t>(number)];
        if (product && is_fragment(site)) {
            continue;
        }
        if (site.kind == AccessKind::load) {
            plan.vector_words = std::max(plan.vector_words, site.vector_words);
            add_accesses(plan.loads, site, number);
        } else if (site.kind == AccessKind::store) {
            plan.stores_here = true;
            add_accesses(plan.stores, site, number);
        }
    }
    const auto& wait = segment.dependency;
    const double levels =
        std::max(1.0, std::floor(wait.serial_global_loads + wait.serial_shared_loads + 0.5));
    const auto loads = static_cast<double>(plan.loads.size());
    plan.window = is_tile_load(segment)
                      ? std::clamp(segment.order.load_window, 1, std::max(1, static_cast<int>(loads)))
                      : std::max(1, static_cast<int>(std::ceil(loads / levels)));
    place_stores(plan, segment);
    return plan;
}

}  // namespace gpumodel
