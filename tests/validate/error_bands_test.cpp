// Error bands: their definition on made-up errors, and the committed file.
#include "validate/accuracy/error_bands.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "tests/support/temporary_folder.h"

namespace gpumodel {
namespace {

struct Data {
    std::vector<Measurement> measured;
    Comparison comparison;

    // Call with all rows of a comparison before add_errors: it keeps pointers.
    void add_rows(const std::string& family, Split split, std::size_t count) {
        Measurement m;
        m.family = family;
        m.m = m.n = m.k = 1024;
        m.time_us = 1;
        m.split = split;
        measured.insert(measured.end(), count, m);
    }
    void add_errors(const std::vector<double>& errors) {
        for (std::size_t i = 0; i < errors.size(); ++i) {
            ComparedLaunch l;
            l.measured = &measured.at(i);
            l.model = ModelKind::simulate;
            l.error = errors[i];
            comparison.launches.push_back(l);
        }
    }
};

}  // namespace

TEST_CASE("a band is the ceil(0.9 (n + 1))-th smallest error", "[unit][bands]") {
    for (const std::size_t n : {5U, 9U, 10U, 19U, 29U, 100U}) {
        Data data;
        data.add_rows("naive", Split::calibration, n);
        std::vector<double> errors;
        for (std::size_t i = 1; i <= n; ++i) {
            errors.push_back((i % 2 == 0 ? 1 : -1) * 0.01 * static_cast<double>(i));
        }
        data.add_errors(errors);
        const auto bands = make_error_bands(data.comparison, data.measured, "sm_90");
        const auto rank =
            std::min(n, static_cast<std::size_t>(std::ceil(0.9 * static_cast<double>(n + 1) - 1e-9)));
        INFO("n = " << n);
        CHECK(error_band(bands, "sm_90", "simulate", "naive", {2048, 2048, 2048}).value() ==
              Approx(static_cast<double>(rank)));
    }
}

TEST_CASE("9 of 10 further launches fall inside a band", "[property][bands]") {
    std::mt19937 random(1);
    std::normal_distribution<double> error(0.02, 0.05);
    std::size_t inside = 0;
    std::size_t all = 0;
    for (int repeat = 0; repeat < 400; ++repeat) {
        Data data;
        data.add_rows("naive", Split::calibration, 19);
        std::vector<double> errors(19);
        for (auto& e : errors) {
            e = error(random);
        }
        data.add_errors(errors);
        const auto bands = make_error_bands(data.comparison, data.measured, "sm_90");
        const double band = bands.begin()->second.pct;
        for (int i = 0; i < 25; ++i) {
            inside += 100 * std::abs(error(random)) <= band ? 1U : 0U;
            ++all;
        }
    }
    CHECK(static_cast<double>(inside) / static_cast<double>(all) == Approx(0.9).margin(0.015));
}

TEST_CASE("nothing of the test half reaches a band", "[unit][bands]") {
    Data data;
    data.add_rows("naive", Split::calibration, 10);
    data.add_rows("naive", Split::test, 10);
    std::vector<double> errors(10, 0.01);
    errors.insert(errors.end(), 10, 5.0);
    data.add_errors(errors);
    const auto bands = make_error_bands(data.comparison, data.measured, "sm_90");
    REQUIRE(bands.size() == 1);
    CHECK(bands.begin()->second.pct == Approx(1));
    CHECK(bands.begin()->second.launches == 10);
}

TEST_CASE("measured, but not in the calibration half: the band of all families, each weighted alike",
          "[unit][bands]") {
    Data data;
    data.add_rows("naive", Split::calibration, 100);
    data.add_rows("warptile", Split::calibration, 10);
    data.add_rows("coalesced", Split::calibration, 10);
    data.add_rows("smem", Split::test, 1);
    std::vector<double> errors(100, 0.01);
    errors.insert(errors.end(), 10, 0.2);
    errors.insert(errors.end(), 10, 0.01);
    data.add_errors(errors);
    const auto bands = make_error_bands(data.comparison, data.measured, "sm_90");
    const ProblemShape shape{1024, 1024, 1024};
    CHECK(error_band(bands, "sm_90", "simulate", "naive", shape).value() == Approx(1));
    // a third of the weight is at 20 %
    CHECK(error_band(bands, "sm_90", "simulate", "smem", shape).value() == Approx(20));
    CHECK(bands.at({"sm_90", "simulate", "smem", SizeClass::large}).basis == BandBasis::all_families);
}

TEST_CASE("elements that are not of 16 bits have bands of their own", "[unit][bands]") {
    const ArchSpec arch = load_arch("h200_sxm");
    const auto band_of_type = [&arch](const ErrorBands& bands, const std::string& type) {
        Prediction p;
        p.model = "simulate";
        p.kernel = "mma_async";
        p.params = "BM=128;TYPE=" + type + ";ACC=f32";
        p.m = p.n = p.k = 1024;
        return error_band(bands, arch, p);
    };
    const std::int64_t tf32 = param_value("TYPE", "tf32").value();
    Data data;
    data.add_rows("mma_async", Split::calibration, 20);
    for (std::size_t i = 0; i < 10; ++i) {
        data.measured[i].params = {{"TYPE", param_value("TYPE", "bf16").value()}};
        data.measured[10 + i].params = {{"TYPE", tf32}};
    }
    std::vector<double> errors(10, 0.01);
    errors.insert(errors.end(), 10, 0.2);
    data.add_errors(errors);
    const auto bands = make_error_bands(data.comparison, data.measured, "sm_90");
    CHECK(band_of_type(bands, "f16").value() == Approx(1));
    CHECK(band_of_type(bands, "bf16").value() == Approx(1));
    CHECK(band_of_type(bands, "tf32").value() == Approx(20));
    CHECK_FALSE(band_of_type(bands, "int8"));
}

TEST_CASE("blocks of a cluster have bands of their own", "[unit][bands]") {
    const ArchSpec arch = load_arch("h200_sxm");
    Data data;
    data.add_rows("wgmma_warp_specialized", Split::calibration, 20);
    for (std::size_t i = 0; i < 10; ++i) {
        data.measured[i].params = {{"TYPE", 0}, {"CLUSTER", 1}};
        data.measured[10 + i].params = {{"TYPE", 0}, {"CLUSTER", 2}};
    }
    std::vector<double> errors(10, 0.01);
    errors.insert(errors.end(), 10, 0.2);
    data.add_errors(errors);
    const auto bands = make_error_bands(data.comparison, data.measured, "sm_90");
    const auto band_of_params = [&](const std::string& params) {
        Prediction p;
        p.model = "simulate";
        p.kernel = "wgmma_warp_specialized";
        p.params = params;
        p.m = p.n = p.k = 1024;
        return error_band(bands, arch, p);
    };
    CHECK(band_of_params("TYPE=f16").value() == Approx(1));
    CHECK(band_of_params("TYPE=bf16;CLUSTER=1").value() == Approx(1));
    CHECK(band_of_params("TYPE=f16;CLUSTER=2").value() == Approx(20));
    CHECK_FALSE(band_of_params("TYPE=f16;CLUSTER=4"));
    CHECK_FALSE(band_of_params("TYPE=tf32;CLUSTER=2"));
}

TEST_CASE("not measured is no band", "[unit][bands]") {
    Data data;
    data.add_rows("naive", Split::calibration, 10);
    data.add_errors(std::vector<double>(10, 0.01));
    const auto bands = make_error_bands(data.comparison, data.measured, "sm_90");
    const ProblemShape shape{1024, 1024, 1024};
    CHECK(error_band(bands, "sm_90", "simulate", "naive", shape));
    CHECK_FALSE(error_band(bands, "sm_70", "simulate", "naive", shape));            // another generation
    CHECK_FALSE(error_band(bands, "sm_90", "analytic", "naive", shape));            // another model
    CHECK_FALSE(error_band(bands, "sm_90", "simulate", "warptile", shape));         // another family
    CHECK_FALSE(error_band(bands, "sm_90", "simulate", "naive", {256, 256, 256}));  // another size
    CHECK_FALSE(error_band(bands, "sm_90", "simulate", "naive", {64, 64, 64}));
}

TEST_CASE("bands are read as they are written", "[unit][bands]") {
    ErrorBands bands;
    bands[{"sm_90", "simulate", "naive", SizeClass::large}] = {4.5, 12, BandBasis::family};
    bands[{"sm_90", "analytic", "sass", SizeClass::any}] = {31, 8, BandBasis::all_families};
    const TemporaryFile file(error_bands_csv(bands));
    const auto again = read_error_bands(file.path());
    CHECK(error_bands_csv(again) == error_bands_csv(bands));
    CHECK(again.size() == 2);
}

TEST_CASE("a damaged file of bands is refused with all its faults", "[unit][bands]") {
    const TemporaryFile file(
        "generation,model,family,size,band_pct,launches,basis\n"
        "sm_90,simulate,naive,huge,1,5,family\nsm_90,simulate,naive,any,-1,5,family\n"
        "sm_90,simulate,naive,any,1,5,family\n");
    try {
        static_cast<void>(read_error_bands(file.path()));
        FAIL("no exception");
    } catch (const InputError& error) {
        CHECK(error.diagnostics().size() == 3);  // size, number, twice
    }
}

TEST_CASE("the committed bands are found beside the specs and say something", "[spec][bands]") {
    const auto bands = load_error_bands();
    CHECK(!bands.empty());
    for (const auto& [key, band] : bands) {
        INFO(key.generation << " " << key.model << " " << key.family);
        CHECK(band.pct > 0);
        CHECK(band.pct < 200);
        CHECK(band.launches >= 5);
    }
}

}  // namespace gpumodel
