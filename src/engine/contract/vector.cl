// Products on CPUs: c = epilogue(a * b), a work-group of one item, b in panels as pack.cl makes them. A group computes
// `block_rows` rows of `block_panels` panels. Two kernels, by how a is read:
//   contract_vector_rows    k is contiguous in a: MR row pointers into a itself, new ones for each tap, a row of zeros
//                           where the window is outside. Convolution without im2col, matmul without copying a.
//   contract_vector_packed  any strides and types, short depths (an image of one channel): MR rows of a are copied,
//                           converted, to the stack, and used for all panels of the group.
// Tunables beside those of register_tile.cl:
#ifndef ROWS_MOST
#define ROWS_MOST 256     // most rows of a group: the size of its tables
#endif
#ifndef TAPS_MOST
#define TAPS_MOST 64      // most taps of contract_vector_rows: the bits of a mask
#endif
#ifndef PACK_DEPTH
#define PACK_DEPTH 256    // terms of a block of contract_vector_packed: MR * PACK_DEPTH elements stay in L1
#endif
#ifndef PANELS_MOST
#define PANELS_MOST 8     // most panels of a group of contract_vector_packed: MR * NR * PANELS_MOST sums on the stack
#endif
// FORM 1 builds contract_vector_rows (WINDOW: rows have taps), 2 contract_vector_packed (FEW_TAPS: at most TAPS_MOST). B_DIRECT: b is not packed, its
// columns are contiguous, and it is read in place.
#include "engine/contract/problem.cl"
#include "engine/contract/register_tile.cl"

#define INSIDE(x0, x1, x2) \
  ((x0) >= 0 && (x0) < extent0 && (x1) >= 0 && (x1) < extent1 && (x2) >= 0 && (x2) < extent2)
#define A_ROW (A_GROUP + r0 * a_image + x0 * a_space0 + x1 * a_space1 + x2 * a_space2)
#define WINDOW_AT const index_t x0 = r1 * step0 + origin0, x1 = r2 * step1 + origin1, x2 = r3 * step2 + origin2;
// r0..r3 of the first row, and from one row to the next without dividing.
#define FIRST_ROW(m)                                                                                     \
  index_t r3 = (m) % rows3, r2 = (m) / rows3 % rows2, r1 = (m) / rows3 / rows2 % rows1, r0 = (m) / rows3 / rows2 / rows1;
#define NEXT_ROW \
  if (++r3 == rows3) { r3 = 0; if (++r2 == rows2) { r2 = 0; if (++r1 == rows1) { r1 = 0; ++r0; } } }
// mask: bit t says that tap t of the row lies inside a.
#define TAP_MASK(mask)                                                                                   \
  ulong mask = 0, line_ = 0;                                                                             \
  for (int t2 = 0; t2 < taps2; ++t2)                                                                     \
    if (x2 + t2 * dilation2 >= 0 && x2 + t2 * dilation2 < extent2) line_ |= (ulong)1 << t2;              \
  for (int t0 = 0, t = 0; t0 < taps0; ++t0)                                                              \
    for (int t1 = 0; t1 < taps1; ++t1, t += taps2)                                                       \
      if (x0 + t0 * dilation0 >= 0 && x0 + t0 * dilation0 < extent0 && x1 + t1 * dilation1 >= 0 &&       \
          x1 + t1 * dilation1 < extent1) mask |= line_ << t;

