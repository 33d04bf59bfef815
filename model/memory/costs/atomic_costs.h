// What an atomic operation of a warp costs where it is done.
//
//   global   in the L2's slice that has the line, sector by sector:
//              n * max(pass, n > 1 ? same_word : 0),   n = lanes on the sector's word that most lanes name,
//            and `line` for each line of the request
//            pass is compare_pass for compare-and-swap and for FP64 additions on several words, at least
//            returned_pass where old values go back and sectors lie anywhere, same_word is same_word_float
//            for floating-point additions (AtomicCosts: H200
//            microbenchmarks, `estimated` for every other generation). Requests of all SMs for one slice
//            follow each other: a launch takes at least the cycles of all its sectors / slices at work.
//   shared   max(bank passes, n), twice that for compare-and-swap; counting (POPC.INC) and CAST.SPIN, which
//            stores for one lane of a word and tells the others so, take the bank passes alone. Measured on
//            the H200: 31.7 cycles for 32 lanes on one word, 15.8 for two words, 63.9 for compare-and-swap,
//            on one word and on 32 words of a bank (validate/data/h200_sxm_atomics.csv, shared_atom_i32,
//            shared_cas_i32 and shared_sum_f32 of the calibration half: 95.6, 95.7, 95.9, 96.4 cycles for a
//            trip of the loop with 32, 16, 8, 2 lanes on a word); `estimated` for other generations.
//
// Ignored: what results cost on their way back: two cycles per lane and SM.
#pragma once

#include <cstdint>
#include <vector>

#include "model/memory/warp_access.h"
#include "traces/kernel_program.h"

namespace gpumodel {

enum class AtomicForm : unsigned char { none, integer, floating, fp64, compare, one_pass };
// By the site's kind and its name, which begins with the instruction's.
[[nodiscard]] AtomicForm atomic_form(const AccessSite& site);

struct AtomicSector {
    std::int64_t sector = 0;  // address / 32
    int lanes = 0;            // on its busiest word
    int words = 0;
};

struct AtomicCosts {
    // SM cycles of a slice: a sector of which each word is named once; the same of compare-and-swap and FP64
    // additions; each lane on the same word; the same of floating-point additions, also where they come with
    // different requests, on the same sector.
    double pass = 1.15, compare_pass = 2.35, same_word = 1.45, same_word_float = 3.47;
    // Each line of a request besides: one lane on one of 1 to 8 words takes 1.51 cycles, 32 on the words of a
    // line 4.96 (h200_sxm_hot_words.csv, h200_sxm_atomics.csv).
    double line = 0.36;
    // Sectors anywhere in L2: 103 a nanosecond without old values, 77 with them (h200_sxm_random_words.csv).
    double returned_pass = 1.85;

    // Of one sector in its slice; `lanes` name its busiest one of `words`.
    [[nodiscard]] double sector_cycles(AtomicForm form, int lanes, int words) const;
    // Of a request's sectors, in ascending order.
    [[nodiscard]] double request_cycles(AtomicForm form, const std::vector<AtomicSector>& sectors) const;
    // What an addition waits longer for one before it, of another request, on its sector.
    [[nodiscard]] double behind_another(AtomicForm form) const;
    // Slices that the operations on so many lines, one behind the other, keep at work: measured for 1, 4, 8,
    // 32, 64, 2048 (58 at 4.64 cycles a line, 62 at 4.96) and any number (103 lanes a nanosecond anywhere in
    // L2, 1.51 cycles each), between them in proportion on logarithmic scales. An integer only where one
    // slice has all.
    [[nodiscard]] static double slices_at_work(double lines);
};

[[nodiscard]] std::vector<AtomicSector> atomic_sectors(const WarpAccess& access);

// Wavefronts of a shared-memory operation whose banks alone need `wavefronts`.
[[nodiscard]] int atomic_wavefronts(AtomicForm form, const WarpAccess& access, int wavefronts);

}  // namespace gpumodel
