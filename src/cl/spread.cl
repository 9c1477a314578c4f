// A flat range of independent work, the same text for both forms of kernel: on a GPU each item takes one (chunk is 1),
// elsewhere a group of one item takes `chunk` of them. GROUP is the size of the group.
#define SPREAD_KERNEL kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
#define SPREAD(i, total, chunk)                                                        \
  for (index_t i = (index_t)get_global_id(0) * (chunk), i##_end = min(i + (chunk), total); i < i##_end; ++i)
