// Port cycles of FFMA patterns whose cost was measured on an H200, and Kepler's published conflict rates.
#include <catch2/catch.hpp>

#include "traces/sass/analysis/register_ports.h"

using namespace gpumodel;

namespace {

RegisterFile two_banks() {
    RegisterFile file;
    file.banks = 2;
    file.bank_map = RegisterBankMap::modulo;
    file.reads_per_bank_per_cycle = 1;
    file.reuse_cache = true;
    return file;
}

RegisterFile kepler_banks() {
    RegisterFile file;
    file.banks = 4;
    file.bank_map = RegisterBankMap::kepler_quads;
    file.reads_per_bank_per_cycle = 2;
    return file;
}

PortReads reads(int a, int b, int c, bool reuse_a = false, bool reuse_b = false) {
    return {{a, b, c}, {reuse_a, reuse_b, false}};
}

double cycles(const std::vector<PortReads>& sequence, const RegisterFile& file = two_banks()) {
    return port_statistics(sequence, file).value().cycles_per_ffma;
}

}  // namespace

TEST_CASE("ports: measured patterns", "[sass][ports]") {
    CHECK(cycles({reads(0, 2, 1), reads(1, 3, 0)}) == Approx(1.5));  // 2+1 reads, alternating
    CHECK(cycles({reads(0, 2, 1), reads(4, 6, 3)}) == Approx(2.0));  // always the same bank double
    CHECK(cycles({reads(0, 2, 4)}) == Approx(3.0));                  // three on one bank
    CHECK(cycles({reads(0, 1, 3, true, true)}) == Approx(1.0));      // A and B reused
    CHECK(cycles({reads(0, 1, 2, true), reads(0, 3, 4, true)}) == Approx(1.0));
}

TEST_CASE("ports: free operands and repeated registers", "[sass][ports]") {
    CHECK(cycles({reads(0, -1, -1)}) == Approx(1.0));
    CHECK(cycles({reads(0, 0, 0)}) == Approx(1.0));  // one read
    CHECK(cycles({reads(0, 0, 2)}) == Approx(2.0));
    CHECK(cycles({reads(-1, -1, -1)}) == Approx(1.0));
}

// Zhang et al., PPoPP 2017, section 3.3 and figure 7: six FFMAs in four cycles, operands on different banks.
TEST_CASE("ports: pairs issue together", "[sass][ports]") {
    RegisterFile kepler;
    kepler.banks = 4;
    kepler.bank_map = RegisterBankMap::kepler_quads;
    kepler.reads_per_bank_per_cycle = 2;
    std::vector<PortReads> block{reads(150, 146, 26), reads(146, 150, 27), reads(146, 149, 6),
                                 reads(149, 147, 7),  reads(148, 147, 2),  reads(148, 146, 12)};
    CHECK(cycles(block, kepler) == Approx(1.0));
    block[1].paired = block[3].paired = true;
    CHECK(cycles(block, kepler) == Approx(4.0 / 6));
    // Two FFMAs with all six operands on one bank: three cycles of two reads, however they are marked.
    std::vector<PortReads> clash{reads(0, 2, 8), reads(10, 16, 18)};
    clash[0].paired = true;
    CHECK(cycles(clash, kepler) == Approx(1.5));
}

TEST_CASE("ports: reuse entries", "[sass][ports]") {
    // Four FFMAs share A; the last one's clear flag drops the entry, so that A is read once per trip.
    const std::vector<PortReads> row{reads(0, 1, 2, true), reads(0, 3, 4, true), reads(0, 5, 6, true),
                                     reads(0, 7, 8)};
    const auto statistics = port_statistics(row, two_banks()).value();
    CHECK(statistics.reuse_hits == std::array<int, 4>{1, 3, 0, 0});
    // reads per trip: bank 0: A and four C = 5, bank 1: four B
    CHECK(statistics.cycles_per_ffma == Approx(5.0 / 4));
    CHECK(statistics.same_bank == std::array<int, 4>{0, 3, 1, 0});
    // Entries belong to a slot: the same register in slot B does not hit.
    CHECK(port_statistics(std::vector<PortReads>{reads(0, 1, 3, true), reads(2, 0, 3)}, two_banks())
              .value()
              .reuse_hits == std::array<int, 4>{2, 0, 0, 0});
    // Entries are per bank: a read of the other bank in between leaves the entry alone.
    const std::vector<PortReads> other_bank{reads(0, 1, 3, true), reads(1, 2, 4), reads(0, 5, 7, true)};
    CHECK(port_statistics(other_bank, two_banks()).value().reuse_hits[1] == 2);
    // ... a read of the same bank with a clear flag drops it.
    const std::vector<PortReads> same_bank{reads(0, 1, 3, true), reads(2, 4, 5), reads(0, 5, 7)};
    CHECK(port_statistics(same_bank, two_banks()).value().reuse_hits[1] == 0);
}

TEST_CASE("ports: conflicts average out over neighbours", "[sass][ports]") {
    // Three reads on bank 0, then three on bank 1: both queues run side by side, three cycles for two FFMAs.
    CHECK(cycles({reads(0, 2, 4), reads(1, 3, 5)}) == Approx(1.5));
    // One FFMA with two reads on a bank among ones that leave the bank idle costs nothing.
    CHECK(cycles({reads(0, 2, 1), reads(1, -1, -1), reads(3, -1, -1)}) == Approx(1.0));
}

TEST_CASE("ports: Kepler's four banks", "[sass][ports]") {
    // bank = 2*((r div 4) mod 2) + r mod 2: 0, 2 and 8 share bank 0; 1 and 3 bank 1; 4 and 6 bank 2
    CHECK(bank_of(8, kepler_banks()) == 0);
    CHECK(bank_of(3, kepler_banks()) == 1);
    CHECK(bank_of(6, kepler_banks()) == 2);
    CHECK(bank_of(13, kepler_banks()) == 3);
    CHECK(cycles({reads(0, 1, 4)}, kepler_banks()) == Approx(1.0));
    CHECK(cycles({reads(0, 2, 4)}, kepler_banks()) == Approx(1.0));  // two-way conflicts are free
    CHECK(cycles({reads(0, 2, 8)}, kepler_banks()) == Approx(1.5));  // three-way: measured 1.35
    CHECK_FALSE(port_statistics(std::vector<PortReads>{reads(0, 1, 2)}, RegisterFile{}));
}
