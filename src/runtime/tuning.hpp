#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "ocldnn/device.hpp"

namespace ocldnn {

/// The tuned numbers of one engine on one device, as they stand in tuning/<engine>.csv and in the user's own rows.
class Tuned {
 public:
  using Values = std::map<std::string, int64_t, std::less<>>;
  explicit Tuned(std::shared_ptr<const Values> values) : values_(std::move(values)) {}

  /// The value of the row that fits the device most closely; `otherwise` where none does.
  int64_t get(std::string_view name, int64_t otherwise) const {
    auto at = values_->find(name);
    return at == values_->end() ? otherwise : at->second;
  }
  const Values& values() const { return *values_; }

 private:
  std::shared_ptr<const Values> values_;
};

/// tuned(device, "contract").get("KC", 1024). Rows are read at the first call for a device and engine.
///
/// A row is `scope,match,name,value`; an empty line or one that begins with # is skipped. From strongest to weakest:
///   device,H200,...      `match` is part of the device's name, without regard to case
///   platform,Intel,...   part of its platform's name
///   vendor,NVIDIA,...    part of its vendor's name
///   kind,cpu/16,...      its kind (gpu, accelerator, cpu), with the native vector width of float
///   kind,cpu,...         its kind alone
///   default,,...         every device
/// The user's rows, in <engine>.csv in OCLDNN_TUNING or in tuning/ in the cache folder, go before all of these.
Tuned tuned(Device& device, std::string_view engine);

/// Sets a value above all rows until the process ends, or takes it away again: for the tuner, and for tests.
void override_tuned(Device& device, std::string_view engine, std::string_view name, std::optional<int64_t> value);

/// Merges values for exactly this device into the user's rows. False if they cannot be written.
bool save_tuned(Device& device, std::string_view engine, const Tuned::Values& values);

}  // namespace ocldnn
