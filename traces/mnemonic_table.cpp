#include <algorithm>
#include <stdexcept>

#include "traces/instruction.h"

namespace gpumodel {

std::uint16_t MnemonicTable::intern(const std::string& mnemonic) {
    const auto found = std::find(names_.begin(), names_.end(), mnemonic);
    if (found != names_.end()) {
        return static_cast<std::uint16_t>(found - names_.begin());
    }
    if (names_.size() > UINT16_MAX) {
        throw std::length_error("more than 65536 mnemonics");
    }
    names_.push_back(mnemonic);
    return static_cast<std::uint16_t>(names_.size() - 1);
}

}  // namespace gpumodel
