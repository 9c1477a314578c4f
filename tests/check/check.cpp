#include "check/check.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>

#include "check/arrays.hpp"

namespace ocldnn::check {
namespace {

constexpr size_t guard_elements = 67;  // on both sides of a tensor; odd, so that the tensor starts unaligned
constexpr std::byte guard_byte{0xa5};
// What an output holds before each of the two runs: NaN, then a number, so that what is not written differs.
constexpr std::byte poisons[]{std::byte{0xff}, std::byte{0x3c}};

// A tensor inside a larger allocation whose other bytes are known.
class Guarded {
 public:
  Guarded(Queue& queue, Type type, const Shape& shape, const Dims& order, bool aligned)
      : queue_(queue), type_(type), shape_(shape), order_(order) {
    const size_t width = size_of(type);
    bytes_ = static_cast<size_t>(shape.elements()) * width;
    before_ = aligned ? 256 : guard_elements * width;
    total_ = before_ + bytes_ + guard_elements * width;
    base_ = static_cast<char*>(queue.device().allocate(total_));
    const std::vector<std::byte> guards(total_, guard_byte);
    queue.write(base_, guards.data(), total_);
  }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;
  ~Guarded() { queue_.device().deallocate(base_); }

  View view() const { return {base_ + before_, type_, shape_, strides_of(shape_, order_)}; }
  void set(const std::vector<std::byte>& bytes) {
    if (!bytes.empty()) queue_.write(base_ + before_, bytes.data(), bytes.size());
  }
  void poison(std::byte with) { set(std::vector<std::byte>(bytes_, with)); }

  std::vector<std::byte> get() {
    std::vector<std::byte> all(total_);
    queue_.read(all.data(), base_, total_);
    auto untouched = [](std::byte b) { return b == guard_byte; };
    guards_hold_ = std::all_of(all.begin(), all.begin() + static_cast<long>(before_), untouched) &&
                   std::all_of(all.begin() + static_cast<long>(before_ + bytes_), all.end(), untouched);
    return {all.begin() + static_cast<long>(before_), all.begin() + static_cast<long>(before_ + bytes_)};
  }
  bool guards_hold() const { return guards_hold_; }

 private:
  Queue& queue_;
  Type type_;
  Shape shape_;
  Dims order_;
  size_t bytes_ = 0, before_ = 0, total_ = 0;
  char* base_ = nullptr;
  bool guards_hold_ = true;
};

double default_tolerance(Type type) {
  switch (type) {
    case Type::f32: return 16 * std::ldexp(1, -24);
    case Type::f64: return 16 * std::ldexp(1, -53);
    case Type::f16: return 2 * std::ldexp(1, -11);
    case Type::bf16: return 2 * std::ldexp(1, -8);
    default: return 0;
  }
}

bool agrees(double got, double want, double tolerance) {
  if (std::isnan(want)) return std::isnan(got);
  if (std::isinf(want) || std::isinf(got)) return got == want;
  return std::fabs(got - want) <= tolerance * std::max(1.0, std::fabs(want));
}

std::string compare(const Array& got, const Array& want, double tolerance) {
  int64_t wrong = 0;
  std::string first;
  for (int64_t i = 0; i < got.shape.elements(); ++i) {
    const double expected = rounded(want.type, want[i]);
    if (agrees(got[i], expected, tolerance) || agrees(got[i], want[i], tolerance)) continue;
    if (wrong++ == 0) first = fmt::format("element {}: got {}, want {}", i, got[i], want[i]);
  }
  return wrong ? fmt::format("{} of {} wrong, {}", wrong, got.shape.elements(), first) : std::string();
}

// Everything one placement of an example needs on the device.
struct Placed {
  std::vector<std::unique_ptr<Guarded>> inputs, outputs;
  std::vector<View> in, out;

