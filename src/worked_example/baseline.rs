// ANCHOR: shared-tensor-vjp-fixture
/// Output and gradients of the worked graph, as arrays of constant size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HandwrittenBaseline {
    /// `y`, shape `[2]`.
    pub output: [f64; 2],
    /// Gradient of `x`, shape `[2, 3]`.
    pub x_gradient: [[f64; 3]; 2],
    /// Gradient of `bias`, shape `[3]`.
    pub bias_gradient: [f64; 3],
}

/// The worked graph by hand: `y = mean((transpose(reshape(x)) + bias)², axis 1)`, then the gradient
/// of `3·y[0] + 6·y[1]`. Every shape is fixed and every loop is written for this graph alone.
pub fn handwritten_fixed_shape_baseline() -> HandwrittenBaseline {
    let x = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
    let bias = [1.0, -1.0, 0.0];
    let seed = [3.0, 6.0];

    // Forward. Reshape keeps row-major order: element (row, column) of r is element
    // 2·row + column of x.
    let mut r = [[0.0; 2]; 3];
    for flat in 0..6 {
        r[flat / 2][flat % 2] = x[flat / 3][flat % 3];
    }
    let mut z = [[0.0; 3]; 2];
    for (row, line) in z.iter_mut().enumerate() {
        for (column, element) in line.iter_mut().enumerate() {
            *element = r[column][row] + bias[column];
        }
    }
    let output = z.map(|line| line.iter().map(|element| element * element).sum::<f64>() / 3.0);

    // Backward, in the opposite order. Both factors of the square receive a share.
    let mut x_gradient = [[0.0; 3]; 2];
    let mut bias_gradient = [0.0; 3];
    for (row, line) in z.iter().enumerate() {
        let q_adjoint = seed[row] / 3.0;
        for (column, element) in line.iter().enumerate() {
            let z_adjoint = q_adjoint * element + q_adjoint * element;
            bias_gradient[column] += z_adjoint;
            let flat = 2 * column + row;
            x_gradient[flat / 3][flat % 3] = z_adjoint;
        }
    }
    HandwrittenBaseline { output, x_gradient, bias_gradient }
}
// ANCHOR_END: shared-tensor-vjp-fixture

#[cfg(test)]
#[path = "../../tests/listings/shared-tensor-vjp-fixture.rs"]
mod check_shared_tensor_vjp_fixture;
