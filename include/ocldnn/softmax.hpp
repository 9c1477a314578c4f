#pragma once

#include "ocldnn/device.hpp"

namespace ocldnn {

/// y = exp(x - max) / sum(exp(x - max)) along `axis` (TF: Softmax). Any finite x is safe; a NaN or +inf makes its line
/// NaN. Here and below: floating types, all of one type; any strides; y may be x's memory if it is the same view.
void softmax(const Exec& exec, const View& x, int axis, const View& y);
/// y = x - max - log(sum(exp(x - max))) along `axis` (TF: LogSoftmax).
void log_softmax(const Exec& exec, const View& x, int axis, const View& y);

/// dx = (dy - sum(dy * y)) * y, where y is softmax's result.
void softmax_gradient(const Exec& exec, const View& y, const View& dy, int axis, const View& dx);
/// dx = dy - sum(dy) * exp(y), where y is log_softmax's result.
void log_softmax_gradient(const Exec& exec, const View& y, const View& dy, int axis, const View& dx);

/// Cross-entropy of softmax(logits) against `labels`, and its gradient, in one pass over a row
/// (TF: SoftmaxCrossEntropyWithLogits): loss[r] = sum over c of labels[r, c] * (log(sum(exp(logits[r]))) - logits[r,
/// c]), dlogits = softmax(logits) - labels. logits, labels and dlogits are [rows, classes], broadcast by stride 0 if
/// need be; loss is [rows]. Without classes the loss is 0.
void softmax_cross_entropy(const Exec& exec, const View& logits, const View& labels, const View& loss,
                           const View& dlogits);
/// The same with one class a row, of type i32 or i64 [rows], as the label (TF: SparseSoftmaxCrossEntropyWithLogits).
/// A label outside [0, classes) makes its row of loss and dlogits NaN, as TensorFlow does on a GPU: a device cannot
/// throw. (TensorFlow on a CPU does.)
void sparse_softmax_cross_entropy(const Exec& exec, const View& logits, const View& labels, const View& loss,
                                  const View& dlogits);

}  // namespace ocldnn
