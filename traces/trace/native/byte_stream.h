// Values to and from bytes, as FORMAT.md writes them: little endian, variable-length integers (LEB128),
// signed ones folded to unsigned (0, -1, 1, -2 -> 0, 1, 2, 3).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace gpumodel {

class ByteWriter {
public:
    void u8(unsigned value) { bytes_.push_back(static_cast<char>(value)); }
    void flag(bool value) { u8(value ? 1 : 0); }
    void u32(std::uint32_t value);
    void number(std::uint64_t value);
    void integer(std::int64_t value);
    void real(double value);
    void text(std::string_view value);
    void raw(std::string_view value) { bytes_.append(value); }
    [[nodiscard]] const std::string& bytes() const { return bytes_; }
    [[nodiscard]] std::string take() { return std::exchange(bytes_, {}); }

private:
    std::string bytes_;
};

// What is wrong with the content of a section, and where in it.
struct ByteFault {
    std::size_t offset = 0;
    std::string message;
};

// Throws ByteFault.
class ByteReader {
public:
    explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}
    [[nodiscard]] bool at_end() const { return at_ == bytes_.size(); }
    [[nodiscard]] std::size_t left() const { return bytes_.size() - at_; }
    [[nodiscard]] std::size_t offset() const { return at_; }
    std::uint8_t u8();
    std::uint32_t u32();
    bool flag() { return count(1, "flag") != 0; }
    std::uint64_t number();
    std::int64_t integer();
    double real();  // finite
    std::string text();
    std::string_view raw(std::size_t size);
    // A number within [low, high]; `what` names it in the fault.
    std::int64_t integer_in(std::int64_t low, std::int64_t high, std::string_view what);
    std::uint64_t count(std::uint64_t high, std::string_view what);
    template <typename Enum>
    Enum one_of(Enum last, std::string_view what) {
        return static_cast<Enum>(count(static_cast<std::uint64_t>(last), what));
    }
    void expect_end() const;
    [[noreturn]] void fail(std::string message) const;

private:
    std::string_view bytes_;
    std::size_t at_ = 0;
};

}  // namespace gpumodel
