// Measures the library alone on one OpenCL device, at the request of bench/run.py and bench/steps.py, which interleave
// it with the peers.
//
//   ocldnn_bench <part of the platform's name>     prints the device's name, then answers each line of its input
//   matmul M N K ta tb                             ta, tb: 1 where the operand lies transposed in memory
//   forward|data|filter N H W C OC K S             a K x K convolution with stride S, SAME padding, NHWC
//   chain COUNT ELEMENTS                           COUNT launches, each of which needs the one before
//
// An answer is "seconds cpu_seconds error": the mean wall and processor time of a run, packing and all, over a batch of
// about BATCH seconds; and the largest difference of sampled results from sums in double, in parts of the largest.
#include <fmt/core.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <iostream>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "ocldnn/contract.hpp"
#include "ocldnn/pointwise.hpp"

using namespace ocldnn;

namespace {

constexpr double batch_seconds = 0.25;

double processor_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  auto seconds = [](const timeval& t) { return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec); };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// A tensor on the device and on the host.
struct Tensor {
  std::vector<float> host;
  View view;

  Tensor(Queue& queue, const Shape& shape, uint32_t seed) : host(static_cast<size_t>(shape.elements())) {
    std::minstd_rand random(seed);
    std::uniform_real_distribution<float> uniform(-1, 1);
    for (auto& value : host) value = uniform(random);
    view = View(queue.device().allocate(host.size() * sizeof(float)), Type::f32, shape);
    queue.write(view.data, host.data(), view.bytes());
  }
};

/// One problem: its tensors, how it is run, and the right value of element i of the result.
struct Job {
  std::vector<Tensor> tensors;
  std::function<void(const Exec&)> run;
  std::function<double(int64_t)> want;
};

Job matmul_job(Queue& queue, std::istream& words) {
  int64_t m, n, k;
  int ta, tb;
  words >> m >> n >> k >> ta >> tb;
  Job job;
  job.tensors.emplace_back(queue, ta ? Shape{k, m} : Shape{m, k}, 1);
  job.tensors.emplace_back(queue, tb ? Shape{n, k} : Shape{k, n}, 2);
  job.tensors.emplace_back(queue, Shape{m, n}, 3);
  const View a = ta ? job.tensors[0].view.transposed() : job.tensors[0].view;
  const View b = tb ? job.tensors[1].view.transposed() : job.tensors[1].view;
  const View c = job.tensors[2].view;
  job.run = [=](const Exec& exec) { matmul(exec, a, b, c); };
  job.want = [&x = job.tensors[0].host, &y = job.tensors[1].host, m, n, k, ta, tb](int64_t i) {
    double sum = 0;
    const int64_t row = i / n, col = i % n;
    for (int64_t t = 0; t < k; ++t)
      sum += static_cast<double>(x[static_cast<size_t>(ta ? t * m + row : row * k + t)]) *
             y[static_cast<size_t>(tb ? col * k + t : t * n + col)];
    return sum;
  };
  return job;
}

struct Geometry {
  int64_t n, h, w, c, oc, k, s, oh, ow, pad_h, pad_w;

