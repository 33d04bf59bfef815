#include "tools/views/memory/bank_drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>

namespace gpumodel::cli::page {
namespace {

constexpr int lanes = 32;
constexpr int drawn_wavefronts = 12;
constexpr double left = 50;
constexpr double cell = 12;
constexpr double wire_top = 34;
constexpr double wire_bottom = 92;
constexpr double row_height = 15;

// A word with the pass over the banks that serves it: the words of one bank go one after the other, phases
// too.
struct Served {
    BankWord word;
    int wavefront = 0;
};

std::vector<Served> serve(const std::vector<BankWord>& words, int& wavefronts) {
    std::vector<Served> served;
    int phase = -1;
    int phase_start = 0;
    std::map<int, int> used;  // passes of each bank in this phase
    wavefronts = 0;
    for (const auto& word : words) {
        if (word.phase != phase) {
            phase = word.phase;
            phase_start = wavefronts;
            used.clear();
        }
        const int wavefront = phase_start + used[word.bank]++;
        wavefronts = std::max(wavefronts, wavefront + 1);
        served.push_back({word, wavefront});
    }
    return served;
}

// Neighbouring wavefronts differ; 7 (yellow) is too pale for wires.
int colour_of(int wavefront) {
    static constexpr std::array colours{1, 2, 3, 4, 6, 5, 8};
    return colours.at(static_cast<std::size_t>(wavefront) % colours.size());
}

std::string lane_list(std::uint32_t mask) {
    std::string text;
    for (int lane = 0; lane < lanes; ++lane) {
        if (((mask >> static_cast<unsigned>(lane)) & 1U) != 0) {
            text += fmt::format("{}{}", text.empty() ? "" : ", ", lane);
        }
    }
    return text;
}

class Drawing {
public:
    Drawing(const std::string& title, int banks, int wavefronts)
        : bank_cell_(lanes * cell / banks),
          svg_(left + lanes * cell + 2, height(wavefronts), title, fmt::format("{} wavefronts", wavefronts)) {
    }

    void lane_row(const std::array<int, lanes>& first_wavefront) {
        svg_.text({left - 6, wire_top - 4}, "lanes", "dim small", chart::Anchor::end);
        for (int lane = 0; lane < lanes; ++lane) {
            const int wavefront = first_wavefront.at(static_cast<std::size_t>(lane));
            const double x = left + lane * cell;
            svg_.rect({x, wire_top - 13}, cell - 1, 12,
                      wavefront < 0 ? "track" : fmt::format("c{}", colour_of(wavefront)),
                      wavefront < 0 ? fmt::format("lane {}: idle", lane)
                                    : fmt::format("lane {}, wavefront {}", lane, wavefront + 1));
            if (lane % 4 == 0) {
                svg_.text({x + cell / 2 - 0.5, wire_top - 17}, fmt::format("{}", lane), "dim small",
                          chart::Anchor::middle);
            }
        }
    }

    void wires(const Served& served) {
        for (int lane = 0; lane < lanes; ++lane) {
            if (((served.word.lanes >> static_cast<unsigned>(lane)) & 1U) != 0) {
                svg_.line({left + (lane + 0.5) * cell, wire_top}, {bank_x(served.word.bank), wire_bottom},
                          fmt::format("wire s{}", colour_of(served.wavefront)));
            }
        }
    }

    void bank_cell(const Served& served) {
        if (served.wavefront >= drawn_wavefronts) {
            return;
        }
        const double y = wire_bottom + 2 + served.wavefront * row_height;
        const bool shared = std::popcount(served.word.lanes) > 1;
        svg_.rect({left + served.word.bank * bank_cell_, y}, bank_cell_ - 1, row_height - 2,
                  fmt::format("c{}", colour_of(served.wavefront)),
                  fmt::format("bank {}, wavefront {}: lane{} {}", served.word.bank, served.wavefront + 1,
                              shared ? "s" : "", lane_list(served.word.lanes)));
    }

    void rows(int wavefronts, int banks) {
        const int shown = std::min(wavefronts, drawn_wavefronts);
        for (int row = 0; row < shown; ++row) {
            const double y = wire_bottom + 2 + row * row_height;
            svg_.rect({left, y}, lanes * cell - 1, row_height - 2, "track");
            svg_.text({left - 6, y + 10}, fmt::format("pass {}", row + 1), "dim small", chart::Anchor::end);
        }
        const double y = wire_bottom + 14 + shown * row_height;
        svg_.text({left - 6, y}, "banks", "dim small", chart::Anchor::end);
        for (int bank = 0; bank < banks; bank += banks / 8) {
            svg_.text({bank_x(bank), y}, fmt::format("{}", bank), "dim small", chart::Anchor::middle);
        }
        if (wavefronts > shown) {
            svg_.text({left + lanes * cell, y + 14}, fmt::format("and {} more passes", wavefronts - shown),
                      "dim small", chart::Anchor::end);
        }
    }

    [[nodiscard]] std::string str(chart::Embedding embedding) const { return svg_.str(embedding); }

private:
    static double height(int wavefronts) {
        return wire_bottom + 22 + std::min(wavefronts, drawn_wavefronts) * row_height +
               (wavefronts > drawn_wavefronts ? 14 : 0);
    }
    [[nodiscard]] double bank_x(int bank) const { return left + (bank + 0.5) * bank_cell_; }

    double bank_cell_;
    chart::Svg svg_;
};

}  // namespace

std::string bank_drawing(const std::string& title, const std::vector<BankWord>& words, int banks,
                         chart::Embedding embedding) {
    int wavefronts = 0;
    const auto served = serve(words, wavefronts);
    std::array<int, lanes> first{};
    first.fill(-1);
    for (const auto& item : served) {
        for (int lane = 0; lane < lanes; ++lane) {
            auto& wavefront = first.at(static_cast<std::size_t>(lane));
            if (((item.word.lanes >> static_cast<unsigned>(lane)) & 1U) != 0 && wavefront < 0) {
                wavefront = item.wavefront;
            }
        }
    }
    Drawing drawing(title, banks, wavefronts);
    for (const auto& item : served) {
        drawing.wires(item);
    }
    drawing.lane_row(first);
    drawing.rows(wavefronts, banks);
    for (const auto& item : served) {
        drawing.bank_cell(item);
    }
    return drawing.str(embedding);
}

}  // namespace gpumodel::cli::page
