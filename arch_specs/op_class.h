// Opcode classes: the granularity at which a spec states pipe, throughput and latency, and at which
// the kernel programs count warp instructions. One class holds all mnemonics that the hardware runs
// on the same pipe at the same rate (CUDA programming guide, arithmetic throughput table).
//
// What the rest of the program has to know of a class is its row in `op_classes`; pipe, lanes and latency are
// the architecture's and stand in the specs (sm.ops.<class>). Nothing else decides by class with a fallback:
// where several classes are treated alike, code asks for the row's group, and switches over groups have no
// default. A new class is an enumerator and a row here, its opcodes in traces/sass/opcodes/opcode_table.cpp,
// and its timing in the specs of the generations that have it.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "base/enum_table.h"

namespace gpumodel {

enum class OpClass : unsigned char {
    ffma,
    fadd,
    fmul,
    dfma,
    hfma,
    iadd,
    imad,
    imad_wide,
    logic,
    shift,
    mov,
    compare,
    convert,
    sfu,
    shuffle,
    special_register,
    shared_load,
    shared_store,
    global_load,
    global_store,
    async_copy,
    barrier,
    branch,
    // Warp-level matrix products, by shape and what they accumulate in; the digits are M, N and K.
    hmma_884_f16,
    hmma_884_f32,
    hmma_1688_f16,
    hmma_1688_f32,
    hmma_16816_f16,
    hmma_16816_f32,
    hmma_1684_tf32,
    hmma_1688_tf32,
    imma_8816,
    imma_16816,
    imma_16832,
    dmma_884,
    dmma_1684,
    dmma_1688,
    dmma_16816,
    group_mma,  // of a warp group
    uniform,
};

// How the parts of an SM treat a class.
enum class OpGroup : unsigned char {
    fp32,
    fp64_fp16,
    integer,
    move,
    special,  // results come after a varying time, through the scoreboard
    shuffle,  // crosses lanes in the data pipe
    shared_load,
    shared_store,
    global_load,
    global_store,
    async_copy,
    barrier,
    branch,
    tensor,
};

// Where the code generator puts the instructions that a segment counts.
enum class Placement : unsigned char {
    spread,      // evenly over the segment, as address and index arithmetic
    structural,  // by the segment's products, sites, barriers and loops
};

struct OpClassRow {
    OpClass op;
    std::string_view name;  // as written in the specs
    OpGroup group;
    Placement placement;
    // What generated code calls it: Volta and later, Kepler (empty = the same). Memory instructions get
    // their modifiers from the access.
    std::string_view mnemonic;
    std::string_view kepler_mnemonic;
};

inline constexpr auto op_classes = std::to_array<OpClassRow>({
    // FFMA; FADD; FMUL
    {OpClass::ffma, "ffma", OpGroup::fp32, Placement::structural, "FFMA", ""},
    {OpClass::fadd, "fadd", OpGroup::fp32, Placement::spread, "FADD", ""},
    {OpClass::fmul, "fmul", OpGroup::fp32, Placement::structural, "FMUL", ""},
    // DFMA, DADD, DMUL; packed HFMA2
    {OpClass::dfma, "dfma", OpGroup::fp64_fp16, Placement::spread, "DFMA", ""},
    {OpClass::hfma, "hfma", OpGroup::fp64_fp16, Placement::spread, "HFMA2", ""},
    // IADD3, LEA, IMNMX; IMAD, IMAD.MOV; IMAD.WIDE
    {OpClass::iadd, "iadd", OpGroup::integer, Placement::spread, "IADD3", "IADD"},
    {OpClass::imad, "imad", OpGroup::integer, Placement::spread, "IMAD", ""},
    {OpClass::imad_wide, "imad_wide", OpGroup::integer, Placement::spread, "IMAD.WIDE", ""},
    // LOP3; SHF, SHL, SHR; MOV, CS2R; ISETP, FSETP
    {OpClass::logic, "logic", OpGroup::integer, Placement::spread, "LOP3.LUT", "LOP"},
    {OpClass::shift, "shift", OpGroup::integer, Placement::spread, "SHF.L.U32", "SHL"},
    {OpClass::mov, "mov", OpGroup::move, Placement::spread, "MOV", ""},
    {OpClass::compare, "compare", OpGroup::integer, Placement::spread, "ISETP.NE.AND", ""},
    // F2I, I2F, F2F between 32-bit types; MUFU; SHFL; S2R
    {OpClass::convert, "convert", OpGroup::special, Placement::spread, "I2F", ""},
    {OpClass::sfu, "sfu", OpGroup::special, Placement::spread, "MUFU.RCP", ""},
    {OpClass::shuffle, "shuffle", OpGroup::shuffle, Placement::spread, "SHFL.IDX", ""},
    {OpClass::special_register, "special_register", OpGroup::special, Placement::spread, "S2R", ""},
    // LDS; STS; LDG; STG; LDGSTS
    {OpClass::shared_load, "shared_load", OpGroup::shared_load, Placement::structural, "LDS", ""},
    {OpClass::shared_store, "shared_store", OpGroup::shared_store, Placement::structural, "STS", ""},
    {OpClass::global_load, "global_load", OpGroup::global_load, Placement::structural, "LDG.E", "LD.E"},
    {OpClass::global_store, "global_store", OpGroup::global_store, Placement::structural, "STG.E", "ST.E"},
    {OpClass::async_copy, "async_copy", OpGroup::async_copy, Placement::structural, "LDGSTS.E", ""},
    // BAR.SYNC; BRA, EXIT
    {OpClass::barrier, "barrier", OpGroup::barrier, Placement::structural, "BAR.SYNC", ""},
    {OpClass::branch, "branch", OpGroup::branch, Placement::structural, "BRA", ""},
    // HMMA.884 is one step of a quad pair's product (sm_70). Integers by their registers: IMMA.8816.S8,
    // 8832.S4
    // and BMMA.88128; IMMA.16816.S8, 16832.S4 and BMMA.168128; IMMA.16832.S8, 16864.S4 and BMMA.168256
    {OpClass::hmma_884_f16, "hmma_884_f16", OpGroup::tensor, Placement::structural, "HMMA.884.F16.F16", ""},
    {OpClass::hmma_884_f32, "hmma_884_f32", OpGroup::tensor, Placement::structural, "HMMA.884.F32.F32", ""},
    {OpClass::hmma_1688_f16, "hmma_1688_f16", OpGroup::tensor, Placement::structural, "HMMA.1688.F16", ""},
    {OpClass::hmma_1688_f32, "hmma_1688_f32", OpGroup::tensor, Placement::structural, "HMMA.1688.F32", ""},
    {OpClass::hmma_16816_f16, "hmma_16816_f16", OpGroup::tensor, Placement::structural, "HMMA.16816.F16", ""},
    {OpClass::hmma_16816_f32, "hmma_16816_f32", OpGroup::tensor, Placement::structural, "HMMA.16816.F32", ""},
    {OpClass::hmma_1684_tf32, "hmma_1684_tf32", OpGroup::tensor, Placement::structural, "HMMA.1684.F32.TF32",
     ""},
    {OpClass::hmma_1688_tf32, "hmma_1688_tf32", OpGroup::tensor, Placement::structural, "HMMA.1688.F32.TF32",
     ""},
    {OpClass::imma_8816, "imma_8816", OpGroup::tensor, Placement::structural, "IMMA.8816.S8.S8", ""},
    {OpClass::imma_16816, "imma_16816", OpGroup::tensor, Placement::structural, "IMMA.16816.S8.S8", ""},
    {OpClass::imma_16832, "imma_16832", OpGroup::tensor, Placement::structural, "IMMA.16832.S8.S8", ""},
    {OpClass::dmma_884, "dmma_884", OpGroup::tensor, Placement::structural, "DMMA.8x8x4", ""},
    {OpClass::dmma_1684, "dmma_1684", OpGroup::tensor, Placement::structural, "DMMA.16x8x4", ""},
    {OpClass::dmma_1688, "dmma_1688", OpGroup::tensor, Placement::structural, "DMMA.16x8x8", ""},
    {OpClass::dmma_16816, "dmma_16816", OpGroup::tensor, Placement::structural, "DMMA.16x8x16", ""},
    // HGMMA, IGMMA, QGMMA, BGMMA: throughput of eight columns of the result, latency from the end of the
    // products to the end of a wait for them
    {OpClass::group_mma, "group_mma", OpGroup::tensor, Placement::structural, "HGMMA.64x64x16.F32", ""},
    // the uniform datapath (UIADD3, ULEA ...; Turing and later)
    {OpClass::uniform, "uniform", OpGroup::integer, Placement::spread, "UIADD3", ""},
});

inline constexpr std::size_t op_class_count = op_classes.size();

[[nodiscard]] constexpr const OpClassRow& row_of(OpClass op) {
    return op_classes[static_cast<std::size_t>(op)];
}
[[nodiscard]] constexpr OpGroup group_of(OpClass op) {
    return row_of(op).group;
}
[[nodiscard]] constexpr std::string_view to_string(OpClass op) {
    return row_of(op).name;
}

// In enum order.
inline constexpr auto op_class_names = [] {
    std::array<std::string_view, op_class_count> names;
    for (std::size_t i = 0; i < op_class_count; ++i) {
        names[i] = op_classes[i].name;
    }
    return names;
}();

static_assert(rows_in_order(op_classes, &OpClassRow::op), "every opcode class has its row, in enum order");

// Execution pipes of an SM, named as Nsight Compute names them.
enum class Pipe : unsigned char { fma, alu, fp64, xu, lsu, uniform, control, tensor };
inline constexpr auto pipe_names =
    enum_words<Pipe>("fma", "alu", "fp64", "xu", "lsu", "uniform", "control", "tensor");
inline constexpr std::size_t pipe_count = pipe_names.size();

[[nodiscard]] constexpr std::string_view to_string(Pipe pipe) {
    return pipe_names[static_cast<std::size_t>(pipe)];
}

}  // namespace gpumodel
