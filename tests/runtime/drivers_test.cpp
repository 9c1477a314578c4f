// Finding, trying and choosing drivers, each case in a process of its own.

#include <fmt/format.h>

#include "process.hpp"

namespace ocldnn::test {
namespace {

/// The fake driver and nothing else, with an empty cache folder.
class Drivers : public testing::Test {
 protected:
  Folder folder_{"drivers"};
  Environment environment_{{{"OCL_ICD_VENDORS", FAKE_DRIVER},
                            {"OCL_ICD_FILENAMES", std::nullopt},
                            {"OCLDNN_DEVICES", std::nullopt},
                            {"OCLDNN_LOG", std::nullopt},
                            {"OCLDNN_DISABLE", std::nullopt},
                            {"OCLDNN_TRIAL", "none"},
                            {"OCLDNN_CACHE_DIR", folder_.path() + "/cache"},
                            {"FAKE_OPENCL_DEVICES", std::nullopt},
                            {"FAKE_OPENCL", std::nullopt}}};
};

TEST_F(Drivers, NamedByFolderByIcdFileAndByLibrary) {
  auto icd = folder_.file("fake.icd", std::string(FAKE_DRIVER) + "\n");
  for (const auto& vendors : {folder_.path(), icd, std::string(FAKE_DRIVER)}) {
    Environment environment({{"OCL_ICD_VENDORS", vendors}});
    EXPECT_EQ(count(list_devices(), "device: Fake OpenCL|Fake GPU|"), 1) << vendors;
  }
  // Named twice, offered once.
  Environment environment({{"OCL_ICD_FILENAMES", FAKE_DRIVER}});
  EXPECT_EQ(count(list_devices(), "device: "), 1);
}

TEST_F(Drivers, FoundInAPythonPackagesFolderByTheNameInItsIcdFile) {
  std::filesystem::copy_file(FAKE_DRIVER, folder_.path() + "/libfake.so");
  folder_.file("fake.icd", "/some/placeholder/libfake.so");
  Environment environment(
      {{"OCL_ICD_VENDORS", std::nullopt}, {"OCLDNN_DRIVER_FOLDERS", folder_.path()}, {"OCLDNN_DEVICES", "fake"}});
  EXPECT_EQ(count(list_devices(), "device: Fake OpenCL"), 1);
}

TEST_F(Drivers, BrokenOnesAreSkippedWithAReason) {
  folder_.file("1.icd", "/no/such/library.so");
  folder_.file("2.icd", folder_.file("text.so", "this is no library"));
  folder_.file("3.icd", "libm.so.6");
  folder_.file("4.icd", "");
  folder_.file("5.icd", FAKE_DRIVER);
  Environment environment({{"OCL_ICD_VENDORS", folder_.path()}});
  auto text = list_devices();
  EXPECT_EQ(count(text, "device: "), 1) << text;
  EXPECT_EQ(count(text, "declined: driver "), 3) << text;
  EXPECT_TRUE(has(text, "/no/such/library.so: cannot open shared object file")) << text;
  EXPECT_TRUE(has(text, "text.so: file too short") || has(text, "invalid ELF header")) << text;
  EXPECT_TRUE(has(text, "it is no OpenCL driver")) << text;
}

TEST_F(Drivers, NoneIsNoDeviceAndNoError) {
  Environment environment({{"OCL_ICD_VENDORS", "/no/such/folder"}});
  EXPECT_EQ(count(list_devices(), "device: "), 0);
  Environment disabled({{"OCL_ICD_VENDORS", FAKE_DRIVER}, {"OCLDNN_DISABLE", "1"}});
  auto text = list_devices();
  EXPECT_EQ(count(text, "device: "), 0);
  EXPECT_TRUE(has(text, "OCLDNN_DISABLE is set"));
}

TEST_F(Drivers, CpuDevicesOnlyWhereThereIsNothingElseOrAskedFor) {
  Environment both(
      {{"FAKE_OPENCL_DEVICES", "cpu/C/OpenCL 3.0;accelerator/A/OpenCL 1.2;gpu/G/OpenCL 2.0;gpu/old/OpenCL 1.1"}});
  auto text = list_devices();
  auto gpu = text.find("|G|"), accelerator = text.find("|A|");
  EXPECT_TRUE(gpu < accelerator && accelerator != text.npos) << text;
  EXPECT_FALSE(has(text, "|C|")) << text;
  EXPECT_TRUE(has(text, "declined: C (Fake OpenCL): CPU devices are offered where there is nothing else")) << text;
  EXPECT_TRUE(has(text, "declined: old (Fake OpenCL): it has OpenCL 1.1; 1.2 is needed")) << text;
  auto offered = [](const std::string& wish) {
    Environment environment({{"OCLDNN_DEVICES", wish}});
    auto text = list_devices();
    std::string names;
    for (size_t at = text.find("device: "); at != text.npos; at = text.find("device: ", at + 1))
      names += text.substr(text.find('|', at) + 1, 1);
    return names;
  };
  EXPECT_EQ(offered("cpu"), "C");
  EXPECT_EQ(offered("cpu,gpu"), "CG");
  EXPECT_EQ(offered("all"), "GAC");
  EXPECT_EQ(offered("FAKE OPENCL:1"), "A");
  EXPECT_EQ(offered("fake:2*2,g"), "CCG");
  EXPECT_EQ(offered("nothing"), "");
  Environment only({{"FAKE_OPENCL_DEVICES", "cpu/C/OpenCL 3.0"}});
  EXPECT_EQ(count(list_devices(), "|C|"), 1);
}

TEST_F(Drivers, OneThatCrashesIsTriedElsewhereAndRemembered) {
  Environment environment({{"OCLDNN_TRIAL", TRIAL}, {"FAKE_OPENCL", "crash"}, {"OCLDNN_LOG", "info"}});
  for (int i = 0; i < 2; i++) {
    auto text = list_devices();
    EXPECT_TRUE(has(text, "tried in a process of its own, it was killed by signal 6")) << text;
    EXPECT_EQ(count(text, "device: "), 0);
  }
  EXPECT_EQ(system::list_folder(folder_.path() + "/cache/drivers").size(), 1u);
}

TEST_F(Drivers, AVerdictHoldsForTheSameFileOnly) {
  auto copy = folder_.path() + "/libcopy.so";
  std::filesystem::copy_file(FAKE_DRIVER, copy);
  Environment environment(
      {{"OCLDNN_TRIAL", TRIAL}, {"OCL_ICD_VENDORS", copy}, {"FAKE_OPENCL_DEVICES", "cpu/C/OpenCL 3.0"}});
  EXPECT_EQ(count(list_devices(), "|C|"), 1);
  auto verdicts = folder_.path() + "/cache/drivers";
  EXPECT_EQ(system::list_folder(verdicts).size(), 1u);
  std::filesystem::last_write_time(copy, std::filesystem::file_time_type::clock::now() + std::chrono::hours(1));
  EXPECT_EQ(count(list_devices(), "|C|"), 1);
  EXPECT_EQ(system::list_folder(verdicts).size(), 2u);
}

TEST_F(Drivers, DeclinedWhereAddressesAreShort) {
  if (system::under_sanitizer()) GTEST_SKIP() << "sanitizers need all addresses";
  auto with = [](int mebibytes) {
    auto command = fmt::format("ulimit -v {}; exec {} use", mebibytes * 1024, LIST_DEVICES);
    return system::run_program({"/bin/sh", "-c", command}, 60).output;
  };
  // The fake GPU has 1 GiB: its range is made smaller, down to 128 MiB.
  auto smaller = with(1024), none = with(120);
  EXPECT_EQ(count(smaller, "used: 1234"), 1) << smaller;
  EXPECT_EQ(count(none, "device: "), 0) << none;
  EXPECT_TRUE(has(none, "ulimit -v")) << none;
}

/// The real driver that this program was told to run on.
TEST(RealDriver, ListingStartsNoThreadAndForksWork) {
  Environment environment({{"OCLDNN_TRIAL", TRIAL}});
  if (device().info().kind != Kind::cpu) GTEST_SKIP() << "a GPU's driver is opened to list its devices";
  auto text = list_devices({"threads", "fork", "use"});
  EXPECT_TRUE(has(text, system::under_sanitizer() ? "threads: " : "threads: 1\n")) << text;
  EXPECT_EQ(count(text, "used: 1234"), 2) << text;
  EXPECT_TRUE(has(text, "child: 0")) << text;
  text = list_devices({"late-fork"});
  EXPECT_TRUE(has(text, "this process was forked after the device was first used")) << text;
}

TEST(RealDriver, KernelsOfTwoDevicesSeeWhatTheySendEachOther) {
  Environment environment({{"OCLDNN_DEVICES", device().info().platform + ":0*2"}});
  auto text = list_devices({"exchange"});
  EXPECT_EQ(count(text, "device: "), 2) << text;
  EXPECT_TRUE(has(text, "exchanged: 200 of 200")) << text;
}

TEST(RealDriver, LibraryNamesAreFoundAsTheLoaderFindsThem) {
  auto c = system::find_library("libc.so.6");
  EXPECT_TRUE(system::is_file(c)) << c;
  EXPECT_EQ(system::find_library("no-such-library.so"), "no-such-library.so");
  EXPECT_TRUE(system::needs_library(system::find_library("libstdc++.so.6"), "libm.so"));
  EXPECT_FALSE(system::needs_library(c, "libstdc++"));
}

}  // namespace
}  // namespace ocldnn::test