  // Element i of y, dx and dw.
  double product(const std::vector<float>& x, const std::vector<float>& f, int64_t y) const {
    const int64_t q = y % oc, px = y / oc % ow, py = y / oc / ow % oh, image = y / oc / ow / oh;
    double sum = 0;
    for (int64_t r = 0; r < k; ++r)
      for (int64_t t = 0; t < k; ++t) {
        const int64_t iy = py * s + r - pad_h, ix = px * s + t - pad_w;
        if (iy < 0 || iy >= h || ix < 0 || ix >= w) continue;
        for (int64_t d = 0; d < c; ++d)
          sum += static_cast<double>(x[static_cast<size_t>(((image * h + iy) * w + ix) * c + d)]) *
                 f[static_cast<size_t>(((r * k + t) * c + d) * oc + q)];
      }
    return sum;
  }
  double data(const std::vector<float>& dy, const std::vector<float>& f, int64_t x) const {
    const int64_t d = x % c, ix = x / c % w, iy = x / c / w % h, image = x / c / w / h;
    double sum = 0;
    for (int64_t r = 0; r < k; ++r)
      for (int64_t t = 0; t < k; ++t) {
        const int64_t py = iy + pad_h - r, px = ix + pad_w - t;
        if (py < 0 || px < 0 || py % s || px % s || py / s >= oh || px / s >= ow) continue;
        for (int64_t q = 0; q < oc; ++q)
          sum += static_cast<double>(dy[static_cast<size_t>(((image * oh + py / s) * ow + px / s) * oc + q)]) *
                 f[static_cast<size_t>(((r * k + t) * c + d) * oc + q)];
      }
    return sum;
  }
  double filter(const std::vector<float>& x, const std::vector<float>& dy, int64_t f) const {
    const int64_t q = f % oc, d = f / oc % c, t = f / oc / c % k, r = f / oc / c / k;
    double sum = 0;
    for (int64_t image = 0; image < n; ++image)
      for (int64_t py = 0; py < oh; ++py)
        for (int64_t px = 0; px < ow; ++px) {
          const int64_t iy = py * s + r - pad_h, ix = px * s + t - pad_w;
          if (iy < 0 || iy >= h || ix < 0 || ix >= w) continue;
          sum += static_cast<double>(x[static_cast<size_t>(((image * h + iy) * w + ix) * c + d)]) *
                 dy[static_cast<size_t>(((image * oh + py) * ow + px) * oc + q)];
        }
    return sum;
  }
};

Job convolution_job(Queue& queue, const std::string& way, std::istream& words) {
  Geometry g{};
  words >> g.n >> g.h >> g.w >> g.c >> g.oc >> g.k >> g.s;
  g.oh = (g.h + g.s - 1) / g.s, g.ow = (g.w + g.s - 1) / g.s;
  const int64_t all_h = std::max<int64_t>(0, (g.oh - 1) * g.s + g.k - g.h),
                all_w = std::max<int64_t>(0, (g.ow - 1) * g.s + g.k - g.w);
  g.pad_h = all_h / 2, g.pad_w = all_w / 2;
  const Convolution shape{{g.s, g.s}, {1, 1}, {g.pad_h, g.pad_w}, {all_h - g.pad_h, all_w - g.pad_w}, 1};
  Job job;
  job.tensors.emplace_back(queue, Shape{g.n, g.h, g.w, g.c}, 1);
  job.tensors.emplace_back(queue, Shape{g.k, g.k, g.c, g.oc}, 2);
  job.tensors.emplace_back(queue, Shape{g.n, g.oh, g.ow, g.oc}, 3);
  if (way == "data") std::swap(job.tensors[0], job.tensors[2]);    // dy, w -> dx
  if (way == "filter") std::swap(job.tensors[1], job.tensors[2]);  // x, dy -> dw
  const View a = job.tensors[0].view, b = job.tensors[1].view, c = job.tensors[2].view;
  const auto &x = job.tensors[0].host, &y = job.tensors[1].host;
  if (way == "forward") {
    job.run = [=](const Exec& exec) { convolution_forward(exec, shape, a, b, c); };
    job.want = [=, &x, &y](int64_t i) { return g.product(x, y, i); };
  } else if (way == "data") {
    job.run = [=](const Exec& exec) { convolution_backward_data(exec, shape, a, b, c); };
    job.want = [=, &x, &y](int64_t i) { return g.data(x, y, i); };
  } else {
    job.run = [=](const Exec& exec) { convolution_backward_filter(exec, shape, a, b, c); };
    job.want = [=, &x, &y](int64_t i) { return g.filter(x, y, i); };
  }
  return job;
}

