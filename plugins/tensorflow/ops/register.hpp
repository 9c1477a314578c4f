#pragma once

// What plugin.cpp calls: one function a file of this folder.

namespace ocldnn::tf {

class Registrar;

void register_activations(const Registrar& registrar);
void register_arithmetic(const Registrar& registrar);
void register_bias(const Registrar& registrar);
void register_comparisons(const Registrar& registrar);
void register_convolutions(const Registrar& registrar);
void register_einsum(const Registrar& registrar);
void register_elementwise(const Registrar& registrar);
void register_in_top_k(const Registrar& registrar);
void register_index(const Registrar& registrar);
void register_layout(const Registrar& registrar);
void register_matmul(const Registrar& registrar);
void register_matrix_diag(const Registrar& registrar);
void register_norm(const Registrar& registrar);
void register_optimizers(const Registrar& registrar);
void register_pool(const Registrar& registrar);
void register_random(const Registrar& registrar);
void register_random_state(const Registrar& registrar);
void register_reductions(const Registrar& registrar);
void register_resize(const Registrar& registrar);
void register_row_optimizers(const Registrar& registrar);
void register_scans(const Registrar& registrar);
void register_softmax(const Registrar& registrar);
void register_segments(const Registrar& registrar);
void register_sorts(const Registrar& registrar);
void register_space(const Registrar& registrar);
void register_strided_slices(const Registrar& registrar);
void register_variable_rows(const Registrar& registrar);
void register_variables(const Registrar& registrar);

}  // namespace ocldnn::tf
