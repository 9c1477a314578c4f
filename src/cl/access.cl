// Reads and writes values of WIDTH lanes in one storage type, converting to T on the way in and from T on the way out.
// Included once a storage type, with
//   KIND     its name, in small letters: f32 f64 f16 bf16 i8 ... u64 boolean
//   STORAGE  the C type of its bits (f16 and bf16: ushort; boolean: uchar)
// and after cl/types.cl and cl/half.cl. ALIGNED 1: full vectors lie at multiples of their size, else of an element's.
//
//   load_f16(p)            WIDTH neighbours              store_f16(p, v)
//   load_part_f16(p, n)    the first n, 0 < n < WIDTH    store_part_f16(p, v, n)
//   load_one_f16(p)        one element in every lane
//   gather_f16(p, s, n)    n elements, s apart           scatter_f16(p, s, v, n)
//
// A real number becomes an integer as in C on x86: truncated, and out of range the value that has only the sign bit.
#ifndef ALIGNED
#define ALIGNED 0
#endif
#define NAMED(what) CAT(what, CAT(_, KIND))
#define KIND_NUMBER CAT(KIND_, KIND)
#define KIND_IS_INTEGER (KIND_NUMBER >= KIND_i8)

#if ALIGNED
typedef VEC(STORAGE) NAMED(raw);
#else
typedef VEC(STORAGE) NAMED(raw) __attribute__((aligned(sizeof(STORAGE))));
#endif
typedef union {
  VEC(STORAGE) all;
  STORAGE lane[WIDTH];
} NAMED(lanes);

// REAL to integer: between a real T and an integer storage type, or an integer T and a real storage type.
#undef REAL
#if defined(T_IS_REAL) && KIND_IS_INTEGER
#define REAL T
#define WHOLE STORAGE
#elif !defined(T_IS_REAL) && !KIND_IS_INTEGER
#define WHOLE T
#if KIND_NUMBER == KIND_f64
#define REAL double
#else
#define REAL float
#endif
#endif
#ifdef REAL
static inline VEC(WHOLE) NAMED(truncated)(VEC(REAL) v) {
#if WIDTH == 1
#define INSIDE(t) (v >= lowest && v < -lowest)
#else
#define INSIDE(t) CONVERT(t, v >= lowest && v < -lowest)
#endif
#if (defined(T_IS_REAL) && KIND_NUMBER == KIND_u64) || defined(T_IS_U64)
  const VEC(REAL) lowest = (VEC(REAL))(-0x1p63f), shifted = v + lowest;
  const VEC(ulong) low = AS(ulong, INSIDE(long) ? CONVERT(long, v) : (VEC(long))(LONG_MIN));
#if WIDTH == 1
  const int high = v >= -lowest, fits = shifted < -lowest;
#else
  const VEC(long) high = CONVERT(long, v >= -lowest), fits = CONVERT(long, shifted < -lowest);
#endif
  const VEC(ulong) top = fits ? CONVERT(ulong, shifted) + (VEC(ulong))(1ul << 63) : (VEC(ulong))(0);
  return high ? top : low;
#elif (defined(T_IS_REAL) && (KIND_NUMBER == KIND_i64 || KIND_NUMBER == KIND_u32)) || defined(T_IS_I64) || defined(T_IS_U32)
  const VEC(REAL) lowest = (VEC(REAL))(-0x1p63f);
  return CONVERT(WHOLE, INSIDE(long) ? CONVERT(long, v) : (VEC(long))(LONG_MIN));
#else
  const VEC(REAL) lowest = (VEC(REAL))(-0x1p31f);
  return CONVERT(WHOLE, INSIDE(int) ? CONVERT(int, v) : (VEC(int))(INT_MIN));
#endif
#undef INSIDE
}
#endif

static inline TV NAMED(from)(VEC(STORAGE) raw) {
#if KIND_NUMBER == KIND_f16
  const VEC(float) v = half_to_float(raw);
#elif KIND_NUMBER == KIND_bf16
  const VEC(float) v = bfloat_to_float(raw);
#elif KIND_NUMBER == KIND_boolean
  const VEC(uchar) v = raw != (VEC(uchar))(0) ? (VEC(uchar))(1) : (VEC(uchar))(0);
#else
  const VEC(STORAGE) v = raw;
#endif
#if defined(REAL) && !KIND_IS_INTEGER
  return NAMED(truncated)(v);
#else
  return CONVERT(T, v);
#endif
}

static inline VEC(STORAGE) NAMED(to)(TV v) {
#if KIND_NUMBER == KIND_f16
  return float_to_half(CONVERT(float, v));
#elif KIND_NUMBER == KIND_bf16
  return float_to_bfloat(CONVERT(float, v));
#elif KIND_NUMBER == KIND_boolean
  return CONVERT(uchar, VALUE(v != ALL(0)));
#elif defined(REAL) && KIND_IS_INTEGER
  return NAMED(truncated)(v);
#else
  return CONVERT(STORAGE, v);
#endif
}

static inline TV NAMED(load)(global const STORAGE *p) { return NAMED(from)(*(global const NAMED(raw) *)p); }
static inline void NAMED(store)(global STORAGE *p, TV v) { *(global NAMED(raw) *)p = NAMED(to)(v); }

static inline TV NAMED(load_one)(global const STORAGE *p) { return NAMED(from)((VEC(STORAGE))(*p)); }

static inline TV NAMED(gather)(global const STORAGE *p, index_t stride, int n) {
  NAMED(lanes) raw;
  raw.all = (VEC(STORAGE))(*p);
  for (int i = 1; i < n; ++i) raw.lane[i] = p[i * stride];
  return NAMED(from)(raw.all);
}
static inline void NAMED(scatter)(global STORAGE *p, index_t stride, TV v, int n) {
  NAMED(lanes) raw;
  raw.all = NAMED(to)(v);
  for (int i = 0; i < n; ++i) p[i * stride] = raw.lane[i];
}

static inline TV NAMED(load_part)(global const STORAGE *p, int n) { return NAMED(gather)(p, 1, n); }
static inline void NAMED(store_part)(global STORAGE *p, TV v, int n) { NAMED(scatter)(p, 1, v, n); }

#undef NAMED
#undef KIND_NUMBER
#undef KIND_IS_INTEGER
#undef REAL
#undef WHOLE
#undef KIND
#undef STORAGE
