#include "validate/accuracy/error_statistics.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace gpumodel {

ErrorStatistics error_statistics(const std::string& name, const std::vector<double>& errors) {
    ErrorStatistics s;
    s.name = name;
    s.launches = errors.size();
    if (errors.empty()) {
        return s;
    }
    std::vector<double> magnitudes;
    for (const double error : errors) {
        magnitudes.push_back(std::abs(error));
        s.mape_pct += std::abs(error);
        s.bias_pct += error;
    }
    std::sort(magnitudes.begin(), magnitudes.end());
    const auto count = static_cast<double>(magnitudes.size());
    s.mape_pct *= 100 / count;
    s.bias_pct *= 100 / count;
    const auto half = magnitudes.size() / 2;
    s.median_pct =
        magnitudes.size() % 2 == 1 ? 100 * magnitudes[half] : 50 * (magnitudes[half - 1] + magnitudes[half]);
    s.p90_pct = 100 * magnitudes[(9 * magnitudes.size() + 9) / 10 - 1];
    return s;
}

std::optional<double> kendall_tau(const std::vector<TimePair>& pairs) {
    double agree = 0;
    double predicted_differs = 0;
    double measured_differs = 0;
    const auto sign = [](double a, double b) { return a < b ? -1 : a > b ? 1 : 0; };
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            const int p = sign(pairs[i].predicted, pairs[j].predicted);
            const int m = sign(pairs[i].measured, pairs[j].measured);
            agree += p * m;
            predicted_differs += p * p;
            measured_differs += m * m;
        }
    }
    const double scale = std::sqrt(predicted_differs * measured_differs);
    return scale > 0 ? std::optional(agree / scale) : std::nullopt;
}

double regret(const std::vector<TimePair>& pairs, std::size_t top) {
    auto order = pairs;
    std::stable_sort(order.begin(), order.end(),
                     [](const TimePair& a, const TimePair& b) { return a.predicted < b.predicted; });
    const auto faster = [](const TimePair& a, const TimePair& b) { return a.measured < b.measured; };
    const auto end = order.begin() + static_cast<std::ptrdiff_t>(std::min(top, order.size()));
    return std::min_element(order.begin(), end, faster)->measured /
               std::min_element(order.begin(), order.end(), faster)->measured -
           1;
}

std::optional<double> slope_per_doubling(const std::vector<SizedError>& errors) {
    struct Means {
        double size = 0, error = 0, count = 0;
    };
    std::map<std::size_t, Means> means;
    for (const auto& e : errors) {
        auto& m = means[e.instance];
        m.count += 1;
        m.size += (e.log2_size - m.size) / m.count;
        m.error += (e.error - m.error) / m.count;
    }
    double square = 0;
    double product = 0;
    for (const auto& e : errors) {
        const auto& m = means[e.instance];
        square += (e.log2_size - m.size) * (e.log2_size - m.size);
        product += (e.log2_size - m.size) * (e.error - m.error);
    }
    return square > 0 ? std::optional(product / square) : std::nullopt;
}

}  // namespace gpumodel
