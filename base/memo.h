// What a pure function gave before, by key. Thread-safe; holds so much at most, then begins anew.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>

namespace gpumodel {

// Values side by side as they lie in memory, as (part of) a key.
template <class... Values>
[[nodiscard]] std::string bytes_of(const Values&... values) {
    static_assert(((std::is_arithmetic_v<Values> || std::is_enum_v<Values>)&&...), "no padding");
    std::string key;
    (key.append(reinterpret_cast<const char*>(&values), sizeof(values)), ...);
    return key;
}

template <class Value>
class Memo {
public:
    // `most`: in the unit of add's `weight`.
    explicit Memo(std::size_t most) : most_(most) {}

    [[nodiscard]] std::shared_ptr<const Value> find(const std::string& key) const {
        const std::lock_guard lock(mutex_);
        const auto found = known_.find(key);
        return found == known_.end() ? nullptr : found->second;
    }

    void add(const std::string& key, Value value, std::size_t weight) {
        auto shared = std::make_shared<const Value>(std::move(value));
        const std::lock_guard lock(mutex_);
        if (held_ + weight > most_) {
            known_.clear();
            held_ = 0;
        }
        held_ += known_.emplace(key, std::move(shared)).second ? weight : 0;
    }

private:
    mutable std::mutex mutex_;
    std::unordered_map<std::string, std::shared_ptr<const Value>> known_;
    std::size_t most_;
    std::size_t held_ = 0;
};

}  // namespace gpumodel
