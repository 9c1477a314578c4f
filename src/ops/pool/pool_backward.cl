// Pooling's gradient, in gather form: each element of dx [N, D, H, W, C] looks at the windows of dy [N, OD, OH, OW, C]
// that cover it, so that nothing is written twice and sums have a fixed order. Parameters: windows.cl.
#include "ops/pool/windows.cl"

kernel __attribute__((reqd_work_group_size(LOCAL, 1, 1))) void pool_backward(
    global const S *dy, long dy_offset, long dy_n, long dy_d, long dy_h, long dy_w, long dy_c,
#if MODE != MODE_MEAN
    global const I *places, long places_offset, long p_n, long p_d, long p_h, long p_w, long p_c,
#endif
    global S *dx, long dx_offset, long dx_n, long dx_d, long dx_h, long dx_w, long dx_c, int N, int C, int D, int H,
    int W, int OD, int OH, int OW, int KD, int KH, int KW, int SD, int SH, int SW, int PD, int PH, int PW,
    int lines_per_group) {
  const struct Span s = span_of((index_t)N * (C_INNER ? 1 : C) * D * H, W, C, lines_per_group);
  for (index_t line = s.line; line < s.last_line; line++) {
    const struct Line at = line_at(line, D, H, C);
    const int2 ds = covering(at.d, OD, SD, PD, KD), hs = covering(at.h, OH, SH, PH, KH);
    for (int w = s.w; w < s.last_w; w++) {
      const int2 ws = covering(w, OW, SW, PW, KW);
      for (int step = s.c; step < s.last_c; step += WIDTH) {
        const int c = C_INNER ? step : at.c, count = s.last_c - step;
        TV sum = (TV)(0);
        for (int d = ds.x; d < ds.y; d++)
          for (int h = hs.x; h < hs.y; h++)
            for (int ow = ws.x; ow < ws.y; ow++) {
              const TV g = load_upto(dy, dy_offset + at.n * dy_n + d * dy_d + h * dy_h + ow * dy_w + c * dy_c, count, 0);
#if MODE == MODE_MEAN
              const int2 kd = inside(d, D, SD, PD, KD), kh = inside(h, H, SH, PH, KH), kw = inside(ow, W, SW, PW, KW);
              sum += g / (T)((kd.y - kd.x) * (kh.y - kh.x) * (kw.y - kw.x));
#else
              const long p = places_offset + at.n * p_n + d * p_d + h * p_h + ow * p_w + c * p_c;
              const int here = (at.d * H + at.h) * W + w;
#if MODE == MODE_WHERE
              const VEC(MT) hit = load_whole(places, p, count) == (VEC(MT))(here);
#else
              const long flat = (WITH_BATCH ? (long)at.n * D * H * W * C : 0) + (long)here * C + c;
              lanes_of_MT t;
              for (int k = 0; k < WIDTH; k++) t.lane[k] = k < count && places[p + k * p_c] == flat + k ? -1 : 0;
              const VEC(MT) hit = t.all;
#endif
              sum += hit ? g : (TV)(0);
#endif
            }
        store_upto(sum, dx, dx_offset + at.n * dx_n + at.d * dx_d + at.h * dx_h + w * dx_w + c * dx_c, count);
      }
    }
  }
}
