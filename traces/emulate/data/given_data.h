// What an allocation holds before the launch: the bytes of a file, or a rule that gives every element.
//
//   @FILE            raw bytes, little endian; FILE.npy without its header (npy.h)
//   zeros            all bytes 0
//   iota[:TYPE]      element i is i (i32)
//   random[:SEED][:LO..HI][:TYPE]
//                    uniform: integers LO ... HI, both included (i32 where both ends are whole numbers), or
//                    floating-point numbers in [LO, HI) (f32); without a range f32 in [0, 1). The same SEED
//                    (0) gives the same elements.
// TYPE: i8 u8 i16 u16 i32 u32 i64 u64 f32 f64.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace gpumodel {

class GivenData {
public:
    GivenData() = default;
    GivenData(const GivenData&) = delete;
    GivenData& operator=(const GivenData&) = delete;
    virtual ~GivenData() = default;

    [[nodiscard]] virtual std::int64_t bytes() const = 0;
    // Bytes [offset, offset + count), all inside, count <= 8, as a little-endian number.
    [[nodiscard]] virtual std::uint64_t read(std::int64_t offset, int count) const = 0;
};

// "@FILE". Throws InputError: usage for a file that cannot be read, invalid input for an .npy that is no
// array of numbers in this machine's order.
[[nodiscard]] std::shared_ptr<const GivenData> given_file(const std::string& path);

struct GivenResult {
    std::shared_ptr<const GivenData> data;
    std::string fault;  // empty: none
};

// zeros, iota and random, for an allocation of so many bytes.
[[nodiscard]] GivenResult given_rule(std::string_view text, std::int64_t bytes);

}  // namespace gpumodel
