// Walking through the combinations of candidates, and choosing a few that cover them all.
#include "kernels/combinations.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>

namespace tessera::inline v0::kernels {
namespace {

/// A partial set, and the rules that can be evaluated once a number of parameters is known.
class Walk {
 public:
  Walk(const Variant& variant, const Parameters& given, const Target& target,
       const std::function<void(const Parameters&)>& visit)
      : variant_(variant), given_(given), target_(target), visit_(visit) {
    rules_.resize(variant.parameters.size() + 1);
    for (const Rule& rule : variant.rules) rules_[needed_by(rule)].push_back(&rule);
  }

  void go(std::size_t known = 0) {
    const auto holds = [&](const Rule* rule) { return rule->holds(set_, target_); };
    if (!std::ranges::all_of(rules_[known], holds)) return;
    if (known == variant_.parameters.size()) {
      if (!exceeded_limit(variant_, set_, target_)) visit_(set_);
      return;
    }
    const Parameter& parameter = variant_.parameters[known];
    const auto given = given_.find(parameter.name);
    for (const int value : parameter.candidates) {
      if (given != given_.end() && given->second != value) continue;
      set_[parameter.name] = value;
      go(known + 1);
    }
    set_.erase(parameter.name);  // so that a rule that reads it without declaring it throws
  }

 private:
  std::size_t needed_by(const Rule& rule) const {
    if (rule.depends_on.empty()) return variant_.parameters.size();
    std::size_t needed = 0;
    for (const std::string& name : rule.depends_on) {
      const auto named = std::ranges::find(variant_.parameters, name, &Parameter::name);
      needed = std::max(needed, static_cast<std::size_t>(named - variant_.parameters.begin()) + 1);
    }
    return needed;
  }

  const Variant& variant_;
  const Parameters& given_;
  const Target& target_;
  const std::function<void(const Parameters&)>& visit_;
  std::vector<std::vector<const Rule*>> rules_;
  Parameters set_;
};

}  // namespace

void for_each_legal(const Variant& variant, const Parameters& given, const Target& target,
                    const std::function<void(const Parameters&)>& visit) {
  Walk(variant, given, target, visit).go();
}

std::vector<Parameters> cover(const std::vector<Parameters>& sets) {
  std::map<std::string, std::set<int>> missing;
  for (const Parameters& set : sets) {
    for (const auto& [name, value] : set) missing[name].insert(value);
  }
  const auto gain = [&](const Parameters& set) {
    std::size_t values = 0;
    auto values_missing = missing.begin();  // the same names in the same order
    for (const auto& [name, value] : set) values += (values_missing++)->second.contains(value);
    return values;
  };
  std::vector<Parameters> chosen;
  for (const Parameters* next = &sets.front(); chosen.empty() || gain(*next) > 0;) {
    chosen.push_back(*next);
    for (const auto& [name, value] : *next) missing[name].erase(value);
    next = &*std::ranges::max_element(sets, {}, gain);
  }
  return chosen;
}

}  // namespace tessera::inline v0::kernels
