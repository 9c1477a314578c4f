// What every case is held against: the conversions of 16-bit floats, over all of their values, and what is drawn.
#include "check/arrays.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace ocldnn::check {
namespace {

double value_of(Type type, unsigned bits) {
  const std::byte bytes[]{static_cast<std::byte>(bits), static_cast<std::byte>(bits >> 8)};
  return decode(bytes, type, {}, {})[0];
}

unsigned bits_of(Type type, double value) {
  const auto bytes = encode({type, {}, {value}}, {});
  return std::to_integer<unsigned>(bytes[0]) | std::to_integer<unsigned>(bytes[1]) << 8;
}

class Half : public testing::TestWithParam<Type> {};

TEST_P(Half, EveryValueComesBackWithItsBits) {
  for (unsigned bits = 0; bits < 1 << 16; ++bits) {
    const double value = value_of(GetParam(), bits);
    if (std::isnan(value)) EXPECT_TRUE(std::isnan(rounded(GetParam(), value))) << bits;
    else EXPECT_EQ(bits_of(GetParam(), value), bits);
  }
}

TEST_P(Half, WhatLiesBetweenTwoIsRoundedToTheNearerOrTheEvenOne) {
  for (unsigned bits = 0; std::isfinite(value_of(GetParam(), bits)); ++bits) {
    const double value = value_of(GetParam(), bits), next = value_of(GetParam(), bits + 1);
    const double gap = std::isfinite(next) ? next - value : value - value_of(GetParam(), bits - 1);
    const double middle = value + gap / 2;
    EXPECT_EQ(bits_of(GetParam(), middle), bits + bits % 2);
    EXPECT_EQ(bits_of(GetParam(), std::nextafter(middle, 0)), bits);
    EXPECT_EQ(bits_of(GetParam(), std::nextafter(middle, INFINITY)), bits + 1);
    EXPECT_EQ(bits_of(GetParam(), -middle), bits_of(GetParam(), middle) | 1 << 15);
  }
}

INSTANTIATE_TEST_SUITE_P(arrays, Half, testing::Values(Type::f16, Type::bf16),
                         [](const auto& of) { return std::string(name(of.param)); });

TEST(Draw, WholeNumbersReachBothEndsOfTheirRange) {
  std::mt19937_64 random(1);
  const auto drawn = draw({.type = Type::i32, .shape = {200}, .low = -1.5, .high = 7}, random).values;
  const auto [least, greatest] = std::minmax_element(drawn.begin(), drawn.end());
  EXPECT_EQ(*least, -1);
  EXPECT_EQ(*greatest, 7);
}

}  // namespace
}  // namespace ocldnn::check
