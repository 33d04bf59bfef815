// Memory instructions: one micro-operation that reports the access, and one per word of data for those cases
// in which the data matters.
#include "traces/emulate/operations/lane_operations.h"
#include "traces/emulate/operations/memory_operations.h"
#include "traces/emulate/translate/memory_translation.h"
#include "traces/emulate/translate/translator.h"

namespace gpumodel::emulate {

namespace {

void translate_load(Translator& t) {
    const auto memory = report_access(t);
    if (!memory) {
        return;
    }
    const bool generic = memory->space == SassSpace::generic;
    auto op = data_op(t, *memory,
                      generic                              ? &load_generic
                      : memory->space == SassSpace::shared ? &load_shared
                      : memory->space == SassSpace::local  ? &load_local
                                                           : &load_global);
    op.reads_shared = generic || memory->space == SassSpace::shared;
    op.reads_local = generic || memory->space == SassSpace::local;
    op.reads_global = generic || memory->space == SassSpace::global;
    keep_address(t, op, memory->words);
    for (int word = 0; word < memory->words; ++word) {
        op.option = static_cast<u32>(word);
        op.to[0] = t.result(word);
        t.add(op);
    }
}

void translate_store(Translator& t) {
    const auto memory = report_access(t);
    const bool generic = memory && memory->space == SassSpace::generic;
    for (int word = 0; memory && word < memory->words; ++word) {
        auto op = data_op(t, *memory,
                          generic                              ? &store_generic
                          : memory->space == SassSpace::shared ? &store_shared
                          : memory->space == SassSpace::local  ? &store_local
                                                               : &store_global);
        op.from[4] = t.raw_value(first_data(t), word);
        op.writes_shared = generic || memory->space == SassSpace::shared;
        op.writes_local = generic || memory->space == SassSpace::local;
        op.writes_global = generic || memory->space == SassSpace::global;
        op.option = static_cast<u32>(word);
        t.add(op);
    }
}

void translate_ldgsts(Translator& t) {
    const auto memory = begin_access(t);
    if (!memory) {
        return;
    }
    const auto* shared = address_operand(t, 0);
    auto op = t.make(&report_copy);
    set_address(t, op, *memory->address, SassSpace::global);
    op.from[4] = base_slot(t, *shared, 0);
    op.from[5] = uniform_slot(t, *shared, 0);
    op.immediate = memory->access;
    op.always = op.reports = true;
    t.add(op);
    op.run = &copy_shared;
    op.always = op.reports = false;
    op.writes_shared = op.reads_global = true;
    t.add(op);
}

void translate_qspc(Translator& t) {
    const auto* address = address_operand(t, 0);
    if (address == nullptr || (!t.has("S") && !t.has("D") && !t.has("L") && !t.has("G"))) {
        t.unsupported("is not emulated");
        return;
    }
    auto whole = *address;
    whole.wide_address = whole.wide_address || t.has("E");
    Access access;
    access.instruction = t.instruction();
    access.offset = address->value;
    auto op = t.make(&query_space);
    set_address(t, op, whole, SassSpace::generic);
    op.immediate = t.add_access(access);
    // .D: shared memory of any block of the cluster, which the block's own is part of (PTX ISA, isspacep)
    op.option = static_cast<u32>(t.has("S") || t.has("D") ? SassSpace::shared
                                 : t.has("L")             ? SassSpace::local
                                                          : SassSpace::global);
    op.predicate_to[0] = t.predicate_result(0);
    t.add(op);
}

void translate_ldslk(Translator& t) {
    if (const auto memory = report_access(t)) {
        auto op = data_op(t, *memory, &load_and_lock);
        op.reads_shared = op.writes_shared = op.always = true;
        op.to[0] = t.result();
        op.predicate_to[0] = t.predicate_result(0);
        t.add(op);
    }
}

void translate_stscul(Translator& t) {
    if (const auto memory = report_access(t)) {
        auto op = data_op(t, *memory, &store_and_unlock);
        op.writes_shared = op.always = true;
        op.from[4] = t.raw_value(first_data(t), 0);
        op.predicate_to[0] = t.predicate_result(0);
        t.add(op);
    }
}

}  // namespace

const std::vector<OpcodeEntry>& memory_opcodes() {
    static const std::vector<OpcodeEntry> entries{
        {"LDG", translate_load},    {"LD", translate_load},       {"LDS", translate_load},
        {"LDL", translate_load},    {"STG", translate_store},     {"ST", translate_store},
        {"STS", translate_store},   {"STL", translate_store},     {"LDGSTS", translate_ldgsts},
        {"LDSLK", translate_ldslk}, {"STSCUL", translate_stscul}, {"QSPC", translate_qspc},
    };
    return entries;
}

}  // namespace gpumodel::emulate
