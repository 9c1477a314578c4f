// What the runtime does when a driver fails.

#include <numeric>
#include <thread>

#include "fake/fake.hpp"
#include "runtime/file_cache.hpp"
#include "runtime/opencl.hpp"
#include "runtime/opencl_device.hpp"

namespace ocldnn::test {
namespace {

KernelId fake_kernel(const std::string& entry = "fake_kernel") {
  return kernel(entry, "kernel void " + entry + "(global int *x, long x_offset, int n) {}");
}

View whole(void* address) { return {address, Type::i32, {16}}; }

TEST(Faults, AllocationThatFailsLeavesTheDeviceAsItWas) {
  auto before = device().memory().free;
  control().create_buffer = CL_MEM_OBJECT_ALLOCATION_FAILURE;
  expect_error(Code::out_of_memory, {"Fake GPU", "1000 bytes"}, [] { device().allocate(1000); });
  expect_error(Code::out_of_memory, {"one allocation may have"}, [] { device().allocate(size_t{1} << 29); });
  std::vector<void*> blocks;
  expect_error(Code::out_of_memory, {"in use"}, [&] {
    for (;;) blocks.push_back(device().allocate(size_t{200} << 20));
  });
  EXPECT_EQ(blocks.size(), 5u);
  for (auto* block : blocks) device().deallocate(block);
  EXPECT_EQ(device().memory().free, before);
  Memory works(1000);
}

TEST(Faults, ReservedMemoryIsFoundWhenItIsUsed) {
  auto before = device().memory().free;
  auto queue = device().make_queue();
  int value = 5, got = 0;
  control().full = true;
  auto* address = static_cast<char*>(device().reserve(1000));
  auto* unused = device().reserve(0);
  for (int i = 0; i < 2; i++) {
    expect_error(Code::out_of_memory, {"Fake GPU", "1000 bytes"}, [&] { queue->write(address + 8, &value, 4); });
    expect_error(Code::out_of_memory, {"fake_kernel", "1000 bytes"},
                 [&] { launch(*queue, fake_kernel(), Grid{}, whole(address), 16); });
  }
  control().full = false;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++) threads.emplace_back([&] { device().make_queue()->write(address + 8, &value, 4); });
  for (auto& thread : threads) thread.join();
  launch(*queue, fake_kernel(), Grid{}, whole(address), 16);
  queue->read(&got, address + 8, 4);
  EXPECT_EQ(got, 5);
  expect_error(Code::invalid_argument, {"in no allocation"}, [&] { queue->write(address + 1000, &value, 4); });
  device().deallocate(address);
  device().deallocate(unused);
  EXPECT_EQ(device().memory().free, before);
}

TEST(Faults, LateFailureIsThrownOnceByTheNextSynchronise) {
  auto queue = device().make_queue();
  control().finish = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
  expect_error(Code::device, {"Fake GPU", "CL_EXEC_STATUS_ERROR"}, [&] { queue->finish(); });
  queue->finish();
}

TEST(Faults, ReadOfAFailedCommandThrows) {
  auto queue = device().make_queue();
  Memory memory(64);
  int value = 0;
  control().read_status = -9999;
  expect_error(Code::device, {"-9999"}, [&] { queue->read(&value, memory.get(), 4); });
  queue->read(&value, memory.get(), 4);
}

TEST(Faults, RecordNeverFailsAndKeepsTheFailure) {
  auto queue = device().make_queue();
  control().marker = CL_OUT_OF_HOST_MEMORY;
  auto event = queue->record();
  EXPECT_TRUE(event->complete());
  event->wait();
  expect_error(Code::device, {"CL_OUT_OF_HOST_MEMORY"}, [&] { queue->finish(); });
  queue->finish();
}

TEST(Faults, EventStaysPendingUntilItsCommandEnds) {
  auto queue = device().make_queue();
  control().hold_events = true;
  auto event = queue->record();
  EXPECT_FALSE(event->complete());
  control().hold_events = false;
  EXPECT_TRUE(event->complete());
}

TEST(Faults, FailedEnqueueNamesTheKernel) {
  auto queue = device().make_queue();
  Memory memory(64);
  control().enqueue_kernel = CL_OUT_OF_RESOURCES;
  expect_error(Code::device, {"Fake GPU", "fake_kernel", "CL_OUT_OF_RESOURCES"},
               [&] { launch(*queue, fake_kernel(), Grid{}, whole(memory.get()), 16); });
  launch(*queue, fake_kernel(), Grid{}, whole(memory.get()), 16);
}

TEST(Faults, BuildFailureTellsAllAndStays) {
  auto queue = device().make_queue();
  Memory memory(64);
  auto id = fake_kernel("fake_unbuildable").define("WIDTH", int64_t{3});
  auto builds = control().builds.load();
  control().build = CL_BUILD_PROGRAM_FAILURE;
  for (int i = 0; i < 2; i++)
    expect_error(Code::internal,
                 {"cl/types.cl", "fake_unbuildable", "Fake GPU", "-DWIDTH=3", "the fake compiler does not like it"},
                 [&] { launch(*queue, id, Grid{}, whole(memory.get()), 16); });
  EXPECT_EQ(control().builds - builds, 1);
  // A failure that may pass is not kept.
  auto passing = fake_kernel("fake_exhausted");
  control().build = CL_OUT_OF_HOST_MEMORY;
  expect_error(Code::out_of_memory, {}, [&] { launch(*queue, passing, Grid{}, whole(memory.get()), 16); });
  launch(*queue, passing, Grid{}, whole(memory.get()), 16);
}

TEST(Faults, AProgramFromDiskThatTheDriverRefusesIsCompiledAgain) {
  auto& known = static_cast<OpenclDevice&>(device());
  Listed listed;
  listed.info = known.info();
  auto run = [&] {
    OpenclDevice fresh(listed, [&known] { return known.id(); });
    auto* address = fresh.allocate(64);
    launch(*fresh.make_queue(), fake_kernel("fake_refused"), Grid{}, whole(address), 16);
    return std::pair(fresh.programs().compiled(), fresh.programs().loaded());
  };
  EXPECT_EQ(run(), std::pair(1, 0));
  EXPECT_EQ(run(), std::pair(0, 1));
  // Whole files, of a driver that is no longer what it was when it wrote them.
  FileCache files("programs");
  for (const auto& name : system::list_folder(cache_folder() + "/programs")) files.put(name, "of another version");
  EXPECT_EQ(run(), std::pair(1, 0));
  EXPECT_EQ(run(), std::pair(0, 1));
}

TEST(Faults, NothingOnTheDeviceIsLost) {
  auto queue = device().make_queue();
  std::vector<int> values(16), got(16);
  std::iota(values.begin(), values.end(), 1);
  Memory memory(64);
  queue->write(memory.get(), values.data(), 64);
  auto before = device().memory().free;
  auto run = [&](const KernelId& id) { launch(*queue, id, Grid{}, whole(memory.get()), 16); };
  const std::pair<const char*, std::function<void()>> faults[]{
      {"no buffer", [&] { control().create_buffer = CL_OUT_OF_HOST_MEMORY, device().allocate(64); }},
      {"no memory", [&] { control().full = true, device().allocate(size_t{1} << 20); }},
      {"no program", [&] { control().build = CL_BUILD_PROGRAM_FAILURE, run(fake_kernel("fake_lost_program")); }},
      {"no launch", [&] { control().enqueue_kernel = CL_MEM_OBJECT_ALLOCATION_FAILURE, run(fake_kernel()); }},
      {"no finish", [&] { control().finish = CL_OUT_OF_HOST_MEMORY, queue->finish(); }},
      {"no marker", [&] { control().marker = CL_OUT_OF_HOST_MEMORY, queue->record(), queue->finish(); }},
      {"no read", [&] { control().read_status = CL_OUT_OF_HOST_MEMORY, queue->read(got.data(), memory.get(), 64); }}};
  for (const auto& [what, fault] : faults) {
    EXPECT_THROW(fault(), Error) << what;
    control().full = false;
    std::fill(got.begin(), got.end(), 0);
    queue->read(got.data(), memory.get(), 64);
    EXPECT_EQ(got, values) << what;
    EXPECT_EQ(device().memory().free, before) << what;
    run(fake_kernel());
    Memory more(1 << 20);
  }
}

TEST(Faults, ManyThreadsBuildManyProgramsAtOnceAndEachOnce) {
  auto queue = device().make_queue();
  Memory memory(64);
  auto builds = control().builds.load();
  control().build_milliseconds = 50;
  control().most_builds_at_once = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; t++)
    threads.emplace_back([&, t] {
      for (int k = 0; k < 4; k++)
        launch(*queue, fake_kernel("fake_many" + std::to_string((k + t) % 4)), Grid{}, whole(memory.get()), 16);
    });
  for (auto& thread : threads) thread.join();
  control().build_milliseconds = 0;
  EXPECT_EQ(control().builds - builds, 4);
  EXPECT_GT(control().most_builds_at_once, 1);
}

