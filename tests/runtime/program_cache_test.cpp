// Programs on disk: what is damaged or not ours is never trusted.

#include <sys/stat.h>
#include <unistd.h>

#include "process.hpp"
#include "runtime/file_cache.hpp"
#include "runtime/opencl_device.hpp"

namespace ocldnn::test {
namespace {

/// A device object of its own on the test's device, with no program in memory yet.
std::unique_ptr<OpenclDevice> fresh_device() {
  auto& known = static_cast<OpenclDevice&>(device());
  Listed listed;
  listed.info = known.info();
  listed.host_memory = known.info().kind != Kind::gpu;
  return std::make_unique<OpenclDevice>(listed, [&known] { return known.id(); });
}

struct Counts {
  int compiled, loaded, answer;
};

/// Runs a kernel that writes 77 on a fresh device.
Counts run_once() {
  auto fresh = fresh_device();
  auto queue = fresh->make_queue();
  auto* address = fresh->allocate(64);
  auto id = kernel("test_cached", "kernel void test_cached(global int *x, long x_offset) { x[x_offset] = 77; }");
  launch(*queue, id, Grid{}, View(address, Type::i32, {1}));
  int answer = 0;
  queue->read(&answer, address, 4);
  return {fresh->programs().compiled(), fresh->programs().loaded(), answer};
}

std::vector<std::string> program_files() {
  std::vector<std::string> files;
  for (const auto& name : system::list_folder(cache_folder() + "/programs"))
    files.push_back(cache_folder() + "/programs/" + name);
  return files;
}

TEST(ProgramCache, LoadsWhatItCompiledAndRebuildsWhatIsDamaged) {
  for (const auto& file : program_files()) system::remove_file(file);
  auto first = run_once();
  EXPECT_EQ(first.answer, 77);
  EXPECT_EQ(first.compiled, 1);
  auto second = run_once();
  EXPECT_EQ(second.answer, 77);
  auto files = program_files();
  if (files.empty()) GTEST_SKIP() << "this driver gives no binaries";
  EXPECT_EQ(second.loaded, 1);
  EXPECT_EQ(second.compiled, 0);
  ASSERT_EQ(files.size(), 1u);
  auto whole = system::read_file(files[0]).value();
  std::vector<std::string> damaged{whole.substr(0, whole.size() / 2), whole.substr(0, 10), "", whole + "x"};
  for (size_t at : {size_t{0}, size_t{9}, size_t{17}, whole.size() / 2, whole.size() - 1}) {
    damaged.push_back(whole);
    damaged.back()[at] = static_cast<char>(damaged.back()[at] ^ 4);
  }
  for (const auto& bytes : damaged) {
    ASSERT_TRUE(system::write_file(files[0], bytes));
    auto again = run_once();
    EXPECT_EQ(again.answer, 77);
    EXPECT_EQ(again.compiled, 1) << bytes.size();
    EXPECT_EQ(run_once().loaded, 1) << "the file was not made anew";
  }
}

TEST(FileCache, KeepsTheFilesUsedLast) {
  FileCache cache("test-trim", 10000);
  for (int i = 0; i < 10; i++) {
    cache.put(std::to_string(i), std::string(1500, 'x'));
    usleep(12000);  // file times tell the order
    EXPECT_TRUE(cache.get("0")) << "used all the time, and removed";
    usleep(12000);
  }
  EXPECT_FALSE(cache.get("1"));
  EXPECT_TRUE(cache.get("9"));
  EXPECT_EQ(cache.get("9").value(), std::string(1500, 'x'));
  cache.remove("9");
  EXPECT_FALSE(cache.get("9"));
}

TEST(FileCache, FoldersOfOthersAreNotUsed) {
  Folder folder("modes");
  std::string why;
  auto path = folder.path() + "/a/b";
  EXPECT_TRUE(system::private_folder(path, why)) << why;
  EXPECT_TRUE(system::private_folder(path, why));
  chmod(path.c_str(), 0755);
  EXPECT_FALSE(system::private_folder(path, why));
  EXPECT_NE(why.find("open to other users"), why.npos) << why;
  chmod(path.c_str(), 0700);
  auto link = folder.path() + "/link";
  ASSERT_EQ(symlink(path.c_str(), link.c_str()), 0);
  EXPECT_FALSE(system::private_folder(link, why));
  EXPECT_FALSE(system::private_folder(folder.file("file", "x"), why));
  if (geteuid() == 0) {
    ASSERT_EQ(chown(path.c_str(), 12345, 12345), 0);
    EXPECT_FALSE(system::private_folder(path, why));
    EXPECT_NE(why.find("another user"), why.npos) << why;
  }
  EXPECT_FALSE(system::private_folder("/proc/no-such/folder", why));
}

TEST(FileCache, AnUnusableFolderMeansNoCacheAndNoError) {
  Folder folder("unusable");
  auto file = folder.file("file", "not a folder");
  Environment environment({{"OCLDNN_CACHE_DIR", file}, {"OCLDNN_TRIAL", "none"}});
  EXPECT_TRUE(has(list_devices({"use"}), "used: 1234"));
}

}  // namespace
}  // namespace ocldnn::test
