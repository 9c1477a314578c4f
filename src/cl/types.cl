// Types shared by all kernels. A storage type comes in as -DNAME=ctype with -DNAME_IS_<KIND>=1 (KernelId::type).
// Kernels index with `index_t`: int where every view has fewer than 2^31 elements, long otherwise (-DINDEX_64).
#ifdef INDEX_64
typedef long index_t;
#else
typedef int index_t;
#endif

#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