TEST(Faults, ArgumentsAreSetOnlyWhenTheyChange) {
  auto queue = device().make_queue();
  auto id = fake_kernel("fake_arguments");
  auto set_by = [&](void* address, int n) {
    int before = control().arguments;
    launch(*queue, id, Grid{}, whole(address), n);
    return control().arguments - before;
  };
  auto* first = device().allocate(64);
  EXPECT_EQ(set_by(first, 16), 3);
  EXPECT_EQ(set_by(first, 16), 0);
  EXPECT_EQ(set_by(first, 8), 1);
  // The driver may hand out the same handle for the next buffer; the argument has to be set all the same.
  device().deallocate(first);
  auto* second = device().allocate(64);
  EXPECT_EQ(set_by(second, 8), 1);
  device().deallocate(second);
}

TEST(Faults, OtherDevicesAddressesAreRefused) {
  ASSERT_EQ(devices().size(), 2u);
  auto& other = *devices()[1];
  auto* there = other.allocate(64);
  EXPECT_EQ(device_of(there), &other);
  EXPECT_FALSE(device().owns(there));
  auto queue = device().make_queue();
  expect_error(Code::invalid_argument, {"not an address of this device"},
               [&] { launch(*queue, fake_kernel(), Grid{}, whole(there), 16); });
  // A copy between devices goes through the host.
  Memory here(64);
  const int value = 4711;
  int got = 0;
  queue->write(here.get(), &value, 4);
  queue->copy(there, here.get(), 4);
  other.make_queue()->read(&got, there, 4);
  EXPECT_EQ(got, 4711);
  // It is there when the copy returns: what waits for the queue knows nothing of the other device.
  control().late_writes = true;
  const int next = 4712;
  queue->write(here.get(), &next, 4);
  queue->finish();
  queue->copy(there, here.get(), 4);
  other.make_queue()->read(&got, there, 4);
  control().late_writes = false;
  EXPECT_EQ(got, 4712);
  other.deallocate(there);
}