#if FORM == 1
// block_taps taps times block_depth of k make a block of the sum, so that its part of a panel stays in L2; with more
// than one tap in a block, block_depth is all of depth. Between blocks the sums rest in c. zeros_at: where `depth`
// zeros lie in packed.
kernel ONE_ITEM void contract_vector_rows(PROBLEM_PARAMETERS, global T *packed, long packed_offset, long zeros_at,
                                          int block_rows, int block_panels, int block_taps, int block_depth
                                          EPILOGUE_PARAMETERS) {
  const index_t g = GROUP_2, row_count = rows0 * rows1 * rows2 * rows3, first_row = GROUP_0 * block_rows;
  DECODE_GROUP(g)
  const int here = (int)min((index_t)block_rows, row_count - first_row), taps = (int)(taps0 * taps1 * taps2);
  const int panels = (int)((cols + NR - 1) / NR), panel0 = GROUP_1 * block_panels;
  const int panel1 = min(panels, panel0 + block_panels);

  // Where each row begins in a and in c. The last tile computes rows that are not there, as copies of the last one.
  index_t row_a[ROWS_MOST + MR], row_c[ROWS_MOST + MR];
  EPILOGUE_TABLES(ROWS_MOST + MR)
#ifdef WINDOW
  ulong row_taps[ROWS_MOST + MR];  // bit t: tap t lies inside a
  index_t tap_at[TAPS_MOST];
  for (int t = 0; t < taps; ++t) {
    const index_t t2 = t % taps2, t1 = t / taps2 % taps1, t0 = t / taps2 / taps1;
    tap_at[t] = t0 * dilation0 * a_space0 + t1 * dilation1 * a_space1 + t2 * dilation2 * a_space2;
  }
#endif
  FIRST_ROW(first_row)
  for (int i = 0; i < here + MR; ++i) {
    WINDOW_AT
    row_a[i] = A_ROW, row_c[i] = C_ROW;
    EPILOGUE_FILL(i)
#ifdef WINDOW
    TAP_MASK(inside)
    row_taps[i] = inside;
#endif
    if (i + 1 < here) { NEXT_ROW }
  }
  global const T *image = (global const T *)a + a_offset;
  global const T *zeros = packed + packed_offset + zeros_at;
  global T *out = (global T *)c + c_offset;

  for (int t0 = 0; t0 < taps; t0 += block_taps)
    for (int k0 = 0; k0 < depth; k0 += block_depth) {
      const int t1 = min(taps, t0 + block_taps), kn = min((int)depth - k0, block_depth);
      const bool first = t0 == 0 && k0 == 0, last = t1 == taps && k0 + kn == depth;
      for (int p = panel0; p < panel1; ++p) {
        const int q = p * NR, left = (int)(cols - q);
#ifdef B_DIRECT
        global const T *panel = (global const T *)b + b_offset + B_GROUP + (index_t)k0 * b_depth + q;
        const int b_step = (int)b_depth;
#define LOAD_B LOAD_DIRECT
#else
        global const T *panel = packed + packed_offset + ((((long)g * panels + p) * taps + t0) * depth + k0) * NR;
#define b_step NR
#define LOAD_B LOAD_PANEL
#endif
        for (int m = 0; m < here; m += MR) {
          global const T *pb = panel;
          DECLARE_SUMS
#ifdef WINDOW
          for (int t = t0; t < t1; ++t) {
            const index_t tap = tap_at[t] + k0;
#define POINT(i) global const T *a##i = row_taps[m + i] >> t & 1 ? image + row_a[m + i] + tap : zeros;
            EACH_ROW(POINT)
            RUN_ROW_POINTERS(kn)
          }
#else
#define POINT(i) global const T *a##i = image + row_a[m + i] + k0;
          EACH_ROW(POINT)
#ifdef B_DIRECT
          if (left < NR) RUN_ROW_POINTERS_BY(kn, LOAD_PART, b_step)
          else
#endif
          RUN_ROW_POINTERS_BY(kn, LOAD_B, b_step)
#endif
#if defined(EPILOGUE_IDENTITY) && defined(ELEMENT_IS_T) && defined(C_UNIT)
          if (first && last && left >= NR && m + MR <= here) {  // a whole tile, stored from its registers
#define STORE_SUM(i, v) store_any(s##i##_##v, out + row_c[m + i] + q + v * WIDTH);
#define STORE_ROW(i) EACH_VECTOR(STORE_SUM, i)
            EACH_ROW(STORE_ROW)
            continue;
          }
#endif
          SAVE_SUMS
          for (int i = 0; i < MR && m + i < here; ++i) {
            EPILOGUE_SEEK(m + i)
            for (int v = 0; v < NV && v * WIDTH < left; ++v) {
              const int n = left - v * WIDTH, at = q + v * WIDTH;
              TV sum = sums[i * NV + v];
              if (!first) sum += n >= WIDTH ? load_any(out + row_c[m + i] + at) : load_part(out + row_c[m + i] + at, n);
              if (last) STORE_C(EPILOGUE(sum, at, n), c + c_offset + row_c[m + i] + at * c_col, n)
              else if (n >= WIDTH) store_any(sum, out + row_c[m + i] + at);
              else store_part(sum, out + row_c[m + i] + at, n);
            }
          }
        }
      }
    }
}
#endif

