#include "traces/codegen/transfers/site_copies.h"

#include <memory>
#include <utility>

#include "traces/codegen/transfers/transfers.h"

namespace gpumodel {

namespace {

// What the functions of a copied site share.
struct SiteOrigin {
    AccessSite site;
    CopyRange range;

    [[nodiscard]] Coord coord(const Coord& here, int copy) const {
        Coord at = range.first.tile_level(here);
        if (copy > 0) {
            at.loop[static_cast<std::size_t>(range.first.depth - 1)] += copy;
        }
        return at;
    }
};

// Fragment words in the order of ProductStep, over all copies.
struct FragmentOrder {
    int words = 0;  // of one copy, all sites
    int steps = 1;  // of one copy
    int copies = 1;
    bool along_k = false;

    [[nodiscard]] int index(int copy, int of_copy) const {
        if (of_copy < 0 || !along_k) {
            return of_copy < 0 ? -1 : copy * words + of_copy;
        }
        return (of_copy / steps * copies + copy) * steps + of_copy % steps;
    }
};

FragmentOrder order_of(const Segment& segment, SiteRole role, int copies) {
    const ProductStep& product = segment.product;
    const bool is_a = role == SiteRole::fragment_a;
    return {.words = (is_a ? product.r : product.s) * product.steps,
            .steps = product.steps,
            .copies = copies,
            .along_k = is_a && product.a_along_k};
}

// `before`: fragment words of the sites before this one, for sites without an index of their own.
AccessSite copied_site(const AccessSite& site, const CopyRange& range, const FragmentOrder& order,
                       int before) {
    auto origin = std::make_shared<const SiteOrigin>(SiteOrigin{site, range});
    AccessSite copy = site;
    copy.words = site.words * range.copies;
    copy.address = [origin](const Coord& c, int word) {
        const int words = origin->site.words;
        return origin->site.address(origin->coord(c, word / words), word % words);
    };
    if (site.active) {
        // Predicates of lanes do not depend on the copied loop's counter: its copies share one.
        copy.active = [origin](const Coord& c) { return origin->site.active(origin->coord(c, 0)); };
    }
    if (site.word_active) {
        copy.word_active = [origin](const Coord& c, int word) {
            const int words = origin->site.words;
            return origin->site.word_active(origin->coord(c, word / words), word % words);
        };
    }
    if (is_fragment(site) && range.copies > 1) {
        copy.fragment_index = [origin, order, before](int word) {
            const AccessSite& from = origin->site;
            const int own = word % from.words;
            return order.index(word / from.words,
                               from.fragment_index ? from.fragment_index(own) : before + own);
        };
    }
    return copy;
}

ProductStep copied_product(const ProductStep& product, const CopyRange& range) {
    ProductStep copy = product;
    copy.steps *= range.copies;
    if (range.first.identity) {
        return copy;
    }
    if (product.acc_base) {
        copy.acc_base = [from = product.acc_base, at = range.first](const Coord& c) {
            return from(at.tile_level(c));
        };
    }
    if (product.acc) {
        copy.acc = [from = product.acc, at = range.first](const Coord& c, int i, int j) {
            return from(at.tile_level(c), i, j);
        };
    }
    return copy;
}

}  // namespace

Coord LoopBinding::tile_level(const Coord& here) const {
    Coord at = here;
    for (std::size_t d = 0; d < counters.size(); ++d) {
        at.loop[d] = static_cast<int>(d) < depth ? counters[d].at(here) : 0;
    }
    return at;
}

LoopBinding LoopBinding::with(LoopRef counter) const {
    LoopBinding inner = *this;
    inner.identity = identity && counter.depth == depth && counter.scale == 1 && counter.offset == 0;
    inner.counters.at(static_cast<std::size_t>(depth)) = counter;
    ++inner.depth;
    return inner;
}

Segment copied_segment(const Segment& segment, const CopyRange& range) {
    if (range.first.identity && range.copies == 1) {
        return segment;
    }
    Segment copy = segment;
    const double copies = range.copies;
    for (double& count : copy.ops) {
        count *= copies;
    }
    copy.shared_barrier_operations *= copies;
    copy.dependency.serial_global_loads *= copies;
    copy.dependency.serial_shared_loads *= copies;
    copy.dependency.prefetched_global_loads *= copies;
    copy.product = copied_product(segment.product, range);
    int a_words = 0;
    int b_words = 0;
    for (AccessSite& site : copy.sites) {
        int& before = site.role == SiteRole::fragment_a ? a_words : b_words;
        const int own = site.words;
        site = copied_site(site, range, order_of(segment, site.role, range.copies), before);
        before += is_fragment(site) ? own : 0;
    }
    return copy;
}

}  // namespace gpumodel
