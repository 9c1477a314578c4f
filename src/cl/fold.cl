// What reductions fold with, over values of cl/types.cl: fold_<name>(x, y), its neutral element NEUTRAL_<name>, and
// lanes_<name>(v), which folds all lanes of a vector into its first in a fixed order. After cl/math.cl.
#ifdef T_IS_REAL
#define T_LEAST ((T)(-INFINITY))
#define T_GREATEST ((T)(INFINITY))
static inline TV fold_sum(TV x, TV y) { return x + y; }
static inline TV fold_prod(TV x, TV y) { return x * y; }
#else
#ifdef T_IS_SIGNED
#define T_LEAST ((T)((UT)1 << (8 * sizeof(T) - 1)))
#define T_GREATEST ((T)~T_LEAST)
#else
#define T_LEAST ((T)0)
#define T_GREATEST ((T)~(T)0)
#endif
static inline TV fold_sum(TV x, TV y) { return f_add(x, y); }
static inline TV fold_prod(TV x, TV y) { return f_mul(x, y); }
#endif
static inline TV fold_max(TV x, TV y) { return f_max(x, y); }
static inline TV fold_min(TV x, TV y) { return f_min(x, y); }
static inline TV fold_all(TV x, TV y) { return VALUE(x != ALL(0) && y != ALL(0)); }
static inline TV fold_any(TV x, TV y) { return VALUE(x != ALL(0) || y != ALL(0)); }

#define NEUTRAL_sum ALL(0)
#define NEUTRAL_prod ALL(1)
#define NEUTRAL_max ALL(T_LEAST)
#define NEUTRAL_min ALL(T_GREATEST)
#define NEUTRAL_all ALL(1)
#define NEUTRAL_any ALL(0)

typedef union {
  TV all;
  T lane[WIDTH];
} value_lanes;

// The lanes moved down by `span`, as far as the first `span` lanes are concerned.
static inline TV upper_lanes(TV v, int span) {
#if WIDTH == 16
  return span == 8   ? v.s89abcdef89abcdef
         : span == 4 ? v.s4567456745674567
         : span == 2 ? v.s2323232323232323
                     : v.s1111111111111111;
#elif WIDTH == 8
  return span == 4 ? v.s45674567 : span == 2 ? v.s23232323 : v.s11111111;
#elif WIDTH == 4
  return span == 2 ? v.s2323 : v.s1111;
#elif WIDTH == 2
  return v.s11;
#else
  return v;
#endif
}
static inline TV lanes_sum(TV v) {
  for (int span = WIDTH / 2; span > 0; span /= 2) v = fold_sum(v, upper_lanes(v, span));
  return v;
}
static inline TV lanes_prod(TV v) {
  for (int span = WIDTH / 2; span > 0; span /= 2) v = fold_prod(v, upper_lanes(v, span));
  return v;
}
static inline TV lanes_max(TV v) {
  for (int span = WIDTH / 2; span > 0; span /= 2) v = fold_max(v, upper_lanes(v, span));
  return v;
}
static inline TV lanes_min(TV v) {
  for (int span = WIDTH / 2; span > 0; span /= 2) v = fold_min(v, upper_lanes(v, span));
  return v;
}
static inline TV lanes_all(TV v) {
  for (int span = WIDTH / 2; span > 0; span /= 2) v = fold_all(v, upper_lanes(v, span));
  return v;
}
static inline TV lanes_any(TV v) {
  for (int span = WIDTH / 2; span > 0; span /= 2) v = fold_any(v, upper_lanes(v, span));
  return v;
}

// A condition that holds in the first n lanes.
static inline MV first_lanes(int n) {
#if WIDTH == 1
  return n > 0;
#else
  union {
    MV all;
    MT lane[WIDTH];
  } mask;
  for (int i = 0; i < WIDTH; ++i) mask.lane[i] = (MT)(i < n ? -1 : 0);
  return mask.all;
#endif
}
