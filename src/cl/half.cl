// f16 and bf16 as bits, in WIDTH lanes, to float and back. Stores round to nearest even; a NaN stays one.
// By integers on CPUs: the built-ins are calls per lane there, and subnormals must survive a flushing FPU.
// CPU_FORM 0 takes the built-ins for f16, one instruction on GPUs.
#ifndef CL_HALF
#define CL_HALF
#ifndef CPU_FORM
#define CPU_FORM 1
#endif

static inline VEC(float) half_to_float(VEC(ushort) raw) {
#if CPU_FORM
  const VEC(uint) bits = CONVERT(uint, raw);
  const VEC(uint) magnitude = bits & 0x7fffu;
  const VEC(uint) rebias = (VEC(uint))(112u << 23);
  VEC(uint) wide = (magnitude << 13) + rebias;
  wide = magnitude >= 0x7c00u ? wide + rebias : wide;  // infinities and NaN keep their exponent of ones
  wide = magnitude < 0x400u ? AS(uint, CONVERT(float, magnitude) * 0x1p-24f) : wide;
  return AS(float, wide | ((bits & 0x8000u) << 16));
#elif WIDTH == 1
  return vload_half(0, (const private half *)&raw);
#else
  return CAT(vload_half, WIDTH)(0, (const private half *)&raw);
#endif
}

static inline VEC(ushort) float_to_half(VEC(float) value) {
#if CPU_FORM
  const VEC(uint) bits = AS(uint, value);
  const VEC(uint) magnitude = bits & 0x7fffffffu;
  // Subnormal halves: 0.5 + x has the weight of a half's last place in its own, so the addition rounds.
  const VEC(uint) small = AS(uint, AS(float, magnitude) + 0.5f) - 0x3f000000u;
  VEC(uint) narrow = (magnitude + 0xfffu + ((magnitude >> 13) & 1u) - (112u << 23)) >> 13;
  narrow = magnitude < 0x38800000u ? small : narrow;
  narrow = magnitude >= 0x477ff000u ? (VEC(uint))(0x7c00u) : narrow;
  narrow = magnitude > 0x7f800000u ? (VEC(uint))(0x7e00u) : narrow;
  return CONVERT(ushort, narrow | ((bits >> 16) & 0x8000u));
#else
  VEC(ushort) raw;
#if WIDTH == 1
  vstore_half_rte(value, 0, (private half *)&raw);
#else
  CAT(CAT(vstore_half, WIDTH), _rte)(value, 0, (private half *)&raw);
#endif
  return raw;
#endif
}

static inline VEC(float) bfloat_to_float(VEC(ushort) raw) { return AS(float, CONVERT(uint, raw) << 16); }

static inline VEC(ushort) float_to_bfloat(VEC(float) value) {
  const VEC(uint) bits = AS(uint, value);
  const VEC(uint) rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
  const VEC(uint) nan = ((bits >> 16) & 0x8000u) | 0x7fc0u;
  return CONVERT(ushort, (bits & 0x7fffffffu) > 0x7f800000u ? nan : rounded);
}
#endif  // CL_HALF
