#include "traces/emulate/translate/memory_translation.h"

#include <algorithm>

#include "traces/emulate/operations/lane_operations.h"
#include "traces/emulate/operations/memory_operations.h"
#include "traces/sass/opcodes/matrix_operands.h"

namespace gpumodel::emulate {

namespace {

SassOperand register_operand(OperandKind kind, int index) {
    SassOperand operand;
    operand.kind = kind;
    operand.index = index;
    return operand;
}

bool is_long(SassSpace space) {
    return space == SassSpace::global || space == SassSpace::generic;
}

Handler reporter(SassSpace space) {
    switch (space) {
        case SassSpace::shared:
            return &report_shared;
        case SassSpace::local:
            return &report_local;
        case SassSpace::generic:
            return &report_generic;
        case SassSpace::global:
        case SassSpace::constant:
        case SassSpace::none:
            break;
    }
    return &report_global;
}

}  // namespace

// The k-th address among the sources.
const SassOperand* address_operand(const Translator& t, std::size_t k) {
    for (std::size_t i = 0; i < t.value_count(); ++i) {
        if (t.value_operand(i).kind == OperandKind::memory && k-- == 0) {
            return &t.value_operand(i);
        }
    }
    return nullptr;
}

// The sources behind the address.
std::size_t first_data(const Translator& t) {
    for (std::size_t i = 0; i < t.value_count(); ++i) {
        if (t.value_operand(i).kind == OperandKind::memory) {
            return i + 1;
        }
    }
    return t.value_count();
}

std::uint16_t base_slot(const Translator& t, const SassOperand& address, int part) {
    if (address.base == sass_no_register || (part > 0 && !address.wide_address)) {
        return zero_slot;
    }
    return t.register_slot(register_operand(OperandKind::reg, address.base), part);
}

std::uint16_t uniform_slot(const Translator& t, const SassOperand& address, int part) {
    if (address.uniform == sass_no_register) {
        return zero_slot;
    }
    return t.register_slot(register_operand(OperandKind::uniform_reg, address.uniform), part);
}

// A uniform register in a 64-bit address is a pair.
void set_address(const Translator& t, MicroOp& op, const SassOperand& address, SassSpace space) {
    op.from[0] = base_slot(t, address, 0);
    op.from[2] = uniform_slot(t, address, 0);
    if (is_long(space)) {
        op.from[1] = base_slot(t, address, 1);
        op.from[3] = uniform_slot(t, address, 1);
    }
}

// The access without its report; empty if there is no address.
std::optional<Memory> begin_access(Translator& t) {
    const auto& effect = *t.in().effect;
    const auto* address = address_operand(t, effect.direction == SassDirection::copy ? 1 : 0);
    if (address == nullptr) {
        t.unsupported("has no address");
        return std::nullopt;
    }
    Access access;
    access.instruction = t.instruction();
    const bool generic = t.kepler() && effect.space == SassSpace::global && t.in().opcode != "LDG" &&
                         t.has_generic_addresses();
    access.space = generic ? SassSpace::generic : effect.space;
    access.kind = access_kind(effect.direction);
    access.bytes = effect.bytes;
    if (t.in().opcode == "LDSM" || t.in().opcode == "STSM") {
        constexpr int rows_per_matrix = 8;
        access.lanes = all_lanes >> (lane_count - rows_per_matrix * matrix_count(t.in()));
    }
    access.sign_extended = t.has("S8") || t.has("S16");
    access.one_per_bank = t.in().opcode == "ATOMS" && t.has("SPIN");
    access.offset = address->value;
    access.scale = static_cast<std::uint32_t>(address->scale);
    if (const auto* shared = address_operand(t, 0); effect.direction == SassDirection::copy) {
        access.shared_offset = shared->value;
        access.shared_scale = static_cast<std::uint32_t>(shared->scale);
    }
    return Memory{address, access.space, t.add_access(access), std::max(1, effect.bytes / 4)};
}

std::optional<Memory> report_access(Translator& t) {
    const auto memory = begin_access(t);
    if (memory) {
        auto op = t.make(reporter(memory->space));
        set_address(t, op, *memory->address, memory->space);
        op.immediate = memory->access;
        op.always = op.reports = true;
        op.uniform = false;
        t.add(op);
    }
    return memory;
}

void keep_address(Translator& t, MicroOp& op, int words) {
    const int first = t.result(0);
    for (std::size_t k = 0; words > 1 && k < 4; ++k) {
        if (op.from[k] < first || op.from[k] >= first + words) {
            continue;
        }
        auto copy = t.make([](Warp& warp, const MicroOp& self, u32 mask) {
            assign(to(warp, self), from(warp, self, 0), mask);
        });
        copy.from[0] = op.from[k];
        copy.to[0] = op.from[k] = t.temporary();
        t.add(copy);
    }
}

MicroOp data_op(const Translator& t, const Memory& memory, Handler run) {
    auto op = t.make(run);
    op.uniform = false;
    set_address(t, op, *memory.address, memory.space);
    op.immediate = memory.access;
    return op;
}

}  // namespace gpumodel::emulate
