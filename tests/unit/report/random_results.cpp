#include "random_results.hpp"

#include <bit>
#include <cmath>

#include "core/chain.hpp"

namespace report_test {
namespace {

class Maker {
 public:
  explicit Maker(std::uint64_t seed) : random_(seed) {}

  std::uint64_t below(std::uint64_t bound) { return random_.below(bound); }
  bool coin() { return below(2) == 0; }
  std::int64_t whole() { return static_cast<std::int64_t>(random_.next() >> below(64)) >> 1; }

  // Any finite double: whole, ordinary, or any bit pattern. No negative zero: it is no measurement,
  // and is written as 0.
  double number() {
    switch (below(4)) {
      case 0:
        return static_cast<double>(below(100000));
      case 1:
        return random_.normal() * 1000;
      case 2:
        return static_cast<double>(whole());
      default: {
        const double any = std::bit_cast<double>(random_.next());
        return std::isfinite(any) && any != 0 ? any : 0.1;
      }
    }
  }

  std::string text() {
    static const char* const kPieces[] = {"",    "a",  "\"",   "\\", "\n", "\t", "\x01", "ü",
                                          "→",   "𝛑",  "</s>", "'",  "%",  "{}", ",",    " ",
                                          "NaN", "1e", "null", "\r", "b",  "/",  ":",    "\x7f"};
    std::string out;
    for (std::uint64_t n = below(6); n > 0; --n) out += kPieces[below(std::size(kPieces))];
    return out;
  }

  template <typename Make>
  auto some(Make make, std::uint64_t most = 3) {
    std::vector<decltype(make())> all;
    for (std::uint64_t n = below(most + 1); n > 0; --n) all.push_back(make());
    return all;
  }
  std::vector<std::string> texts() {
    return some([&] { return text(); });
  }
  std::vector<double> numbers() {
    return some([&] { return number(); }, 5);
  }

  core::Quantity quantity() { return {text(), text(), number()}; }
  std::vector<core::Quantity> quantities() {
    return some([&] { return quantity(); });
  }

  core::Facts facts() {
    core::Facts all;
    for (std::uint64_t n = below(7); n > 0; --n) {
      const std::string name = "fact" + std::to_string(n) + text();
      switch (below(5)) {
        case 0:
          all.push_back({name, coin()});
          break;
        case 1:
          all.push_back({name, whole()});
          break;
        case 2:
          all.push_back({name, number()});
          break;
        case 3:
          all.push_back({name, text()});
          break;
        default:
          all.push_back({name, texts()});
      }
    }
    return all;
  }

  core::Samples samples() {
    return {.metrics = quantities(),
            .columns = some([&] {
              return core::Column{text(), text(), numbers()};
            }),
            .tables = some([&] {
              return core::Table{text(), text(), texts(), some([&] { return numbers(); })};
            }),
            .time_ns = number(),
            .clock = {number(), number(), text()},
            .facts = quantities(),
            .checks = some([&] {
              return core::Check{text(), static_cast<core::Verdict>(below(4)), text()};
            }),
            .health = quantities(),
            .counters = quantities()};
  }

  core::Estimate estimate() {
    return {text(),  text(), number(), number(), number(), number(), static_cast<int>(below(100)),
            number()};
  }

  core::Status status() { return static_cast<core::Status>(below(5)); }

  core::Measurement measurement() {
    return {.point = {.probe = text(), .settings = some([&] {
                                         return coin() ? core::Setting{text(), text() + "unit",
                                                                       whole()}
                                                       : core::Setting{text(), "", text()};
                                       })},
            .answers = text(),
            .method = text(),
            .status = status(),
            .reason = text(),
            .repetitions = some([&] {
              return core::Repetition{static_cast<int>(below(9)), text(), samples()};
            }),
            .summary = some([&] { return estimate(); })};
  }

  map::Entry entry() {
    map::Entry entry{.estimate = estimate(),
                     .method = text(),
                     .points = texts(),
                     .ceiling = coin() ? 0 : number(),
                     .status = status(),
                     .note = text()};
    if (coin()) entry.published = map::Published{number(), number(), text(), text(), text()};
    return entry;
  }

  map::MapLevel level() {
    return {.name = text(),
            .scope = text(),
            .capacity = {whole(), text(), coin() ? 0 : whole(), whole(), whole(), number(), text()},
            .latency = some([&] { return entry(); }),
            .bandwidth = some([&] { return entry(); }),
            .status = text()};
  }

  core::Description description() {
    core::Description made{.backend = text(),
                           .device = text(),
                           .uuid = text(),
                           .pci = text(),
                           .simulated = coin(),
                           .machine_code_sha256 = text()};
    for (std::uint64_t n = below(4); n > 0; --n) made.capacities.set(text(), whole());
    made.levels = some([&] {
      return core::Level{text(),   text(),   static_cast<core::Family>(below(4)),
                         whole(),  text(),   text(),
                         number(), number(), number(),
                         text()};
    });
    made.properties = facts();
    made.explanations = facts();
    made.state = facts();
    made.missing = texts();
    return made;
  }

  report::Results results() {
    report::Results made;
    made.complete = coin();
    made.incomplete_reason = text();
    made.context = {.run_id = text(),
                    .started_utc = text(),
                    .finished_utc = text(),
                    .before = description(),
                    .state_after = facts(),
                    .warm_up = text(),
                    .host = facts(),
                    .program = facts(),
                    .config_name = text(),
                    .config_text = text(),
                    .config_sha256 = text(),
                    .meant_for = text(),
                    .seed = random_.next(),
                    .repetitions = static_cast<int>(below(30)),
                    .notes = texts()};
    made.measurements = some([&] { return measurement(); });
    made.map = {.levels = some([&] { return level(); }),
                .overheads = some([&] { return entry(); }),
                .figures = some([&] { return entry(); }),
                .unexplained = texts(),
                .disagreements = texts()};
    return made;
  }

 private:
  core::Random random_;
};

}  // namespace

report::Results random_results(std::uint64_t seed) { return Maker(seed).results(); }

}  // namespace report_test
