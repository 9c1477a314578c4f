// Pooling forward: y [N, OD, OH, OW, C] from windows of x [N, D, H, W, C]. Parameters: windows.cl.
#include "ops/pool/windows.cl"

kernel __attribute__((reqd_work_group_size(LOCAL, 1, 1))) void pool_forward(
#if MODE == MODE_PICK
    global const S *z, long z_offset, long z_n, long z_d, long z_h, long z_w, long z_c,
#endif
#if MODE != MODE_WHERE
    global S *y, long y_offset, long y_n, long y_d, long y_h, long y_w, long y_c,
#endif
#if MODE == MODE_INDEX || MODE == MODE_WHERE
    global I *places, long places_offset, long p_n, long p_d, long p_h, long p_w, long p_c,
#endif
    global const S *x, long x_offset, long x_n, long x_d, long x_h, long x_w, long x_c, int N, int C,
    int D, int H, int W, int OD, int OH, int OW, int KD, int KH, int KW, int SD, int SH, int SW, int PD, int PH, int PW,
    int lines_per_group) {
  const struct Span s = span_of((index_t)N * (C_INNER ? 1 : C) * OD * OH, OW, C, lines_per_group);
  for (index_t line = s.line; line < s.last_line; line++) {
    const struct Line at = line_at(line, OD, OH, C);
    const int2 ds = inside(at.d, D, SD, PD, KD), hs = inside(at.h, H, SH, PH, KH);
    global const S *x_line = x + x_offset + at.n * x_n;
    for (int ow = s.w; ow < s.last_w; ow++) {
      const int2 ws = inside(ow, W, SW, PW, KW);
      for (int step = s.c; step < s.last_c; step += WIDTH) {
        const int c = C_INNER ? step : at.c, count = s.last_c - step;
        TV best = (TV)(START), picked = (TV)(0);
        VEC(MT) where = (VEC(MT))(-1);
        for (int d = ds.x; d < ds.y; d++)
          for (int h = hs.x; h < hs.y; h++)
            for (int w = ws.x; w < ws.y; w++) {
              const TV v = load_upto(x_line, d * x_d + h * x_h + w * x_w + c * x_c, count, 0);
#if MODE == MODE_MAX
              best = larger(best, v);
#elif MODE == MODE_MEAN
              best += v;
#else
              const VEC(MT) take = (v > best) | (where < 0);
              best = take ? v : best;
              where = take ? (VEC(MT))((d * H + h) * W + w) : where;
#if MODE == MODE_PICK
              const TV other = load_upto(z, z_offset + at.n * z_n + d * z_d + h * z_h + w * z_w + c * z_c, count, 0);
              picked = take ? other : picked;
#endif
#endif
            }
#if MODE == MODE_MEAN
        best /= (T)((ds.y - ds.x) * (hs.y - hs.x) * (ws.y - ws.x));
#elif MODE == MODE_PICK
        best = picked;
#endif
#if MODE != MODE_WHERE
        store_upto(best, y, y_offset + at.n * y_n + at.d * y_d + at.h * y_h + ow * y_w + c * y_c, count);
#endif
#if MODE == MODE_WHERE
        store_whole(where, places, places_offset + at.n * p_n + at.d * p_d + at.h * p_h + ow * p_w + c * p_c, count);
#elif MODE == MODE_INDEX
        const long start = (WITH_BATCH ? (long)at.n * D * H * W * C : 0) + c;
        const lanes_of_MT t = {where};
        for (int k = 0; k < min(count, WIDTH); k++)
          places[places_offset + at.n * p_n + at.d * p_d + at.h * p_h + ow * p_w + (c + k) * p_c] =
              start + k + (long)t.lane[k] * C;
#endif
      }
    }
  }
}
