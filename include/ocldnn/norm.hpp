#pragma once

#include "ocldnn/device.hpp"

namespace ocldnn {

/// y = (x - mean) / sqrt(variance + epsilon) * gamma + beta, with the mean and variance of x over the dimensions where
/// `mean` has 1. The shapes say which normalisation it is; for x [N, H, W, C]
///
///   batch     mean, variance, gamma, beta [1, 1, 1, C]        (TF: FusedBatchNormV3, training)
///   layer     mean, variance [N, H, W, 1]; gamma, beta [C]
///   instance  mean, variance [N, 1, 1, C]; gamma, beta [C]
///   group     x seen as [N, H, W, G, C / G]; mean, variance [N, 1, 1, G, 1]; gamma, beta [G, C / G]
///
/// x, y: floating types, any strides (channels first is a permuted() view). The others are of the compute type (f32 for
/// halves); gamma and beta broadcast to x. The variance is over the count, not count - 1. y may be x.
void normalize(const Exec& exec, const View& x, const View& gamma, const View& beta, double epsilon, const View& y,
               const View& mean, const View& variance);
/// dx, dgamma and dbeta from dy and the statistics that normalize() gave.
void normalize_gradient(const Exec& exec, const View& x, const View& dy, const View& mean, const View& variance,
                        const View& gamma, double epsilon, const View& dx, const View& dgamma, const View& dbeta);

/// The same with a given mean and variance, which are constants to the gradient (TF: FusedBatchNormV3, inference).
void normalize_by(const Exec& exec, const View& x, const View& mean, const View& variance, const View& gamma,
                  const View& beta, double epsilon, const View& y);
void normalize_by_gradient(const Exec& exec, const View& x, const View& dy, const View& mean, const View& variance,
                           const View& gamma, double epsilon, const View& dx, const View& dgamma, const View& dbeta);

}  // namespace ocldnn
