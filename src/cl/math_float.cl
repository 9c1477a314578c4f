// Single precision functions for CPUs, in WIDTH lanes: arithmetic, comparisons and bit moves only, since a built-in is
// a call, or a loop over lanes, in some drivers. Errors are at most 2 units in the last place (measured by the cases);
// polynomials are minimax fits of relative error on the stated range. Included by cl/math.cl where T is float.

typedef VEC(int) IV;
typedef VEC(uint) UV;

static inline TV magnitude_of(TV x) { return AS(float, AS(uint, x) & 0x7fffffffu); }
static inline TV with_sign_of(TV x, TV sign) { return AS(float, AS(uint, x) | (AS(uint, sign) & 0x80000000u)); }
static inline TV power_of_two(IV n) { return AS(float, (n + 127) << 23); }

// (e^r - 1 - r) / r^2 for |r| <= log(2) / 2.
static inline TV exp_tail(TV r) {
  TV p = ALL(1.98495178e-04f);
  p = p * r + ALL(1.39554541e-03f);
  p = p * r + ALL(8.33339524e-03f);
  p = p * r + ALL(4.16661038e-02f);
  p = p * r + ALL(1.66666663e-01f);
  return p * r + ALL(0.5f);
}

// x = n log(2) + r. Adding 1.5 * 2^23 leaves the nearest whole number in the low bits.
static inline TV split_exponent(TV x, IV *n) {
  const TV shifted = x * ALL(1.44269504f) + ALL(12582912.0f);
  *n = AS(int, shifted) - 0x4b400000;
  const TV whole = shifted - ALL(12582912.0f);
  return (x - whole * ALL(0.693359375f)) + whole * ALL(2.12194440e-4f);
}

static inline TV f_exp(TV x) {
  x = x < ALL(-104.0f) ? ALL(-104.0f) : x > ALL(89.0f) ? ALL(89.0f) : x;
  IV n;
  const TV r = split_exponent(x, &n);
  const IV half_n = n >> 1;  // two steps: 2^n itself may be no float, and a tiny result is rounded once
  return (exp_tail(r) * (r * r) + r + ALL(1.0f)) * power_of_two(half_n) * power_of_two(n - half_n);
}

static inline TV f_expm1(TV x) {
  const TV y = x < ALL(-18.0f) ? ALL(-18.0f) : x > ALL(89.0f) ? ALL(89.0f) : x;
  IV n;
  const TV r = split_exponent(y, &n);
  const TV e = exp_tail(r) * (r * r) + r;
  const TV s = power_of_two(n - 1);
  const TV wide = (s * e + (s - ALL(0.5f))) * ALL(2.0f);
  return n == 0 ? (x == ALL(0.0f) ? x : e) : wide;
}

static inline TV f_log(TV x) {
  const MV tiny = x < ALL(0x1p-126f);
  const TV y = tiny ? x * ALL(0x1p23f) : x;
  // The mantissa moved to [sqrt(1/2), sqrt(2)).
  const IV bits = AS(int, y) - 0x3f3504f3;
  const IV exponent = bits >> 23;
  const TV f = AS(float, (bits & 0x7fffff) + 0x3f3504f3) - ALL(1.0f);
  const TV n = CONVERT(float, exponent) - (tiny ? ALL(23.0f) : ALL(0.0f));
  TV p = ALL(0.0691516552f);
  p = p * f + ALL(-0.1178970502f);
  p = p * f + ALL(0.1187301293f);
  p = p * f + ALL(-0.1238436846f);
  p = p * f + ALL(0.1421865565f);
  p = p * f + ALL(-0.1666924958f);
  p = p * f + ALL(0.200022267f);
  p = p * f + ALL(-0.2499998662f);
  p = p * f + ALL(0.3333331044f);
  const TV square = f * f;
  const TV low = p * (square * f) + n * ALL(-2.12194440e-4f);
  TV result = (low - ALL(0.5f) * square + f) + n * ALL(0.693359375f);
  result = x < ALL(INFINITY) ? result : x;  // infinity and NaN
  result = x == ALL(0.0f) ? ALL(-INFINITY) : result;
  return x < ALL(0.0f) ? ALL(NAN) : result;
}

static inline TV f_log1p(TV x) {
  const TV u = ALL(1.0f) + x;
  const TV lost = (x - (u - ALL(1.0f))) / u;
  const TV result = f_log(u) + lost;
  return x < ALL(INFINITY) && u != ALL(0.0f) ? (x == ALL(0.0f) ? x : result) : f_log(u);
}

static inline TV f_tanh(TV x) {
  const TV y = magnitude_of(x);
  const TV e = f_expm1(y > ALL(10.0f) ? ALL(20.0f) : y + y);
  return with_sign_of(e / (e + ALL(2.0f)), x);
}

static inline TV f_erf(TV x) {
  const TV t = magnitude_of(x), s = x * x;
  // erf(x) / x - 1 over x^2, |x| < 0.93
  TV p = ALL(8.34522119e-05f);
  p = p * s + ALL(-8.13743653e-04f);
  p = p * s + ALL(5.20063419e-03f);
  p = p * s + ALL(-2.68592707e-02f);
  p = p * s + ALL(1.12836939e-01f);
  p = p * s + ALL(-3.76126337e-01f);
  p = p * s + ALL(1.28379167e-01f);
  const TV near = p * x + x;
  // log(1 - erf(t)) / t, 0.92 < t < 4; beyond, erf is 1 in single precision
  const TV u = t > ALL(4.0f) ? ALL(4.0f) : t;
  TV q = ALL(2.22308339e-06f);
  q = q * u + ALL(-3.55522401e-05f);
  q = q * u + ALL(2.25685067e-04f);
  q = q * u + ALL(-5.41785209e-04f);
  q = q * u + ALL(-1.74433966e-03f);
  q = q * u + ALL(2.11864416e-02f);
  q = q * u + ALL(-1.04121610e-01f);
  q = q * u + ALL(-6.36114860e-01f);
  q = q * u + ALL(-1.12846171e+00f);
  const TV far = with_sign_of(ALL(1.0f) - f_exp(q * u), x);
  return t < ALL(0.925f) ? near : far;
}

static inline TV f_erfc(TV x) { return erfc(x); }
static inline TV f_sin(TV x) { return sin(x); }
static inline TV f_cos(TV x) { return cos(x); }
