#include "tools/views/roofline/label_heights.h"

#include <algorithm>
#include <cstddef>

namespace gpumodel::cli {
namespace {

struct Stack {
    double mean = 0;    // of the wanted middles
    double middle = 0;  // within the column
    double count = 1;
};

}  // namespace

std::vector<double> label_heights(const std::vector<double>& wanted, double height, double top,
                                  double bottom) {
    const auto placed = [&](double mean, double count) {
        const double half = height * count / 2;
        return Stack{mean, std::max(std::min(mean, bottom - half), top + half), count};
    };
    std::vector<Stack> stacks;
    for (const double y : wanted) {
        stacks.push_back(placed(y, 1));
        while (stacks.size() > 1) {
            const auto below = stacks.back();
            const auto above = stacks[stacks.size() - 2];
            const double count = above.count + below.count;
            if (below.middle - above.middle >= height * count / 2) {
                break;
            }
            stacks.pop_back();
            stacks.back() = placed((above.count * above.mean + below.count * below.mean) / count, count);
        }
    }
    std::vector<double> heights;
    for (const auto& stack : stacks) {
        for (double i = 0; i < stack.count; ++i) {
            heights.push_back(stack.middle + height * (i + 0.5 - stack.count / 2));
        }
    }
    return heights;
}

}  // namespace gpumodel::cli
