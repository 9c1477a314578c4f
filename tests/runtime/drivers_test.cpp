// Finding, trying and choosing drivers, each case in a process of its own.

#include <fmt/format.h>

#include <chrono>
#include <ctime>
#include <thread>

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

/// A verdict on a broken driver holds until the hour ends: waits for the next one where that is near.
void begin_within_an_hour() {
  const auto left = 3600 - std::time(nullptr) % 3600;
  if (left < 20) std::this_thread::sleep_for(std::chrono::seconds(left));
}

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
  begin_within_an_hour();
  Environment environment({{"OCLDNN_TRIAL", TRIAL}, {"FAKE_OPENCL", "crash"}, {"OCLDNN_LOG", "info"}});
  for (int i = 0; i < 2; i++) {
    auto text = list_devices();
    EXPECT_TRUE(has(text, "tried in a process of its own, it was killed by signal 6")) << text;
    EXPECT_EQ(count(text, "device: "), 0);
  }
  EXPECT_EQ(system::list_folder(folder_.path() + "/cache/drivers").size(), 1u);
}

TEST_F(Drivers, BrokenInAnyWayTheyAreDeclinedWithTheReason) {
  // FAKE_OPENCL, and what has to stand in the reason.
  const std::pair<std::string, std::string> ways[]{
      {"crash at load", "it was killed by signal 6"},
      {"crash", "it was killed by signal 6"},
      {"crash in the compiler", "it was killed by signal 6"},
      {"exit", "it ended with status 0"},
      {"platforms", "clIcdGetPlatformIDsKHR: CL_OUT_OF_HOST_MEMORY"},
      {"devices", "clGetDeviceIDs: CL_OUT_OF_RESOURCES"},
      {"answers", "CL_INVALID_DEVICE"},
      {"no compiler", "Fake GPU (Fake OpenCL): its driver has no compiler"},
      {"context", "Fake GPU (Fake OpenCL): clCreateContext: CL_OUT_OF_RESOURCES"},
      {"compiler", "Fake GPU (Fake OpenCL): a kernel does not build: clBuildProgram: CL_BUILD_PROGRAM_FAILURE"},
      {"arithmetic", "Fake GPU (Fake OpenCL): a kernel that adds 41 to 1 gave 1"}};
  int number = 0;
  for (const auto& [how, words] : ways) {
    // A cache folder each: the verdict on the driver's file is remembered.
    Environment environment({{"OCLDNN_TRIAL", TRIAL},
                             {"FAKE_OPENCL", how},
                             {"OCLDNN_CACHE_DIR", folder_.path() + "/cache" + std::to_string(number++)}});
    for (int i = 0; i < 2; i++) {
      auto text = list_devices();
      EXPECT_EQ(count(text, "device: "), 0) << how;
      EXPECT_EQ(count(text, "declined: "), 1) << how << ":\n" << text;
      EXPECT_TRUE(has(text, words)) << how << ":\n" << text;
    }
  }
}

TEST_F(Drivers, OneThatHangsIsEndedAndRemembered) {
  begin_within_an_hour();
  // The library's own patience is a minute; this trial's is a second. It leaves a line in a file.
  auto tries = folder_.path() + "/tries";
  auto trial =
      folder_.file("trial", fmt::format("#!/bin/sh\necho >> {}\nexec timeout -s KILL 1 {} \"$@\"\n", tries, TRIAL));
  std::filesystem::permissions(trial, std::filesystem::perms::owner_all);
  for (const auto* how : {"hang", "hang at load"}) {
    Environment environment(
        {{"OCLDNN_TRIAL", trial}, {"FAKE_OPENCL", how}, {"OCLDNN_CACHE_DIR", folder_.path() + "/" + how}});
    auto text = list_devices();
    EXPECT_EQ(count(text, "device: "), 0) << text;
    EXPECT_TRUE(has(text, "tried in a process of its own, it was killed by signal 9")) << text;
    auto before = system::read_file(tries);
    EXPECT_EQ(list_devices(), text);
    EXPECT_EQ(system::read_file(tries), before) << "it was tried again";
  }
  Environment environment({{"FAKE_OPENCL", "hang at load"}});
  auto outcome = system::run_program({TRIAL, FAKE_DRIVER}, 1);
  EXPECT_FALSE(outcome.ended_well);
  EXPECT_EQ(outcome.how, "took more than 1 s");
}

TEST_F(Drivers, ABrokenOneBesideAGoodOneIsALineInTheLog) {
  auto log_of = [](std::optional<std::string> devices) {
    Environment environment({{"OCL_ICD_FILENAMES", "/no/such/library.so"},
                             {"FAKE_OPENCL_DEVICES", "gpu/G/OpenCL 3.0;cpu/C/OpenCL 3.0"},
                             {"OCLDNN_DEVICES", devices}});
    return system::run_program({"/bin/sh", "-c", LIST_DEVICES " 2>&1 > /dev/null"}, 60).output;
  };
  EXPECT_EQ(count(log_of({}), "\n"), 1) << "a device left out by choice is none: " << log_of({});
  EXPECT_TRUE(has(log_of({}), "driver /no/such/library.so (named by OCL_ICD_FILENAMES) is not offered: "))
      << log_of({});
  {
    Environment old(
        {{"FAKE_OPENCL_DEVICES", "gpu/G/OpenCL 3.0;gpu/H/OpenCL 1.1"}, {"OCL_ICD_FILENAMES", std::nullopt}});
    auto outcome = system::run_program({"/bin/sh", "-c", LIST_DEVICES " 2>&1 > /dev/null"}, 60);
    EXPECT_EQ(outcome.output, "H (Fake OpenCL) is not offered: it has OpenCL 1.1; 1.2 is needed\n");
  }
  EXPECT_TRUE(has(log_of("gpu,mistyped"), "OCLDNN_DEVICES=mistyped is not offered: no such device"));
  // Where nothing is offered the user has the reason from whoever asked for devices.
  EXPECT_EQ(log_of("mistyped"), "");
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