#if FORM == 2
// The rows' part of a, PACK_DEPTH terms at a time, as x[k][MR]; sums of all panels rest in `part` between the blocks.
kernel ONE_ITEM void contract_vector_packed(PROBLEM_PARAMETERS, global T *packed, long packed_offset, int block_rows,
                                            int block_panels EPILOGUE_PARAMETERS) {
  const index_t g = GROUP_2, row_count = rows0 * rows1 * rows2 * rows3, first_row = GROUP_0 * block_rows;
  DECODE_GROUP(g)
  const int here = (int)min((index_t)block_rows, row_count - first_row);
  const int panels = (int)((cols + NR - 1) / NR), panel0 = GROUP_1 * block_panels;
  const int panel1 = min(panels, panel0 + block_panels);
  const index_t terms = taps0 * taps1 * taps2 * depth;
  global const ELEMENT *image = a + a_offset;

  T x[PACK_DEPTH * MR];
  TV part[PANELS_MOST * MR * NV];
  FIRST_ROW(first_row)
  for (int m = 0; m < here; m += MR) {
    index_t row_a[MR], row_c[MR];
    EPILOGUE_TABLES(MR)
#ifdef FEW_TAPS
    ulong row_taps[MR], shared = ~(ulong)0;  // taps inside a; those of all rows
#else
    index_t row_x0[MR], row_x1[MR], row_x2[MR];
#endif
    bool contiguous = m + MR <= here;  // rows are neighbours in a
    for (int i = 0; i < MR; ++i) {
      WINDOW_AT
      row_a[i] = A_ROW, row_c[i] = C_ROW;
      contiguous = contiguous && row_a[i] == row_a[0] + i;
      EPILOGUE_FILL(i)
#ifdef FEW_TAPS
      TAP_MASK(inside)
      row_taps[i] = inside, shared &= inside;
#else
      row_x0[i] = x0, row_x1[i] = x1, row_x2[i] = x2;
#endif
      if (m + i + 1 < here) { NEXT_ROW }
    }
    for (index_t k0 = 0; k0 < terms; k0 += PACK_DEPTH) {
      const int kn = (int)min((index_t)PACK_DEPTH, terms - k0);
      for (int k = 0; k < kn;) {
        const index_t t = (k0 + k) / depth, d = k0 + k - t * depth;
        int run = (int)min((index_t)(kn - k), depth - d);
#ifdef FEW_TAPS
        // Taps of a line that are neighbours in a and lie inside for all rows are one run.
        const ulong line = ~(~(ulong)0 << (int)(taps2 - t % taps2 - 1) << 1) << t;
        if (dilation2 * a_space2 == depth * a_depth && (shared & line) == line)
          run = (int)min((index_t)(kn - k), (taps2 - t % taps2) * depth - d);
#endif
        const index_t t2 = t % taps2 * dilation2, t1 = t / taps2 % taps1 * dilation1, t0 = t / taps2 / taps1 * dilation0;
        const index_t tap = t0 * a_space0 + t1 * a_space1 + t2 * a_space2 + d * a_depth;
#ifdef FEW_TAPS
        const bool all = shared >> t & 1;
#define IS_INSIDE(i) (row_taps[i] >> t & 1)
#else
        bool all = true;
        for (int i = 0; i < MR; ++i) all = all && INSIDE(row_x0[i] + t0, row_x1[i] + t1, row_x2[i] + t2);
#define IS_INSIDE(i) INSIDE(row_x0[i] + t0, row_x1[i] + t1, row_x2[i] + t2)
#endif
        T *to = x + k * MR;
        if (all && contiguous) {
          global const ELEMENT *from = image + row_a[0] + tap;
          for (int j = 0; j < run; ++j)
            for (int i = 0; i < MR; ++i) to[j * MR + i] = LOAD(from, j * a_depth + i);
        } else if (run == 1) {
          for (int i = 0; i < MR; ++i) to[i] = IS_INSIDE(i) ? LOAD(image, row_a[i] + tap) : 0;
        } else {
          for (int i = 0; i < MR; ++i) {
            if (IS_INSIDE(i)) for (int j = 0; j < run; ++j) to[j * MR + i] = LOAD(image, row_a[i] + tap + j * a_depth);
            else for (int j = 0; j < run; ++j) to[j * MR + i] = 0;
          }
        }
        k += run;
      }
      for (int p = panel0; p < panel1; ++p) {
        const int q = p * NR, left = (int)(cols - q);
        global const T *pb = packed + packed_offset + (((long)g * panels + p) * terms + k0) * NR;
        const T *pa = x;
        DECLARE_SUMS
        RUN_CONSECUTIVE(kn, LOAD_PANEL, MR, NR)
        SAVE_SUMS
        TV *rest = part + (p - panel0) * MR * NV;
        if (k0 > 0) for (int i = 0; i < MR * NV; ++i) sums[i] += rest[i];
        if (k0 + kn < terms) {
          for (int i = 0; i < MR * NV; ++i) rest[i] = sums[i];
          continue;
        }
        for (int i = 0; i < MR && m + i < here; ++i) {
          EPILOGUE_SEEK(i)
          for (int v = 0; v < NV && v * WIDTH < left; ++v) {
            const int n = left - v * WIDTH, at = q + v * WIDTH;
            STORE_C(EPILOGUE(sums[i * NV + v], at, n), c + c_offset + row_c[i] + at * c_col, n)
          }
        }
      }
    }
  }
}
#endif
