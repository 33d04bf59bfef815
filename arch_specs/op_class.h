// Opcode classes: the granularity at which a spec states pipe, throughput and latency, and at which
// the kernel programs count warp instructions. One class holds all mnemonics that the hardware runs
// on the same pipe at the same rate (CUDA programming guide, arithmetic throughput table).
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace gpumodel {

enum class OpClass : unsigned char {
    ffma,              // FFMA
    fadd,              // FADD
    fmul,              // FMUL
    dfma,              // DFMA, DADD, DMUL
    hfma,              // HFMA2, packed
    iadd,              // IADD3, LEA, IMNMX
    imad,              // IMAD, IMAD.MOV
    imad_wide,         // IMAD.WIDE
    logic,             // LOP3
    shift,             // SHF, SHL, SHR
    mov,               // MOV, CS2R
    compare,           // ISETP, FSETP
    convert,           // F2I, I2F, F2F between 32-bit types
    sfu,               // MUFU
    shuffle,           // SHFL
    special_register,  // S2R
    shared_load,       // LDS
    shared_store,      // STS
    global_load,       // LDG (LD.E on Kepler)
    global_store,      // STG (ST.E on Kepler)
    async_copy,        // LDGSTS
    barrier,           // BAR.SYNC
    branch,            // BRA, EXIT
    uniform,           // uniform datapath (UIADD3, ULEA ...); Turing and later
};

inline constexpr std::size_t op_class_count = 24;

// Names as written in the specs, in enum order.
inline constexpr std::array<std::string_view, op_class_count> op_class_names{
    "ffma",        "fadd",         "fmul",        "dfma",
    "hfma",        "iadd",         "imad",        "imad_wide",
    "logic",       "shift",        "mov",         "compare",
    "convert",     "sfu",          "shuffle",     "special_register",
    "shared_load", "shared_store", "global_load", "global_store",
    "async_copy",  "barrier",      "branch",      "uniform"};

[[nodiscard]] constexpr std::string_view to_string(OpClass op) {
    return op_class_names[static_cast<std::size_t>(op)];
}

// Execution pipes of an SM, named as Nsight Compute names them.
enum class Pipe : unsigned char { fma, alu, fp64, xu, lsu, uniform, control };
inline constexpr std::size_t pipe_count = 7;
inline constexpr std::array<std::string_view, pipe_count> pipe_names{"fma", "alu",     "fp64",   "xu",
                                                                     "lsu", "uniform", "control"};

[[nodiscard]] constexpr std::string_view to_string(Pipe pipe) {
    return pipe_names[static_cast<std::size_t>(pipe)];
}

}  // namespace gpumodel
