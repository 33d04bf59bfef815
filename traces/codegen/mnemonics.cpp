#include <algorithm>

#include "traces/codegen/emitter.h"

namespace gpumodel {

namespace {

std::string_view mnemonic_of(OpClass op, bool kepler) {
    const auto& row = row_of(op);
    return kepler && !row.kepler_mnemonic.empty() ? row.kepler_mnemonic : row.mnemonic;
}

std::string access_name(const CodeStyle& style, const AccessSite& site) {
    const bool load = site.kind == AccessKind::load;
    std::string name;
    if (site.thread_private) {
        name = load ? "LDL" : "STL";
    } else if (site.kind == AccessKind::async_copy) {
        name = site.vector_words == 4 ? "LDGSTS.E.BYPASS" : "LDGSTS.E";
    } else if (site.space == MemorySpace::shared) {
        // sm_70 listings mark all shared loads so
        name = load ? (style.generation == CodeGeneration::volta ? "LDS.U" : "LDS") : "STS";
    } else if (style.kepler()) {
        name = load ? "LD.E" : "ST.E";
    } else {
        name = load ? "LDG.E" : "STG.E";
    }
    if (site.sub_word_bytes > 0) {
        return name + (site.sub_word_bytes == 1 ? ".U8" : ".U16");
    }
    return site.vector_words == 4 ? name + ".128" : site.vector_words == 2 ? name + ".64" : name;
}

std::size_t access_slot(const AccessSite& site) {
    const std::size_t kind = site.thread_private ? 3 : static_cast<std::size_t>(site.space);
    const std::size_t width = site.vector_words == 4 ? 2 : site.vector_words == 2 ? 1 : 0;
    return (static_cast<std::size_t>(site.kind) * 4 + kind) * 4 + (site.sub_word_bytes > 0 ? 3 : width);
}

}  // namespace

Mnemonics::Mnemonics(const CodeStyle& style, MnemonicTable& table) : style_(style), table_(table) {
    by_class_.fill(-1);
    by_access_.fill(-1);
}

std::uint16_t Mnemonics::of(OpClass op) {
    const auto at = static_cast<std::size_t>(op);
    if (by_class_[at] < 0) {
        by_class_[at] = table_.intern(std::string(mnemonic_of(op, style_.kepler())));
    }
    return static_cast<std::uint16_t>(by_class_[at]);
}

std::uint16_t Mnemonics::of_access(const AccessSite& site) {
    const std::size_t at = access_slot(site);
    if (site.sub_word_bytes > 0) {
        return table_.intern(access_name(style_, site));
    }
    if (by_access_.at(at) < 0) {
        by_access_.at(at) = table_.intern(access_name(style_, site));
    }
    return static_cast<std::uint16_t>(by_access_[at]);
}

std::uint16_t Mnemonics::of_zeroing() {
    return table_.intern(style_.kepler() ? "MOV" : "CS2R");
}

}  // namespace gpumodel
