// Opcode names and meanings: "CUDA Binary Utilities", instruction set reference (Kepler to Blackwell).
// Which pipe runs an opcode without a class of its own: throughput table of the CUDA programming guide.
#include "traces/sass/opcodes/opcode_table.h"

#include <fmt/format.h>

namespace gpumodel {

namespace {

using C = OpClass;
using F = OperandForm;
using S = SassSpace;
using D = SassDirection;
constexpr auto any = OpcodeIsa::any;
constexpr auto kepler = OpcodeIsa::kepler;
constexpr auto maxwell = OpcodeIsa::maxwell;
constexpr auto early = OpcodeIsa::early;
constexpr auto late = OpcodeIsa::late;
constexpr auto volta = OpcodeIsa::volta;

constexpr OpcodeRow rows[] = {
    // FP32
    {"FFMA", any, C::ffma, F::one, S::none, D::none, 2},
    {"FFMA32I", early, C::ffma, F::one, S::none, D::none, 2},
    {"FADD", any, C::fadd, F::one, S::none, D::none, 1},
    {"FADD32I", early, C::fadd, F::one, S::none, D::none, 1},
    {"FMUL", any, C::fmul, F::one, S::none, D::none, 1},
    {"FMUL32I", early, C::fmul, F::one, S::none, D::none, 1},
    {"FMNMX", any, C::compare, F::one},
    {"FMNMX3", volta, C::compare, F::one_carry},
    {"FSEL", volta, C::compare, F::one},
    {"FSET", any, C::compare, F::one},
    {"FCMP", early, C::compare, F::one},
    {"FSETP", any, C::compare, F::predicates},
    {"FCHK", any, C::compare, F::predicate},
    {"FSWZADD", late, C::fadd, F::one},
    {"FSWZ", kepler, C::fadd, F::one},
    {"MUFU", any, C::sfu, F::one},
    {"RRO", early, C::convert, F::one},
    // FP64
    {"DFMA", any, C::dfma, F::fp64, S::none, D::none, 2},
    {"DADD", any, C::dfma, F::fp64, S::none, D::none, 1},
    {"DMUL", any, C::dfma, F::fp64, S::none, D::none, 1},
    {"DMNMX", early, C::dfma, F::fp64},
    {"DSETP", any, C::dfma, F::fp64_compare},
    // packed FP16
    {"HFMA2", late, C::hfma, F::one, S::none, D::none, 4},
    {"HADD2", late, C::hfma, F::one, S::none, D::none, 2},
    // a half as a float: at half the rate (H200, h200_sxm_op_pipes.csv)
    {"HADD2.F32", volta, C::imad, F::one, S::none, D::none, 1},
    {"HMUL2", late, C::hfma, F::one, S::none, D::none, 2},
    {"HMNMX2", volta, C::logic, F::one},  // on the ALU (H200, h200_sxm_op_pipes.csv)
    {"HSETP2", late, C::compare, F::predicates},
    {"HSET2", late, C::hfma, F::one},
    {"VHMNMX", volta, C::logic, F::one},
    // integer
    {"IADD3", late, C::iadd, F::one_carry},
    {"IADD", any, C::iadd, F::one},
    {"IADD.64", volta, C::iadd, F::pair_carry},
    {"IADD32I", early, C::iadd, F::one},
    {"ISUB", kepler, C::iadd, F::one},
    {"ISCADD", early, C::iadd, F::one},
    {"ISCADD32I", early, C::iadd, F::one},
    {"ISAD", kepler, C::iadd, F::one},
    {"LEA", late, C::iadd, F::one_carry},
    {"IMNMX", any, C::iadd, F::one},
    {"IMNMX.S64", volta, C::iadd, F::pair_carry},
    {"IMNMX.U64", volta, C::iadd, F::pair_carry},
    {"VIMNMX", volta, C::iadd, F::one_carry},
    // the compiler balances it and IADD3 between two pipes (H200, h200_sxm_op_pipes.csv)
    {"VIADD", volta, C::imad, F::one},
    {"VABSDIFF", volta, C::iadd, F::one},
    {"VABSDIFF4", volta, C::imad, F::one},  // with its sum on the multiplier's pipe
    {"VIADDMNMX", volta, C::iadd, F::one_carry},
    {"VIMNMX3", volta, C::iadd, F::one_carry},
    {"UIMNMX", volta, C::uniform, F::one},
    {"IABS", volta, C::iadd, F::one},
    {"IMAD", any, C::imad, F::one_carry},
    // 16 by 16 bits on the FP32 pipe at its rate, as additions (maxas' documentation)
    {"XMAD", maxwell, C::iadd, F::one},
    {"IMAD.WIDE", volta, C::imad_wide, F::wide},
    {"IMAD.HI", volta, C::imad_wide, F::high},
    {"IMUL", any, C::imad, F::one},
    {"IMUL32I", kepler, C::imad, F::one},
    {"IMAD32I", early, C::imad, F::one},
    {"IMADSP", kepler, C::imad, F::one},
    {"IDP", late, C::imad, F::one},
    {"IDP4A", volta, C::imad, F::one},
    {"ISETP", any, C::compare, F::predicates},
    {"ISETP.S64", volta, C::compare, F::fp64_compare},
    {"ISETP.U64", volta, C::compare, F::fp64_compare},
    {"ISET", early, C::compare, F::one},
    {"ICMP", early, C::compare, F::one},
    {"PSET", early, C::compare, F::one},
    {"CSET", early, C::compare, F::one},
    {"CSETP", early, C::compare, F::predicates},
    {"DSET", early, C::dfma, F::one},
    {"VMNMX", early, C::imad, F::one},
    // video instructions: 32 results per cycle, as multiplications
    {"VADD", early, C::imad, F::one},
    {"VADD2", kepler, C::imad, F::one},
    {"VADD4", kepler, C::imad, F::one},
    {"VABSDIFF", early, C::imad, F::one},
    {"VABSDIFF2", kepler, C::imad, F::one},
    {"VABSDIFF4", early, C::imad, F::one},
    {"VMNMX2", kepler, C::imad, F::one},
    {"VMNMX4", kepler, C::imad, F::one},
    {"VMAD", early, C::imad, F::one},
    {"VSET", early, C::imad, F::one},
    {"VSET2", kepler, C::imad, F::one},
    {"VSET4", kepler, C::imad, F::one},
    {"VSHL", early, C::imad, F::one},
    {"VSHR", early, C::imad, F::one},
    {"PSETP", any, C::compare, F::predicates},
    {"PLOP3", volta, C::compare, F::predicates},
    {"LOP3", late, C::logic, F::one_carry},
    {"LOP", any, C::logic, F::one_carry},
    {"LOP32I", any, C::logic, F::one},
    {"PRMT", any, C::logic, F::one},
    {"SEL", any, C::logic, F::one},
    {"SEL.64", volta, C::logic, F::fp64},
    {"SGXT", volta, C::logic, F::one},
    {"BMSK", volta, C::logic, F::one},
    {"SHF", any, C::shift, F::one},
    {"SHL", any, C::shift, F::one},
    {"SHR", any, C::shift, F::one},
    {"BFE", early, C::shift, F::one},
    {"BFI", early, C::shift, F::one},
    // bit counting runs on the quarter-rate pipe of the conversions
    {"FLO", any, C::convert, F::one},
    {"POPC", any, C::convert, F::one},
    {"BREV", volta, C::convert, F::one},
    {"F2I", any, C::convert, F::one},
    {"I2F", any, C::convert, F::one},
    // On the ALU: the compiler lets its result be used after a stall count, without a barrier as I2F's.
    {"I2FP", volta, C::logic, F::one},
    {"F2F", any, C::convert, F::one},
    {"F2FP", volta, C::logic, F::one},  // on the ALU (H200, h200_sxm_op_pipes.csv)
    {"I2I", any, C::convert, F::one},
    {"I2IP", volta, C::convert, F::one},
    {"F2IP", volta, C::convert, F::one},
    {"FRND", volta, C::convert, F::one},
    // moves
    {"MOV", any, C::mov, F::one},
    {"MOV.64", volta, C::mov, F::fp64},
    {"MOV32I", any, C::mov, F::one},
    {"CS2R", volta, C::mov, F::pair},
    {"CS2R", maxwell, C::mov, F::one},
    {"CS2R.32", volta, C::mov, F::one},
    {"P2R", any, C::mov, F::one},
    {"R2P", any, C::mov, F::none},
    {"LEPC", any, C::mov, F::pair},
    {"GETLMEMBASE", any, C::mov, F::pair},
    {"SETLMEMBASE", any, C::mov, F::none},
    {"SETCTAID", volta, C::mov, F::none},
    {"R2B", any, C::special_register, F::none},
    {"VOTE", any, C::compare, F::one_vote},
    {"MATCH", volta, C::convert, F::one_carry},
    {"SHFL", any, C::shuffle, F::one_carry},
    {"REDUX", volta, C::convert, F::one},  // 16 results per cycle, as they
    {"CREDUX", volta, C::convert, F::one},
    {"S2R", any, C::special_register, F::one},
    {"QSPC", volta, C::special_register, F::one_vote},
    {"B2R", any, C::special_register, F::one_vote},
    {"S2UR", volta, C::special_register, F::one},
    // uniform datapath (sm_75 and later)
    {"R2UR", volta, C::uniform, F::one_vote},
    {"CS2UR", volta, C::uniform, F::pair},
    {"CS2UR.32", volta, C::uniform, F::one},
    {"UMOV", volta, C::uniform, F::one},
    {"UMOV.64", volta, C::uniform, F::fp64},
    {"UIADD3", volta, C::uniform, F::one_carry},
    {"UIADD3.64", volta, C::uniform, F::pair_carry},
    {"UIMAD", volta, C::uniform, F::one_carry},
    {"UIMAD.WIDE", volta, C::uniform, F::wide},
    {"UIMAD.HI", volta, C::uniform, F::high},
    {"ULEA", volta, C::uniform, F::one_carry},
    {"ULOP3", volta, C::uniform, F::one_carry},
    {"USHF", volta, C::uniform, F::one},
    {"USEL", volta, C::uniform, F::one},
    {"USEL.64", volta, C::uniform, F::fp64},
    {"UPRMT", volta, C::uniform, F::one},
    {"USGXT", volta, C::uniform, F::one},
    {"UBMSK", volta, C::uniform, F::one},
    {"UBREV", volta, C::uniform, F::one},
    {"UFLO", volta, C::uniform, F::one},
    {"UPOPC", volta, C::uniform, F::one},
    {"UISETP", volta, C::uniform, F::predicates},
    {"UISETP.S64", volta, C::uniform, F::fp64_compare},
    {"UISETP.U64", volta, C::uniform, F::fp64_compare},
    {"UPLOP3", volta, C::uniform, F::predicates},
    {"UPSETP", volta, C::uniform, F::predicates},
    {"ULOP", volta, C::uniform, F::one},
    {"UCLEA", volta, C::uniform, F::one_carry},
    {"UP2UR", volta, C::uniform, F::one},
    {"UR2UP", volta, C::uniform, F::none},
    {"ELECT", volta, C::uniform, F::one_carry},  // one active lane
    {"VOTEU", volta, C::uniform, F::one_vote},
    {"UVIMNMX", volta, C::uniform, F::one_carry},
    {"UFADD", volta, C::uniform, F::one},
    {"UFMUL", volta, C::uniform, F::one},
    {"UFFMA", volta, C::uniform, F::one},
    {"UFMNMX", volta, C::uniform, F::one},
    {"UFSEL", volta, C::uniform, F::one},
    {"UFSETP", volta, C::uniform, F::predicates},
    {"UFRND", volta, C::uniform, F::one},
    {"UF2F", volta, C::uniform, F::one},
    {"UF2I", volta, C::uniform, F::one},
    {"UI2F", volta, C::uniform, F::one},
    {"UI2FP", volta, C::uniform, F::one},
    // constant bank; LDC has the latency of S2R, not of a move
    {"LDC", any, C::special_register, F::load, S::constant, D::load},
    {"ULDC", volta, C::uniform, F::load, S::constant, D::load},
    // of variable latency, unlike ULDC: its results are waited for by a scoreboard
    {"LDCU", volta, C::special_register, F::load, S::constant, D::load},
    // shared memory; atomics stand with the loads because they return a value
    {"LDS", any, C::shared_load, F::load, S::shared, D::load},
    {"STS", any, C::shared_store, F::store, S::shared, D::store},
    {"STAS", volta, C::shared_store, F::store, S::shared, D::store},  // of another block of the cluster
    // Kepler's shared atomics: a load that locks, a store that unlocks; each says whether it did
    {"LDSLK", kepler, C::shared_load, F::atomic, S::shared, D::load},
    {"STSCUL", kepler, C::shared_store, F::predicate, S::shared, D::store},
    {"ATOMS", late, C::shared_load, F::atomic, S::shared, D::atomic},
    {"LDSM", volta, C::shared_load, F::load_matrix, S::shared, D::load},
    {"STSM", volta, C::shared_store, F::store_matrix, S::shared, D::store},
    {"ARRIVES", volta, C::barrier, F::none, S::shared, D::atomic},
    {"SYNCS", volta, C::barrier, F::atomic, S::shared, D::atomic},
    // global, generic and local memory share the path of LDG and STG
    {"LDG", any, C::global_load, F::load, S::global, D::load},
    {"STG", late, C::global_store, F::store, S::global, D::store},
    {"LD", any, C::global_load, F::load, S::generic, D::load},
    {"ST", any, C::global_store, F::store, S::generic, D::store},
    {"LDL", any, C::global_load, F::load, S::local, D::load},
    {"STL", any, C::global_store, F::store, S::local, D::store},
    // Maxwell's code tells shared memory apart itself (ATOMS)
    {"ATOM", maxwell, C::global_load, F::atomic, S::global, D::atomic},
    {"ATOM", any, C::global_load, F::atomic, S::generic, D::atomic},
    {"ATOMG", volta, C::global_load, F::atomic, S::global, D::atomic},
    {"RED", any, C::global_store, F::store, S::global, D::atomic},
    {"REDG", volta, C::global_store, F::store, S::global, D::atomic},
    {"REDAS", volta, C::shared_store, F::store, S::shared, D::atomic},
    {"LDGMC", volta, C::global_load, F::load, S::global, D::load},
    // products of matrices: operations per lane, 2 M N K / 32; of integers none. HMMA.884: of one step.
    {"HMMA.884.F16.F16", volta, C::hmma_884_f16, F::matrix, S::none, D::none, 32},
    {"HMMA.884.F32.F32", volta, C::hmma_884_f32, F::matrix, S::none, D::none, 16},
    {"HMMA.1688.F16", volta, C::hmma_1688_f16, F::matrix, S::none, D::none, 64},
    {"HMMA.1688.F32", volta, C::hmma_1688_f32, F::matrix, S::none, D::none, 64},
    {"HMMA.1688.F32.BF16", volta, C::hmma_1688_f32, F::matrix, S::none, D::none, 64},
    {"HMMA.16816.F16", volta, C::hmma_16816_f16, F::matrix, S::none, D::none, 128},
    {"HMMA.16816.F32", volta, C::hmma_16816_f32, F::matrix, S::none, D::none, 128},
    {"HMMA.16816.F32.BF16", volta, C::hmma_16816_f32, F::matrix, S::none, D::none, 128},
    {"HMMA.1684.F32.TF32", volta, C::hmma_1684_tf32, F::matrix, S::none, D::none, 32},
    {"HMMA.1688.F32.TF32", volta, C::hmma_1688_tf32, F::matrix, S::none, D::none, 64},
    {"IMMA.8816", volta, C::imma_8816, F::matrix},
    {"IMMA.8832", volta, C::imma_8816, F::matrix},
    {"IMMA.16816", volta, C::imma_16816, F::matrix},
    {"IMMA.16832", volta, C::imma_16832, F::matrix},
    {"IMMA.16832.S4", volta, C::imma_16816, F::matrix},
    {"IMMA.16832.U4", volta, C::imma_16816, F::matrix},
    {"IMMA.16864", volta, C::imma_16832, F::matrix},
    {"BMMA.88128", volta, C::imma_8816, F::matrix},
    {"BMMA.168128", volta, C::imma_16816, F::matrix},
    {"BMMA.168256", volta, C::imma_16832, F::matrix},
    {"DMMA.884", volta, C::dmma_884, F::matrix, S::none, D::none, 16},
    {"DMMA.8x8x4", volta, C::dmma_884, F::matrix, S::none, D::none, 16},
    {"DMMA.16x8x4", volta, C::dmma_1684, F::matrix, S::none, D::none, 32},
    {"DMMA.16x8x8", volta, C::dmma_1688, F::matrix, S::none, D::none, 64},
    {"DMMA.16x8x16", volta, C::dmma_16816, F::matrix, S::none, D::none, 128},
    // of a warp group; operations by their shape (matrix_operands.h)
    {"HGMMA", volta, C::group_mma, F::group_matrix},
    {"IGMMA", volta, C::group_mma, F::group_matrix},
    {"QGMMA", volta, C::group_mma, F::group_matrix},
    {"BGMMA", volta, C::group_mma, F::group_matrix},
    {"MOVM", volta, C::shuffle, F::one},  // 8x8 transpose across the lanes, in the memory queue as SHFL
    // textures and surfaces (texture_operands.h)
    {"TEX", any, C::global_load, F::texture, S::global, D::load},
    {"TLD", any, C::global_load, F::texture, S::global, D::load},
    {"TLD4", any, C::global_load, F::texture, S::global, D::load},
    {"TXD", any, C::global_load, F::texture, S::global, D::load},
    {"TXQ", any, C::special_register, F::texture},
    {"TEXS", maxwell, C::global_load, F::texture_short, S::global, D::load},
    {"TLDS", maxwell, C::global_load, F::texture_short, S::global, D::load},
    {"TLD4S", maxwell, C::global_load, F::texture_short, S::global, D::load},
    {"SULD", late, C::global_load, F::load, S::global, D::load},
    {"SUST", late, C::global_store, F::store, S::global, D::store},
    {"SURED", late, C::global_store, F::store, S::global, D::atomic},
    {"SUATOM", late, C::global_load, F::load, S::global, D::atomic},
    {"LDGSTS", volta, C::async_copy, F::copy, S::global, D::copy},
    // bulk copies; those out of shared memory count as what they do to the other (opcode_effect.cpp)
    {"UBLKCP", volta, C::async_copy, F::copy, S::global, D::copy},
    {"UBLKRED", volta, C::global_store, F::copy, S::global, D::atomic},
    {"UTMALDG", volta, C::async_copy, F::copy, S::global, D::copy},
    {"UTMASTG", volta, C::global_store, F::copy, S::global, D::store},
    {"UTMACCTL", volta, C::branch, F::none},
    {"UTMACMDFLUSH", volta, C::branch, F::none},
    // synchronisation
    {"BAR", any, C::barrier, F::none},
    // control; everything that only steers the front end
    {"BRA", any, C::branch, F::jump},
    {"BRX", any, C::branch, F::none},
    {"BRXU", volta, C::branch, F::none},
    {"JMXU", volta, C::branch, F::none},
    {"JMP", any, C::branch, F::jump},
    {"JMX", any, C::branch, F::none},
    {"CAL", early, C::branch, F::jump},
    {"JCAL", early, C::branch, F::jump},
    {"CALL", volta, C::branch, F::jump},
    {"RET", any, C::branch, F::none},
    {"EXIT", any, C::branch, F::none},
    {"KILL", any, C::branch, F::none},
    {"SSY", early, C::branch, F::jump},
    {"PBK", early, C::branch, F::jump},
    {"PCNT", early, C::branch, F::jump},
    {"PRET", early, C::branch, F::jump},
    {"BRK", early, C::branch, F::none},
    {"CONT", early, C::branch, F::none},
    {"BSSY", volta, C::branch, F::jump},
    {"BSYNC", volta, C::branch, F::none},
    {"BMOV", volta, C::branch, F::none},
    {"BREAK", volta, C::branch, F::none},
    {"SYNC", maxwell, C::branch, F::none},
    {"WARPSYNC", volta, C::branch, F::none},
    {"YIELD", volta, C::branch, F::none},
    {"NANOSLEEP", volta, C::branch, F::none},
    {"NOP", any, C::branch, F::none},
    {"BPT", any, C::branch, F::none},
    {"MEMBAR", any, C::branch, F::none},
    {"ERRBAR", volta, C::branch, F::none},
    {"CCTL", any, C::branch, F::none},
    {"CCTLL", any, C::branch, F::none},
    {"CCTLT", any, C::branch, F::none},
    {"FENCE", volta, C::branch, F::none},
    {"CGAERRBAR", volta, C::branch, F::none},
    {"UCGABAR_ARV", volta, C::barrier, F::none},
    {"UCGABAR_WAIT", volta, C::barrier, F::none},
    {"ENDCOLLECTIVE", volta, C::branch, F::none},
    {"ACQBULK", volta, C::branch, F::none},
    {"PREEXIT", volta, C::branch, F::none},
    {"USETMAXREG", volta, C::branch, F::predicate},
    {"WARPGROUP", volta, C::branch, F::none},
    {"WARPGROUPSET", volta, C::branch, F::none},
    {"PMTRIG", any, C::branch, F::none},
    {"RPCMOV", volta, C::mov, F::one},
    {"RTT", any, C::branch, F::none},
    {"RAM", early, C::branch, F::none},
    {"SAM", early, C::branch, F::none},
    {"DEPBAR", any, C::branch, F::none},
    {"TEXDEPBAR", kepler, C::branch, F::none},
    {"LDGDEPBAR", volta, C::branch, F::none},
};

}  // namespace

std::string_view refusal_of(std::string_view opcode) {
    struct Row {
        std::string_view opcodes, reason;
    };
    static constexpr Row refused[] = {
        {" HMMA IMMA BMMA DMMA QMMA OMMA MXQMMA HGMMA IGMMA BGMMA QGMMA ",
         "is a matrix (tensor) instruction of a form that is not modelled"},
        {" TMML ", "asks for a texture's level of detail, which only graphics has"},
        {" SULDGA SUSTGA SUCLAMP SUBFM SUEAU SUQ ",
         "accesses a surface through Kepler's address unit, whose descriptors are not documented"},
        {" UTCHMMA UTCQMMA UTCOMMA UTCIMMA UTCMXQMMA UTCCP UTCSHIFT UTCBAR UTCATOMSWS UTCLDSWS UTCSTSWS "
         "LDTM STTM LDT STT ",
         "works on tensor memory (tcgen05), which is not modelled"},
        {" UBLKPF UTMAREDG UTMAPF ", "is a copy of a form that is not modelled"},
    };
    const auto name = fmt::format(" {} ", opcode);
    for (const auto& row : refused) {
        if (row.opcodes.find(name) != std::string_view::npos) {
            return row.reason;
        }
    }
    return "";
}

std::span<const OpcodeRow> opcode_rows() {
    return rows;
}

}  // namespace gpumodel
