#include "traces/emulate/translate/known_modifiers.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "base/parse.h"

namespace gpumodel::emulate {

namespace {

struct ModifierRow {
    std::string_view opcodes, modifiers;  // separated by spaces
};

#define GPUMODEL_COMPARISONS "EQ NE LT LE GT GE EQU NEU LTU LEU GTU GEU NUM NAN F T AND OR XOR "
#define GPUMODEL_TYPES "U8 S8 U16 S16 U32 S32 U64 S64 F16 BF16 F32 F64 "
// How long and where data stay, who sees them when, and hints: nothing that changes a value.
#define GPUMODEL_CACHING                                                                                    \
    "E CONSTANT STRONG WEAK PRIVATE MMIO GPU SM SYS CTA VC EF EL EU LU NA LTC64B LTC128B LTC256B CA CG CI " \
    "CS CV WT P T U "

constexpr ModifierRow rows[] = {
    {"FADD FFMA FADD32I FMUL32I FFMA32I UFADD UFMUL UFFMA", "FTZ SAT RN RM RP RZ"},
    {"FMUL", "FTZ SAT RN RM RP RZ D2 D4 D8 M2 M4 M8"},
    {"FMNMX", "FTZ NAN XORSIGN"},
    {"FMNMX3 UFMNMX", "FTZ NAN"},
    {"FSETP FSET FCMP UFSETP", GPUMODEL_COMPARISONS "FTZ BF"},
    {"DSETP DSET", GPUMODEL_COMPARISONS "BF MIN MAX"},
    {"FSEL UFSEL DMNMX MOV32I IABS ISCADD ISCADD32I BREV UBREV POPC UPOPC BFI", ""},
    {"SEL USEL MOV UMOV", "64"},
    {"R2UR", "OR BROADCAST"},
    {"FCHK", "DIVIDE"},
    {"MUFU", "COS EX2 LG2 RCP RCP64H RSQ RSQ64H SIN SQRT TANH SAT"},
    {"RRO", "EX2 SINCOS"},
    {"DADD DMUL DFMA", "RN RM RP RZ"},
    {"HFMA2", "MMA BF16 BF16_V2 FTZ SAT RELU"},
    {"HADD2 HMUL2", "F32 BF16 BF16_V2 FTZ SAT"},
    {"HMNMX2", "BF16_V2 FTZ NAN XORSIGN"},
    {"VHMNMX", "BF16_V2 NAN"},
    {"HSETP2", GPUMODEL_COMPARISONS "BF16_V2 FTZ"},
    {"HSET2", GPUMODEL_COMPARISONS "BF16_V2 FTZ BF"},
    {"IADD3 UIADD3 IADD IADD32I ISUB", "X PO 64 RS LS"},
    {"VIADD", "16x2"},
    {"LEA ULEA", "HI SX32 X"},
    {"IMNMX UIMNMX", "U32 S32 U64 S64 XHI XLO"},
    {"VABSDIFF ISAD", "U32 S32 SD UD ACC"},
    {"VIADDMNMX VIMNMX UVIMNMX VIMNMX3", "U32 S32 U16x2 S16x2 RELU"},
    {"SGXT USGXT", "U32 S32 W"},
    {"BMSK UBMSK", "W"},
    {"IMAD UIMAD IMUL IMUL32I IMAD32I", "WIDE HI LO U32 S32 IADD MOV SHL X"},
    {"IDP IDP4A", "4A 2A LO HI U8 S8 U16 S16"},
    {"LOP3 ULOP3 PLOP3 UPLOP3", "LUT NZ"},
    {"LOP ULOP LOP32I", "AND OR XOR PASS_B NZ Z"},
    {"SHF USHF", "L R W HI U32 S32 U64 S64"},
    {"SHL SHR", "W U32 S32"},
    {"BFE", "U32 S32 BREV"},
    {"PRMT UPRMT", "IDX F4E B4E RC8 ECL ECR RC16"},
    {"FLO UFLO", "U32 S32 SH"},
    {"F2I UF2I", GPUMODEL_TYPES "CEIL FLOOR TRUNC ROUND FTZ NTZ"},
    {"I2F I2FP UI2F UI2FP", GPUMODEL_TYPES "RN RM RP RZ"},
    {"I2I", GPUMODEL_TYPES "SAT"},
    {"F2F FRND UF2F UFRND", "F16 BF16 F32 F64 CEIL FLOOR TRUNC ROUND PASS RN RM RP RZ FTZ SAT"},
    {"F2FP", "F16 BF16 F32 PACK_AB MERGE_C RELU RZ SATFINITE"},
    {"ISETP UISETP ISET ICMP", GPUMODEL_COMPARISONS "U32 S32 U64 S64 EX X BF"},
    {"PSETP", "AND OR XOR"},
    {"PSET", "AND OR XOR BF"},
    {"XMAD", "U16 S16 PSL MRG CLO CHI CBCC CSFU X"},
    {"P2R R2P", "PR B0 B1 B2 B3"},
    {"CS2R CS2UR", "32"},
    {"LDC ULDC LDCU", "U8 S8 U16 S16 32 64 128"},
    {"SHFL", "IDX UP DOWN BFLY"},
    {"VOTE VOTEU", "ALL ANY EQ"},
    {"MATCH", "ALL ANY U32 U64"},
    {"REDUX CREDUX", "SUM MIN MAX AND OR XOR S32 U32"},
    {"LD LDG LDS LDL ST STG STS STL", GPUMODEL_CACHING "U8 S8 U16 S16 32 64 128"},
    {"LDGSTS", GPUMODEL_CACHING "32 64 128 BYPASS ACCESS ZFILL"},
    {"LDSLK STSCUL", "32"},
    {"UBLKCP", "S G"},
    {"QSPC", "E S L G D"},
    {"TEX TLD TLD4 TXD TXQ TEXS TLDS TLD4S", "SCR B LL LZ NDV CL R G A P T"},
    {"SULD SUST SURED SUATOM", GPUMODEL_CACHING
     "D BA 1D 2D 3D 1D_ARRAY 2D_ARRAY TRAP IGN U8 S8 U16 S16 32 64 128 ADD MIN MAX INC DEC AND OR "
     "XOR U32 S32 U64 S64"},
    // device memory's values are unknown whatever is done to them
    {"ATOMG RED REDG", GPUMODEL_CACHING "ADD MIN MAX INC DEC AND OR XOR EXCH CAS CAST U32 S32 32 U64 S64 64 "
                                        "128 F16 F16x2 BF16_V2 BF16x2 F32 F64 FTZ RN "
                                        "F16x4 F16x8 BF16x4 BF16x8 F32x2 F32x4"},
    {"ATOM", GPUMODEL_CACHING
     "ADD MIN MAX INC DEC AND OR XOR EXCH CAS CAST SPIN U32 S32 32 U64 S64 64 128 F16 F16x2 BF16_V2 "
     "BF16x2 F32 F64 FTZ RN"},
    {"ATOMS",
     "ADD MIN MAX INC DEC AND OR XOR EXCH CAS CAST SPIN POPC ARRIVE U32 S32 32 U64 S64 64 F32 FTZ RN"},
};

#undef GPUMODEL_COMPARISONS
#undef GPUMODEL_TYPES
#undef GPUMODEL_CACHING

using Names = std::vector<std::string>;

const std::unordered_map<std::string, Names>& modifiers_by_opcode() {
    static const auto map = [] {
        std::unordered_map<std::string, Names> entries;
        for (const auto& row : rows) {
            const auto names = split(row.modifiers, ' ');
            for (const auto& opcode : split(row.opcodes, ' ')) {
                entries.emplace(opcode, Names(names.begin(), names.end()));
            }
        }
        return entries;
    }();
    return map;
}

}  // namespace

std::string unknown_modifier(const SassInstruction& instruction) {
    const auto found = modifiers_by_opcode().find(instruction.opcode);
    if (found == modifiers_by_opcode().end()) {
        return "";
    }
    for (const auto& modifier : instruction.modifiers) {
        const bool joins = modifier == "S";  // Kepler's jump to the open meeting, on any instruction
        if (!joins &&
            std::find(found->second.begin(), found->second.end(), modifier) == found->second.end()) {
            return modifier;
        }
    }
    return "";
}

}  // namespace gpumodel::emulate
