#include "api/status.hpp"

namespace ocldnn::tf {

TF_Code code_of(Code code) {
  switch (code) {
    case Code::invalid_argument: return TF_INVALID_ARGUMENT;
    case Code::unimplemented: return TF_UNIMPLEMENTED;
    case Code::out_of_memory: return TF_RESOURCE_EXHAUSTED;
    case Code::device:
    case Code::internal: return TF_INTERNAL;
  }
  return TF_UNKNOWN;
}

}  // namespace ocldnn::tf
