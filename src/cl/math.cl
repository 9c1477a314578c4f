// The functions of formulas (formula_functions in ocldnn/formula.hpp) over values of cl/types.cl, each named f_<name>.
// All are branch-free, so that they mean the same in every lane; NaN and infinities come out as in C's maths library.
// CPU_FORM 1 (CPUs): float functions of our own where the driver's are calls per lane (cl/math_float.cl).
#ifndef CL_MATH
#define CL_MATH
#ifndef CPU_FORM
#define CPU_FORM 1
#endif

#ifdef T_IS_REAL
static inline TV f_min(TV x, TV y) { return x < y || x != x ? x : y; }
static inline TV f_max(TV x, TV y) { return x > y || x != x ? x : y; }
static inline TV f_clamp(TV x, TV low, TV high) { return x < low ? low : x > high ? high : x; }
#else
static inline TV f_min(TV x, TV y) { return min(x, y); }
static inline TV f_max(TV x, TV y) { return max(x, y); }
static inline TV f_clamp(TV x, TV low, TV high) { return min(max(x, low), high); }
#endif

#ifdef T_IS_REAL

#ifdef T_IS_F32
#define REAL_CONSTANT(c) ((TV)(c##f))
#else
#define REAL_CONSTANT(c) ((TV)(c))
#endif
#define C_ REAL_CONSTANT
#define F_INF ((TV)(INFINITY))
#define F_NAN ((TV)(NAN))

// CPUs: by the bits. Of x != x a compiler makes a load of 1 under a mask; where no element is a NaN that load never maps the
// constant's page, and each one is an assist of the processor (PoCL with AVX-512: 80 times slower).
#if !CPU_FORM
static inline MV f_isnan(TV x) { return x != x; }
#elif defined(T_IS_F32)
static inline MV f_isnan(TV x) { return (AS(MT, x) & 0x7fffffff) > 0x7f800000; }
#else
static inline MV f_isnan(TV x) { return (AS(MT, x) & 0x7fffffffffffffffL) > 0x7ff0000000000000L; }
#endif
static inline MV f_isinf(TV x) { return fabs(x) == F_INF; }
static inline MV f_isfinite(TV x) { return fabs(x) < F_INF; }

static inline TV f_abs(TV x) { return fabs(x); }
static inline TV f_sign(TV x) { return x > ALL(0) ? ALL(1) : x < ALL(0) ? ALL(-1) : x; }
static inline TV f_square(TV x) { return x * x; }
static inline TV f_floor(TV x) { return floor(x); }
static inline TV f_ceil(TV x) { return ceil(x); }
static inline TV f_trunc(TV x) { return trunc(x); }
static inline TV f_rint(TV x) { return rint(x); }
static inline TV f_copysign(TV x, TV y) { return copysign(x, y); }
static inline TV f_nextafter(TV x, TV y) { return nextafter(x, y); }
static inline TV f_fma(TV x, TV y, TV z) { return fma(x, y, z); }
static inline TV f_sqrt(TV x) { return sqrt(x); }
static inline TV f_rsqrt(TV x) { return ALL(1) / sqrt(x); }
static inline TV f_cbrt(TV x) { return cbrt(x); }
static inline TV f_hypot(TV x, TV y) { return hypot(x, y); }

static inline TV f_floor_div(TV x, TV y) { return floor(x / y); }
static inline TV f_trunc_div(TV x, TV y) { return trunc(x / y); }
static inline TV f_trunc_mod(TV x, TV y) { return fmod(x, y); }
static inline TV f_floor_mod(TV x, TV y) {
  const TV rest = fmod(x, y);
  return rest != ALL(0) && (rest < ALL(0)) != (y < ALL(0)) ? rest + y : rest;
}

#if CPU_FORM && defined(T_IS_F32)
#include "cl/math_float.cl"
#else
static inline TV f_exp(TV x) { return exp(x); }
static inline TV f_expm1(TV x) { return expm1(x); }
static inline TV f_log(TV x) { return log(x); }
static inline TV f_log1p(TV x) { return log1p(x); }
static inline TV f_tanh(TV x) { return tanh(x); }
static inline TV f_erf(TV x) { return erf(x); }
static inline TV f_erfc(TV x) { return erfc(x); }
static inline TV f_sin(TV x) { return sin(x); }
static inline TV f_cos(TV x) { return cos(x); }
#endif
static inline TV f_exp2(TV x) { return exp2(x); }
static inline TV f_log2(TV x) { return log2(x); }
static inline TV f_log10(TV x) { return log10(x); }
static inline TV f_pow(TV x, TV y) { return pow(x, y); }
static inline TV f_tan(TV x) { return tan(x); }
static inline TV f_asin(TV x) { return asin(x); }
static inline TV f_acos(TV x) { return acos(x); }
static inline TV f_atan(TV x) { return atan(x); }
static inline TV f_atan2(TV x, TV y) { return atan2(x, y); }
static inline TV f_sinh(TV x) { return sinh(x); }
static inline TV f_cosh(TV x) { return cosh(x); }
static inline TV f_asinh(TV x) { return asinh(x); }
static inline TV f_acosh(TV x) { return acosh(x); }
static inline TV f_atanh(TV x) { return atanh(x); }

