// Types shared by all kernels. A storage type comes in as -DNAME=ctype with -DNAME_IS_<KIND>=1 (KernelId::type).
// Kernels index with `index_t`: int where every view is small enough (wants_long_indices()), long otherwise (-DINDEX_64).
//
// A kernel that computes on vectors defines WIDTH, the lanes of a value (1, 2, 4, 8, 16), and T, its arithmetic
// (KernelId::type("T", ...)). Then
//   TV  is a value: T at WIDTH 1, else T<WIDTH>          MV  is what a comparison of values gives, a condition of ?:
//   VEC(t)  is t in as many lanes                        CONVERT(t, v), AS(t, v)  are convert_t and as_t of a vector
// Written with these, an expression means the same for a scalar and for a vector.
#ifndef CL_TYPES
#define CL_TYPES
#ifdef INDEX_64
typedef long index_t;
#else
typedef int index_t;
#endif

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)

#ifdef WIDTH
#if WIDTH == 1
#define VEC(t) t
#else
#define VEC(t) CAT(t, WIDTH)
#endif
#define CONVERT(t, v) CAT(convert_, VEC(t))(v)
#define AS(t, v) CAT(as_, VEC(t))(v)

#ifdef T
// UT: T without a sign. MT: lanes of a condition.
#if defined(T_IS_F32)
#define T_IS_REAL 1
#define MT int
#elif defined(T_IS_F64)
#define T_IS_REAL 1
#define MT long
#elif defined(T_IS_I8) || defined(T_IS_U8)
#define MT char
#define UT uchar
#elif defined(T_IS_I16) || defined(T_IS_U16)
#define MT short
#define UT ushort
#elif defined(T_IS_I32) || defined(T_IS_U32)
#define MT int
#define UT uint
#elif defined(T_IS_I64) || defined(T_IS_U64)
#define MT long
#define UT ulong
#endif
#if defined(T_IS_I8) || defined(T_IS_I16) || defined(T_IS_I32) || defined(T_IS_I64)
#define T_IS_SIGNED 1
#endif
#define TV VEC(T)
#if WIDTH == 1
#define MV int
#else
#define MV VEC(MT)
#endif
// A constant in every lane; a condition as 1 or 0.
#define ALL(c) ((TV)(c))
#define VALUE(m) ((m) ? ALL(1) : ALL(0))
#endif  // T
#endif  // WIDTH

// Storage kinds as numbers, in the order of ocldnn::Type, for cl/access.cl.
#define KIND_f32 0
#define KIND_f64 1
#define KIND_f16 2
#define KIND_bf16 3
#define KIND_i8 4
#define KIND_i16 5
#define KIND_i32 6
#define KIND_i64 7
#define KIND_u8 8
#define KIND_u16 9
#define KIND_u32 10
#define KIND_u64 11
#define KIND_boolean 12
#endif  // CL_TYPES
