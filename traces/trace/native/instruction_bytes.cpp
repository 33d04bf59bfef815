#include "traces/trace/native/instruction_bytes.h"

namespace gpumodel {

namespace {

constexpr std::int64_t last_register = 255;  // RZ is left out, so 254; uniform registers are fewer
constexpr std::int64_t max_site = 1 << 20;

void write_register(ByteWriter& out, const RegisterUse& use) {
    out.u8(static_cast<unsigned>(use.kind) | (use.reuse ? 0x80U : 0U));
    out.u8(use.width);
    out.integer(use.index);
    out.integer(use.slot);
}

RegisterUse read_register(ByteReader& in) {
    RegisterUse use;
    const auto kind = in.u8();
    if ((kind & 0x7f) > static_cast<unsigned>(RegisterKind::condition_code)) {
        in.fail("unknown kind of register");
    }
    use.kind = static_cast<RegisterKind>(kind & 0x7f);
    use.reuse = (kind & 0x80) != 0;
    use.width = in.u8();
    use.index = static_cast<std::int16_t>(in.integer_in(-1, last_register, "register number"));
    use.slot = static_cast<std::int8_t>(in.integer_in(-1, 3, "operand slot"));
    if (use.width > 16 || use.index + use.width > last_register + 1) {
        in.fail("a range of registers beyond R255");
    }
    return use;
}

void write_control(ByteWriter& out, const IssueControl& control) {
    out.u8((control.known ? 1U : 0U) | (control.gives_way ? 2U : 0U) | (control.dual_issue ? 4U : 0U) |
           (control.texture_wait ? 8U : 0U));
    out.u8(control.stall);
    out.integer(control.write_barrier);
    out.integer(control.read_barrier);
    out.u8(control.wait_mask);
}

IssueControl read_control(ByteReader& in) {
    IssueControl control;
    const auto flags = in.count(15, "control flags");
    control.known = (flags & 1) != 0;
    control.gives_way = (flags & 2) != 0;
    control.dual_issue = (flags & 4) != 0;
    control.texture_wait = (flags & 8) != 0;
    control.stall = in.u8();
    control.write_barrier = static_cast<std::int8_t>(in.integer_in(-1, 7, "write barrier"));
    control.read_barrier = static_cast<std::int8_t>(in.integer_in(-1, 7, "read barrier"));
    control.wait_mask = in.u8();
    return control;
}

}  // namespace

void write_instruction(ByteWriter& out, const Instruction& instruction) {
    const bool memory = instruction.access_bytes > 0;
    const bool guarded = instruction.guard.kind != RegisterKind::none;
    out.u8(static_cast<unsigned>(instruction.op));
    out.number(instruction.mnemonic);
    out.number(instruction.address);
    out.u8(instruction.result_count);
    out.u8(instruction.source_count);
    out.u8((memory ? 1U : 0U) | (guarded ? 2U : 0U) | (instruction.guard_negated ? 4U : 0U));
    for (std::size_t i = 0; i < instruction.result_count; ++i) {
        write_register(out, instruction.results.at(i));
    }
    for (std::size_t i = 0; i < instruction.source_count; ++i) {
        write_register(out, instruction.sources.at(i));
    }
    if (guarded) {
        write_register(out, instruction.guard);
    }
    write_control(out, instruction.control);
    if (memory) {
        out.u8(instruction.access_bytes);
        out.u8(static_cast<unsigned>(instruction.access_kind));
        out.u8(static_cast<unsigned>(instruction.space));
        out.integer(instruction.site);
        out.integer(instruction.word);
    }
}

Instruction read_instruction(ByteReader& in, std::size_t mnemonics) {
    Instruction instruction;
    instruction.op = in.one_of(OpClass::uniform, "opcode class");
    if (mnemonics == 0) {
        in.fail("an instruction without a table of mnemonics");
    }
    instruction.mnemonic = static_cast<std::uint16_t>(in.count(mnemonics - 1, "mnemonic"));
    instruction.address = static_cast<std::uint32_t>(in.count(UINT32_MAX, "address"));
    instruction.result_count =
        static_cast<std::uint8_t>(in.count(instruction.results.size(), "number of results"));
    instruction.source_count =
        static_cast<std::uint8_t>(in.count(instruction.sources.size(), "number of sources"));
    const auto flags = in.count(7, "instruction flags");
    instruction.guard_negated = (flags & 4) != 0;
    for (std::size_t i = 0; i < instruction.result_count; ++i) {
        instruction.results[i] = read_register(in);
    }
    for (std::size_t i = 0; i < instruction.source_count; ++i) {
        instruction.sources[i] = read_register(in);
    }
    if ((flags & 2) != 0) {
        instruction.guard = read_register(in);
    }
    instruction.control = read_control(in);
    if ((flags & 1) != 0) {
        instruction.access_bytes = static_cast<std::uint8_t>(in.count(16, "bytes per lane"));
        instruction.access_kind = in.one_of(AccessKind::atomic, "access kind");
        instruction.space = in.one_of(MemorySpace::local, "memory space");
        instruction.site = static_cast<std::int32_t>(in.integer_in(-1, max_site, "site"));
        instruction.word = static_cast<std::int32_t>(in.integer_in(0, max_site, "word"));
    }
    return instruction;
}

}  // namespace gpumodel