static inline TV f_sigmoid(TV x) {
  const TV e = f_exp(-fabs(x));  // never overflows, and keeps what is small small
  const TV high = ALL(1) / (ALL(1) + e);
  return x < ALL(0) ? e * high : high;
}
static inline TV f_softplus(TV x) { return f_max(x, ALL(0)) + f_log1p(f_exp(-fabs(x))); }
static inline TV f_xlogy(TV x, TV y) { return x == ALL(0) ? ALL(0) : x * f_log(y); }
static inline TV f_xlog1py(TV x, TV y) { return x == ALL(0) ? ALL(0) : x * f_log1p(y); }
static inline TV f_xdivy(TV x, TV y) { return x == ALL(0) ? ALL(0) : x / y; }

#include "cl/math_special.cl"

#else  // integers

#ifdef T_IS_SIGNED
#define AS_UV(v) AS(UT, v)
#define AS_TV(v) AS(T, v)
#else
#define AS_UV(v) (v)
#define AS_TV(v) (v)
#endif
// Arithmetic that wraps: a signed overflow is undefined in C, and a scalar char becomes an int.
#define WRAP(a, op, b) AS_TV((VEC(UT))(AS_UV(a) op AS_UV(b)))

static inline TV f_add(TV a, TV b) { return WRAP(a, +, b); }
static inline TV f_sub(TV a, TV b) { return WRAP(a, -, b); }
static inline TV f_mul(TV a, TV b) { return WRAP(a, *, b); }
static inline TV f_neg(TV a) { return WRAP(ALL(0), -, a); }
static inline TV f_square(TV a) { return f_mul(a, a); }

// Division never traps: by 0 it gives 0, and the lowest number by -1 wraps to itself.
static inline TV f_trunc_div(TV a, TV b) {
#ifdef T_IS_SIGNED
  const TV safe = b == ALL(0) || b == ALL(-1) ? ALL(1) : b;
  const TV quotient = a / safe;
  return b == ALL(0) ? ALL(0) : b == ALL(-1) ? f_neg(a) : quotient;
#else
  const TV safe = b == ALL(0) ? ALL(1) : b;
  const TV low = a / safe;
  // Intel's CPU runtime makes 1 of 2132 / 1031 where it has AVX-512 for FP16.
  const TV quotient = (TV)(a - low * safe) >= safe ? (TV)(low + ALL(1)) : low;
  return b == ALL(0) ? ALL(0) : quotient;
#endif
}
static inline TV f_trunc_mod(TV a, TV b) {
#ifdef T_IS_SIGNED
  const TV safe = b == ALL(0) || b == ALL(-1) ? ALL(1) : b;
#else
  const TV safe = b == ALL(0) ? ALL(1) : b;
#endif
  return (TV)(a % safe);
}
static inline TV f_floor_mod(TV a, TV b) {
  const TV rest = f_trunc_mod(a, b);
#ifdef T_IS_SIGNED
  return rest != ALL(0) && (rest < ALL(0)) != (b < ALL(0)) ? f_add(rest, b) : rest;
#else
  return rest;
#endif
}
static inline TV f_floor_div(TV a, TV b) {
  const TV quotient = f_trunc_div(a, b);
#ifdef T_IS_SIGNED
  const TV rest = f_trunc_mod(a, b);
  return rest != ALL(0) && (rest < ALL(0)) != (b < ALL(0)) ? f_sub(quotient, ALL(1)) : quotient;
#else
  return quotient;
#endif
}

static inline TV shift_count(TV n) { return f_clamp(n, ALL(0), ALL(8 * sizeof(T) - 1)); }
static inline TV f_shl(TV a, TV n) { return AS_TV((VEC(UT))(AS_UV(a) << AS_UV(shift_count(n)))); }
static inline TV f_shr(TV a, TV n) { return (TV)(a >> shift_count(n)); }
static inline TV f_popcount(TV a) { return AS_TV(popcount(AS_UV(a))); }

#ifdef T_IS_SIGNED
static inline TV f_abs(TV x) { return AS_TV(abs(x)); }
static inline TV f_sign(TV x) { return x > ALL(0) ? ALL(1) : x < ALL(0) ? ALL(-1) : ALL(0); }
#else
static inline TV f_abs(TV x) { return x; }
static inline TV f_sign(TV x) { return x > ALL(0) ? ALL(1) : ALL(0); }
#endif

static inline TV f_pow(TV x, TV y) {
  TV result = ALL(1), power = x, rest = y;
  for (int bit = 0; bit < 8 * (int)sizeof(T); ++bit) {
    result = (TV)(rest & ALL(1)) != ALL(0) ? f_mul(result, power) : result;
    power = f_mul(power, power);
    rest = (TV)(rest >> ALL(1));
  }
#ifdef T_IS_SIGNED
  const TV odd = (TV)(y & ALL(1));
  const TV inverse = x == ALL(1) ? ALL(1) : x == ALL(-1) ? (odd != ALL(0) ? ALL(-1) : ALL(1)) : ALL(0);
  result = y < ALL(0) ? inverse : result;
#endif
  return result;
}

#endif  // integers
#endif  // CL_MATH
