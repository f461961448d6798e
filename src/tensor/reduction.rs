use super::elementwise::Computed;
use super::{kernels, Shape, Tensor, TensorOpError};

/// The shape after a reduction over `axis`: the axis is 1 or gone.
fn reduced_shape(shape: &[usize], axis: usize, keep_dim: bool) -> Shape {
    if keep_dim {
        let mut kept = Shape::from(shape);
        if let Some(extent) = kept.get_mut(axis) {
            *extent = 1;
        }
        return kept;
    }
    Shape::from_last(shape.len().saturating_sub(1), |own| {
        shape[if own < axis { own } else { own + 1 }]
    })
}

impl Tensor {
    /// Sum along one axis: `z[.., ..] = Σ_k x[.., k, ..]`. The axis stays with extent 1 if
    /// `keep_dim`.
    ///
    /// A sum over an empty axis is 0. Long sums are pairwise, in an order that the shape alone
    /// fixes. A partial sum can overflow where the terms in another order would cancel in time.
    ///
    /// # Errors
    ///
    /// [`TensorOpError::AxisOutOfRange`]; [`TensorOpError::Tensor`] if there is no memory.
    ///
    /// ```
    /// use pullback::tensor::{Tensor, TensorOpError};
    ///
    /// let x = Tensor::from_vec([2, 3], vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0])?;
    /// assert_eq!(x.sum_axis(0, false)?.as_slice(), [5.0, 7.0, 9.0]);
    /// assert_eq!(x.sum_axis(1, true)?.shape(), [2, 1]);
    /// assert!(matches!(x.sum_axis(2, false), Err(TensorOpError::AxisOutOfRange { axis: 2, .. })));
    /// # Ok::<(), TensorOpError>(())
    /// ```
    pub fn sum_axis(&self, axis: usize, keep_dim: bool) -> Result<Self, TensorOpError> {
        self.sum_computed("sum", axis, keep_dim, 1.0).map(|computed| computed.tensor)
    }

    /// Mean along one axis: the sum divided by the extent. It divides, so that the mean of 1, 2 and
    /// 2 is 5 / 3 and not 5 times a rounded third.
    ///
    /// # Errors
    ///
    /// [`TensorOpError::AxisOutOfRange`], then [`TensorOpError::EmptyMean`] if the extent is 0;
    /// [`TensorOpError::Tensor`] if there is no memory.
    ///
    /// ```
    /// use pullback::tensor::{Tensor, TensorOpError};
    ///
    /// let x = Tensor::from_vec([3], vec![1.0, 2.0, 2.0])?;
    /// assert_eq!(x.mean_axis(0, false)?.as_slice(), [5.0 / 3.0]);
    /// let empty = Tensor::zeros([2, 0])?;
    /// assert!(matches!(empty.mean_axis(1, false), Err(TensorOpError::EmptyMean { axis: 1, .. })));
    /// # Ok::<(), TensorOpError>(())
    /// ```
    pub fn mean_axis(&self, axis: usize, keep_dim: bool) -> Result<Self, TensorOpError> {
        self.mean_computed(axis, keep_dim).map(|(computed, _)| computed.tensor)
    }

    pub(crate) fn mean_computed(
        &self,
        axis: usize,
        keep_dim: bool,
    ) -> Result<(Computed, f64), TensorOpError> {
        if self.shape().get(axis) == Some(&0) {
            return Err(TensorOpError::EmptyMean { axis, shape: self.shape_list().clone() });
        }
        // Exact up to 2^53; a shape with a larger extent has no elements to divide.
        let divisor = self.shape().get(axis).map_or(1.0, |&extent| extent as f64);
        Ok((self.sum_computed("mean", axis, keep_dim, divisor)?, divisor))
    }

    /// The sum along an axis, divided; finite as a whole or not.
    pub(crate) fn sum_computed(
        &self,
        operation: &'static str,
        axis: usize,
        keep_dim: bool,
        divisor: f64,
    ) -> Result<Computed, TensorOpError> {
        let Some(&extent) = self.shape().get(axis) else {
            let shape = self.shape_list().clone();
            return Err(TensorOpError::AxisOutOfRange { operation, axis, shape });
        };
        let outer: usize = self.shape()[..axis].iter().product();
        let inner: usize = self.shape()[axis + 1..].iter().product();
        let mut rest = self.as_slice();
        let write = |out: &mut [f64]| {
            if inner == 1 {
                for out in out.iter_mut() {
                    let (row, others) = rest.split_at(extent);
                    rest = others;
                    *out = kernels::sum(row);
                }
            } else if inner > 0 {
                for out in out.chunks_exact_mut(inner) {
                    let (rows, others) = rest.split_at(extent * inner);
                    rest = others;
                    out.fill(0.0);
                    kernels::add_rows(out, rows);
                }
            }
            kernels::divide_assign(out, divisor)
        };
        let shape = reduced_shape(self.shape(), axis, keep_dim);
        let (tensor, finite) = Tensor::build_counted(&shape, outer * inner, write)?;
        Ok(Computed { tensor, finite })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_axis_is_summed_like_a_slice_and_an_error_names_its_operation() {
        let values: Vec<f64> = (1..=3000).map(|i| 1.0 / f64::from(i)).collect();
        let row = Tensor::from_vec([1, 3000], values.clone()).unwrap();
        assert_eq!(row.sum_axis(1, false).unwrap().as_slice(), [kernels::sum(&values)]);
        for (error, name) in [(row.sum_axis(2, true), "sum"), (row.mean_axis(2, true), "mean")] {
            let Err(TensorOpError::AxisOutOfRange { operation, axis: 2, .. }) = error else {
                panic!("{name}")
            };
            assert_eq!(operation, name);
        }
    }
}
