// Quantities as written in the specs: a number, a space, a unit ("1530 MHz", "96 KiB", "19 cycles").
// Decimal prefixes are powers of ten (GB/s = 1e9 B/s), binary ones powers of two (KiB = 1024 B). Numbers
// without a unit are allowed only for counts and ratios, so that a unit cannot be forgotten.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gpumodel {

// What a number measures. A parsed number is in the base unit named here.
enum class Dimension : unsigned char {
    count,              // bare
    ratio,              // bare, or %
    frequency,          // Hz
    bytes,              // B
    cycles,             // SM clock cycles
    seconds,            // s
    bytes_per_second,   // B/s
    bytes_per_cycle,    // B/clk
    flops,              // FLOP/s
    bits,               // bit
    bits_per_second,    // b/s
    lanes_per_cycle,    // lanes/clk
    threads_per_cycle,  // threads/clk
    blocks_per_cycle,   // blocks/clk
    reads_per_cycle,    // reads/clk
    lines_per_cycle,    // lines/clk
    watts,              // W
    joules,             // J
};

struct ParsedQuantity {
    std::optional<double> value;  // base units; finite
    std::string fault;            // set when value is empty: what is wrong and which units are allowed
};

// Decimal text is scaled in decimal, so "1.53 GHz" and "1530 MHz" give the same double. Surrounding
// spaces are ignored; the space before the unit may be left out. No infinities, NaNs or hex numbers.
[[nodiscard]] ParsedQuantity parse_quantity(std::string_view text, Dimension dimension);

// The text with the fewest significant digits that parse_quantity reads back as exactly this value, in
// the unit that leaves 1 to 1000 in front where several do.
[[nodiscard]] std::string print_quantity(double value, Dimension dimension);

// "Hz, kHz, MHz, GHz"; "none" for counts.
[[nodiscard]] std::string allowed_units(Dimension dimension);

// "Hz", "B", "cycles" ...: the unit of parsed numbers; "" for counts and ratios.
[[nodiscard]] std::string base_unit(Dimension dimension);

// `text` in quotes, shortened to 40 characters: how faults cite the input.
[[nodiscard]] std::string cite(std::string_view text);

}  // namespace gpumodel
