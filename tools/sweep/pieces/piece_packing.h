// Pieces on their way between ranks, as CBOR.
#pragma once

#include <string>

#include "tools/sweep/pieces/piece.h"

namespace gpumodel::cli {

// unpacked(packed(r)) = r; throws for bytes that were cut.
[[nodiscard]] std::string packed(const PieceResult& result);
[[nodiscard]] PieceResult unpacked(const std::string& bytes);

}  // namespace gpumodel::cli
