// Special functions of real values, float or double, in WIDTH lanes. Included by cl/math.cl.

static inline TV f_lgamma(TV x) { return lgamma(x); }

// psi(x) = log(x) - 1 / 2x - sum B(2k) / 2k x^2k for large x, reached by psi(x) = psi(x + 1) - 1 / x; for negative x by
// psi(1 - x) - pi / tan(pi x). NaN at 0 and the negative integers.
static inline TV f_digamma(TV x) {
  const MV reflect = x <= ALL(0);
  TV y = reflect ? ALL(1) - x : x, sum = ALL(0);
  for (int i = 0; i < 10; ++i) {
    const MV step = y < ALL(10);
    sum = step ? sum - ALL(1) / y : sum;
    y = step ? y + ALL(1) : y;
  }
  const TV z = ALL(1) / (y * y);
  TV series = C_(8.33333333333333333333e-2);
  series = series * z - C_(2.10927960927960927961e-2);
  series = series * z + C_(7.57575757575757575758e-3);
  series = series * z - C_(4.16666666666666666667e-3);
  series = series * z + C_(3.96825396825396825397e-3);
  series = series * z - C_(8.33333333333333333333e-3);
  series = series * z + C_(8.33333333333333333333e-2);
  const TV positive = sum + f_log(y) - C_(0.5) / y - series * z;
  const TV rest = x - rint(x);
  const TV negative = rest == ALL(0) ? F_NAN : positive - C_(3.14159265358979323846) / tan(C_(3.14159265358979323846) * rest);
  return reflect ? negative : positive;
}

static inline TV ratio_of(TV r, TV n0, TV n1, TV n2, TV n3, TV n4, TV n5, TV n6, TV n7, TV d1, TV d2, TV d3, TV d4, TV d5,
                          TV d6, TV d7) {
  const TV numerator = ((((((n7 * r + n6) * r + n5) * r + n4) * r + n3) * r + n2) * r + n1) * r + n0;
  return numerator / (((((((d7 * r + d6) * r + d5) * r + d4) * r + d3) * r + d2) * r + d1) * r + ALL(1));
}

// The normal quantile of p = 1/2 + q, where tail = min(p, 1 - p): Wichura's AS 241 (PPND16), 1e-16.
static inline TV normal_quantile(TV q, TV tail) {
  const TV centre =
      q * ratio_of(C_(0.180625) - q * q, C_(3.3871328727963666080e0), C_(1.3314166789178437745e+2),
                   C_(1.9715909503065514427e+3), C_(1.3731693765509461125e+4), C_(4.5921953931549871457e+4),
                   C_(6.7265770927008700853e+4), C_(3.3430575583588128105e+4), C_(2.5090809287301226727e+3),
                   C_(4.2313330701600911252e+1), C_(6.8718700749205790830e+2), C_(5.3941960214247511077e+3),
                   C_(2.1213794301586595867e+4), C_(3.9307895800092710610e+4), C_(2.8729085735721942674e+4),
                   C_(5.2264952788528545610e+3));
  const TV root = f_sqrt(-f_log(tail));
  const TV middle =
      ratio_of(root - C_(1.6), C_(1.42343711074968357734e0), C_(4.63033784615654529590e0), C_(5.76949722146069140550e0),
               C_(3.64784832476320460504e0), C_(1.27045825245236838258e0), C_(2.41780725177450611770e-1),
               C_(2.27238449892691845833e-2), C_(7.74545014278341407640e-4), C_(2.05319162663775882187e0),
               C_(1.67638483018380384940e0), C_(6.89767334985100004550e-1), C_(1.48103976427480074590e-1),
               C_(1.51986665636164571966e-2), C_(5.47593808499534494600e-4), C_(1.05075007164441684324e-9));
  const TV outer =
      ratio_of(root - C_(5.0), C_(6.65790464350110377720e0), C_(5.46378491116411436990e0), C_(1.78482653991729133580e0),
               C_(2.96560571828504891230e-1), C_(2.65321895265761230930e-2), C_(1.24266094738807843860e-3),
               C_(2.71155556874348757815e-5), C_(2.01033439929228813265e-7), C_(5.99832206555887937690e-1),
               C_(1.36929880922735805310e-1), C_(1.48753612908506148525e-2), C_(7.86869131145613259100e-4),
               C_(1.84631831751005468180e-5), C_(1.42151175831644588870e-7), C_(2.04426310338993978564e-15));
  const TV far = tail == ALL(0) ? F_INF : root <= C_(5.0) ? middle : outer;
  return fabs(q) <= C_(0.425) ? centre : copysign(far, q);
}

static inline TV f_ndtri(TV p) {
  const TV result = normal_quantile(p - C_(0.5), f_min(p, ALL(1) - p));
  return p >= ALL(0) && p <= ALL(1) ? result : F_NAN;
}

static inline TV f_erfinv(TV x) {
  const TV result = normal_quantile(x * C_(0.5), (ALL(1) - fabs(x)) * C_(0.5)) * C_(0.70710678118654752440);
  return fabs(x) <= ALL(1) ? result : F_NAN;
}
