#include "runtime/tuning.hpp"

#include <cstdlib>
#include <fstream>

#include "device_test.hpp"
#include "process.hpp"

namespace ocldnn::test {
namespace {

std::string folder_with(const std::string& engine, const std::string& text) {
  static const Folder folder("tuning");
  std::ofstream(folder.path() + '/' + engine + ".csv") << text;
  setenv("OCLDNN_TUNING", folder.path().c_str(), 1);
  return folder.path();
}

TEST(Tuning, ClosestRowWins) {
  const auto& info = device().info();
  folder_with("test_rows", "# a comment\ndefault,,A,1\ndefault,,B,2\ndevice," + info.name.substr(1, 4) +
                               ",A,3\nkind,cpu,B,4\nkind,cpu/" + std::to_string(info.float_width) +
                               ",C,7\nkind,cpu,C,6\nkind,gpu,D,8\nnot a row\n");
  auto rows = tuned(device(), "test_rows");
  EXPECT_EQ(rows.get("A", 0), 3);
  EXPECT_EQ(rows.get("missing", 9), 9);
  if (info.kind != Kind::cpu) return;
  EXPECT_EQ(rows.get("B", 0), 4);
  EXPECT_EQ(rows.get("C", 0), 7);
  EXPECT_EQ(rows.get("D", 0), 0);
}

TEST(Tuning, OverridesAndSaves) {
  auto folder = folder_with("test_saved", "default,,A,1\n");
  EXPECT_EQ(tuned(device(), "test_saved").get("A", 0), 1);
  override_tuned(device(), "test_saved", "A", 5);
  EXPECT_EQ(tuned(device(), "test_saved").get("A", 0), 5);
  override_tuned(device(), "test_saved", "A", std::nullopt);
  EXPECT_EQ(tuned(device(), "test_saved").get("A", 0), 1);

  ASSERT_TRUE(save_tuned(device(), "test_saved", {{"A", 11}, {"B", 12}}));
  ASSERT_TRUE(save_tuned(device(), "test_saved", {{"A", 13}}));
  std::ifstream file(folder + "/test_saved.csv");
  std::string text((std::istreambuf_iterator<char>(file)), {});
  EXPECT_EQ(text.find(",A,11"), std::string::npos) << text;
  // What was saved is read back under another engine's name, as a new process would.
  std::ofstream(folder + "/test_saved2.csv") << text;
  EXPECT_EQ(tuned(device(), "test_saved2").get("A", 0), 13);
  EXPECT_EQ(tuned(device(), "test_saved2").get("B", 0), 12);
}

}  // namespace
}  // namespace ocldnn::test