// Takes the second device down for good; so it comes last.
TEST(FaultsLast, LostDeviceFailsEveryCallWithItsReason) {
  auto& lost = *devices()[1];
  auto* address = lost.allocate(64);
  auto queue = lost.make_queue();
  control().hold_events = true;
  auto pending = queue->record();
  control().lost = true;
  expect_error(Code::device, {"Fake other GPU", "lost", "CL_OUT_OF_RESOURCES"}, [&] { queue->finish(); });
  control().lost = false;
  int value = 0;
  for (auto& call : std::vector<std::function<void()>>{
           [&] { queue->read(&value, address, 4); }, [&] { queue->write(address, &value, 4); },
           [&] { queue->finish(); }, [&] { lost.allocate(64); }, [&] { lost.make_queue(); },
           [&] { launch(*queue, fake_kernel(), Grid{}, whole(address), 16); }})
    expect_error(Code::device, {"Fake other GPU", "lost", "CL_OUT_OF_RESOURCES"}, call);
  EXPECT_TRUE(pending->complete());
  EXPECT_TRUE(queue->record()->complete());
  lost.deallocate(address);
  control().hold_events = false;
  EXPECT_EQ(log_lines().back(), "Fake other GPU: the device is lost: clFinish: CL_OUT_OF_RESOURCES");
  // The other device goes on.
  device().make_queue()->finish();
}

}  // namespace
}  // namespace ocldnn::test