/// z = (y - z) * s, as bench/framework.py does it with TensorFlow's ops: a pair of launches for each.
Job chain_job(Queue& queue, std::istream& words) {
  constexpr double s = 0.5;
  int count;
  int64_t elements;
  words >> count >> elements;
  Job job;
  for (uint32_t seed : {1, 2, 3}) job.tensors.emplace_back(queue, Shape{elements}, seed);
  const View y = job.tensors[0].view, difference = job.tensors[1].view, z = job.tensors[2].view;
  job.run = [=](const Exec& exec) {
    for (int i = 0; i < count; i += 2) {
      pointwise(exec.queue, "Sub", Type::f32, {{"x", y}, {"y", z}}, {{difference, "x - y"}});
      pointwise(exec.queue, "Mul", Type::f32, {{"x", difference}}, {{z, "x * s"}}, {{"s", s}});
    }
  };
  // Long before the end, whatever z was, z = (y - z) * s holds.
  job.want = [&y = job.tensors[0].host](int64_t i) { return y[static_cast<size_t>(i)] * s / (1 + s); };
  return job;
}

/// The largest of 50 sampled differences from double, in parts of the largest sample.
double error_of(Queue& queue, Job& job) {
  auto& result = job.tensors[2];
  queue.read(result.host.data(), result.view.data, result.view.bytes());
  double worst = 0, largest = 1e-30;
  std::minstd_rand random(7);
  for (int i = 0; i < 50; ++i) {
    const int64_t at = static_cast<int64_t>(random()) % result.view.elements();
    const double want = job.want(at);
    largest = std::max(largest, std::fabs(want));
    const double off = std::fabs(want - result.host[static_cast<size_t>(at)]);
    worst = off <= worst ? worst : off;  // a NaN stays
  }
  return worst / largest;
}

/// Scratch that is reused from run to run, as a framework's allocator does.
class ReusedScratch final : public Scratch {
 public:
  explicit ReusedScratch(Device& device) : device_(device) {}
  void* allocate(size_t bytes) override {
    auto& blocks = blocks_[bytes];
    if (blocks.used == blocks.all.size()) blocks.all.push_back(device_.allocate(bytes));
    return blocks.all[blocks.used++];
  }
  void rewind() {
    for (auto& [bytes, blocks] : blocks_) blocks.used = 0;
  }
  void release() {
    for (auto& [bytes, blocks] : blocks_)
      for (auto* block : blocks.all) device_.deallocate(block);
    blocks_.clear();
  }

 private:
  struct Blocks {
    std::vector<void*> all;
    size_t used = 0;
  };
  Device& device_;
  std::map<size_t, Blocks> blocks_;
};

void answer(Queue& queue, const std::string& line) {
  std::istringstream words(line);
  std::string what;
  words >> what;
  auto job = what == "matmul"  ? matmul_job(queue, words)
             : what == "chain" ? chain_job(queue, words)
                               : convolution_job(queue, what, words);
  ReusedScratch scratch(queue.device());
  auto run = [&](int times) {
    for (int i = 0; i < times; ++i) {
      scratch.rewind();
      job.run({queue, scratch});
    }
    queue.finish();
  };
  using Clock = std::chrono::steady_clock;
  run(1);
  auto start = Clock::now();
  run(1);
  const double once = std::chrono::duration<double>(Clock::now() - start).count();
  const int times = std::clamp(static_cast<int>(batch_seconds / once), 2, 2000);
  const double cpu = processor_seconds();
  start = Clock::now();
  run(times);
  const double wall = std::chrono::duration<double>(Clock::now() - start).count();
  const double used = processor_seconds() - cpu;
  fmt::print("{} {} {}\n", wall / times, used / times, error_of(queue, job));
  std::fflush(stdout);
  scratch.release();
  for (auto& tensor : job.tensors) queue.device().deallocate(tensor.view.data);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::string platform = argc > 1 ? argv[1] : "";
    for (auto* device : devices()) {
      const auto& info = device->info();
      if (info.platform.find(platform) == std::string::npos) continue;
      fmt::print("{} | {} | {} units of {} lanes\n", info.name, info.platform, info.compute_units, info.float_width);
      std::fflush(stdout);
      auto queue = device->make_queue();
      for (std::string line; std::getline(std::cin, line);) answer(*queue, line);
      return 0;
    }
    fmt::print(stderr, "no device of platform '{}'\n", platform);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
  }
  return 1;
}
