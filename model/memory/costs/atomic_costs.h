// What an atomic operation of a warp costs where it is done.
//
//   global   in the L2's slice that has the line, sector by sector:
//              n * max(pass, n > 1 ? same_word : 0),   n = lanes on the sector's word that most lanes name,
//            and `line` for each line of the request
//            pass is compare_pass for compare-and-swap on several words, and at least fp64_word for each word
//            of FP64 additions (H200 microbenchmarks, `estimated` for every other generation). Requests of
//            all SMs for one slice follow each other: a launch takes at least the cycles of all its sectors /
//            slices at work. On their way there the n of a line take as long as stores of its sectors, of at
//            least l2.access_size where several words of a sector are named (h200_sxm_slice_work.csv: sectors
//            anywhere of 2, 4 and 8 words, 71, 67 and 59 of their n a nanosecond, whatever the type; 103 of
//            one word, 74 stores). What comes back takes the way back besides.
//            Floating-point additions on one sector wait for one another, same_word_float each; the slice
//            does others meanwhile (h200_sxm_slice_work.csv: 1 to 32 lanes on each word, words anywhere: 1.5
//            to 1.6 cycles a lane whatever the type).
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
    // SM cycles of a slice: a sector of which each word is named once; the same of compare-and-swap; of each
    // word of FP64 additions (two words of a sector take no longer than one, four twice as long); each lane
    // on the same word. How long floating-point additions on one sector take one after another, whether of
    // one request or of several.
    double pass = 1.15, compare_pass = 2.35, fp64_word = 0.58, same_word = 1.45, same_word_float = 3.47;
    // Each line of a request besides: one lane on one of 1 to 8 words takes 1.51 cycles, 32 on the words of a
    // line 4.96 (h200_sxm_hot_words.csv, h200_sxm_atomics.csv).
    double line = 0.36;
    // Of the way back, n times for each sector: sectors anywhere come back at 75 a nanosecond where 103 are
    // added to without (grouped_atom and mixed_cas: loads between them take nothing of it).
    double returned = 2;

    // Of one sector in its slice; `lanes` name its busiest one of `words`.
    [[nodiscard]] double sector_cycles(AtomicForm form, int lanes, int words) const;
    // Of a request's sectors, in ascending order.
    [[nodiscard]] double request_cycles(AtomicForm form, const std::vector<AtomicSector>& sectors) const;
    // The same line by line.
    struct OfLine {
        std::int64_t line = 0;  // address / 128
        double cycles = 0;      // of its slice
        int sectors = 0;
        int passes = 0;        // n, of all its sectors
        int most_passes = 0;   // of the sector that has most
        bool several = false;  // some sector's words
        [[nodiscard]] double sent_bytes(std::int64_t access_size) const;
    };
    [[nodiscard]] std::vector<OfLine> by_line(AtomicForm form,
                                              const std::vector<AtomicSector>& sectors) const;
    // What an addition waits longer for one right before it, of another request, on its sector.
    [[nodiscard]] double behind_another(AtomicForm form) const;
    // Of each lane's on one sector; 0 where they do not wait for one another.
    [[nodiscard]] double one_after_another(AtomicForm form) const;
    // Slices that the operations on so many lines, one behind the other, keep at work: measured for 1, 4, 8,
    // 32, 64, 2048 (58 at 4.64 cycles a line, 62 at 4.96) and any number (103 lanes a nanosecond anywhere in
    // L2, 1.51 cycles each); for 128, 256, 512 as many of 77 as requests keep of 85 at work by counters
    // (crowded_slices.h); between them in proportion on logarithmic scales. An integer only where one slice
    // has all.
    [[nodiscard]] static double slices_at_work(double lines);
};

[[nodiscard]] std::vector<AtomicSector> atomic_sectors(const WarpAccess& access);

// Wavefronts of a shared-memory operation whose banks alone need `wavefronts`.
[[nodiscard]] int atomic_wavefronts(AtomicForm form, const WarpAccess& access, int wavefronts);

}  // namespace gpumodel