  Placed(Queue& queue, const Example& example, bool aligned) {
    for (const auto& input : example.inputs)
      in.push_back(
          inputs.emplace_back(std::make_unique<Guarded>(queue, input.type, input.shape, input.order, aligned))->view());
    for (const auto& output : example.outputs)
      out.push_back(
          outputs.emplace_back(std::make_unique<Guarded>(queue, output.type, output.shape, output.order, aligned))
              ->view());
  }
};

struct Data {
  std::vector<Array> inputs, outputs;             // outputs: the reference's
  std::vector<std::vector<std::byte>> in, start;  // start: what an initialised output holds before
};

Data make_data(const Example& example, bool reference) {
  std::mt19937_64 random(std::hash<std::string>{}(example.name));
  Data data;
  for (const auto& input : example.inputs) {
    data.inputs.push_back(draw(input, random));
    data.in.push_back(encode(data.inputs.back(), input.order));
  }
  for (const auto& output : example.outputs) {
    auto start = draw({.type = output.type, .shape = output.shape, .low = output.low, .high = output.high}, random);
    data.start.push_back(encode(start, output.order));
    data.outputs.push_back(std::move(start));
  }
  if (reference) example.reference(data.inputs, data.outputs);
  return data;
}

void load(Placed& placed, const Example& example, const Data& data, std::byte poison) {
  for (size_t i = 0; i < placed.inputs.size(); ++i) placed.inputs[i]->set(data.in[i]);
  for (size_t i = 0; i < placed.outputs.size(); ++i)
    example.outputs[i].initialised ? placed.outputs[i]->set(data.start[i]) : placed.outputs[i]->poison(poison);
}

std::string run_once(Queue& queue, Placed& placed, const Example& example, const Data& data, std::byte poison,
                     std::vector<std::vector<std::byte>>& results) {
  load(placed, example, data, poison);
  DeviceScratch scratch(queue.device());
  example.run(Exec{queue, scratch}, placed.in, placed.out);
  queue.finish();
  for (size_t i = 0; i < placed.inputs.size(); ++i) {
    if (placed.inputs[i]->get() != data.in[i]) return fmt::format("input {} was changed", i);
    if (!placed.inputs[i]->guards_hold()) return fmt::format("bytes around input {} were changed", i);
  }
  results.clear();
  for (size_t i = 0; i < placed.outputs.size(); ++i) {
    results.push_back(placed.outputs[i]->get());
    if (!placed.outputs[i]->guards_hold()) return fmt::format("bytes around output {} were changed", i);
  }
  return {};
}

}  // namespace

int64_t elements(const Example& example) {
  int64_t sum = 0;
  for (const auto& input : example.inputs) sum += input.shape.elements();
  for (const auto& output : example.outputs) sum += output.shape.elements();
  return sum;
}

std::string test(Device& device, const Example& example) {
  const auto data = make_data(example, true);
  auto queue = device.make_queue();
  for (bool aligned : {false, true}) {
    const char* where = aligned ? "aligned" : "odd offset";
    Placed placed(*queue, example, aligned);
    std::vector<std::vector<std::byte>> first, second;
    if (auto fault = run_once(*queue, placed, example, data, poisons[0], first); !fault.empty())
      return fmt::format("{}: {}", where, fault);
    for (size_t i = 0; i < first.size(); ++i) {
      const auto& output = example.outputs[i];
      const double tolerance = output.tolerance < 0 ? default_tolerance(output.type) : output.tolerance;
      auto got = decode(first[i], output.type, output.shape, output.order);
      if (auto fault = compare(got, data.outputs[i], tolerance); !fault.empty())
        return fmt::format("{}: output {}: {}", where, i, fault);
      if (output.type == Type::boolean)
        for (auto byte : first[i])
          if (byte > std::byte{1})
            return fmt::format("{}: output {}: a boolean holds {}", where, i, static_cast<int>(byte));
    }
    if (auto fault = run_once(*queue, placed, example, data, poisons[1], second); !fault.empty())
      return fmt::format("{}: {}", where, fault);
    if (first != second) return fmt::format("{}: a second run gave other bits, or something is not written", where);
  }
  return {};
}

double measure(Device& device, const Example& example) {
  using Clock = std::chrono::steady_clock;
  const auto data = make_data(example, false);
  auto queue = device.make_queue();
  Placed placed(*queue, example, true);
  load(placed, example, data, poisons[0]);
  DeviceScratch scratch(device);
  auto batch = [&](int runs) {
    const auto begin = Clock::now();
    for (int i = 0; i < runs; ++i) {
      DeviceScratch temporary(device);
      example.run(Exec{*queue, temporary}, placed.in, placed.out);
    }
    queue->finish();
    return std::chrono::duration<double>(Clock::now() - begin).count();
  };
  batch(2);
  int runs = 1;
  while (batch(runs) < 0.03 && runs < 1 << 16) runs *= 2;
  std::vector<double> times;
  for (int i = 0; i < 7; ++i) times.push_back(batch(runs) / runs);
  std::nth_element(times.begin(), times.begin() + 3, times.end());
  return times[3];
}

}  // namespace ocldnn::check
