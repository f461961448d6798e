use super::shape::{broadcast_strides, common_shape, expanded_strides};
use super::{kernels, OffsetPlan, Shape, Strides, Tensor, TensorOpError};

/// A tensor fresh from a kernel, and whether every element of it is finite. The kernel sees each
/// element anyway; looking again later would read the memory twice. An operation whose name ends in
/// `_computed` returns it, the one without the ending only the tensor.
pub(crate) struct Computed {
    pub(crate) tensor: Tensor,
    pub(crate) finite: bool,
}

impl Computed {
    /// Flat index and value of the first element that is infinite or NaN. Free if there is none.
    #[inline]
    pub(crate) fn non_finite(&self) -> Option<(usize, f64)> {
        if self.finite {
            return None;
        }
        kernels::first_non_finite(self.tensor.as_slice())
    }
}

/// The loops of one elementwise operation that does not care about the order of its operands.
struct Elementwise {
    name: &'static str,
    pairs: fn(&mut [f64], &[f64], &[f64]) -> bool,
    with_scalar: fn(&mut [f64], &[f64], f64) -> bool,
}

const ADD: Elementwise =
    Elementwise { name: "add", pairs: kernels::add, with_scalar: kernels::add_scalar };
const MULTIPLY: Elementwise = Elementwise {
    name: "multiply",
    pairs: kernels::multiply,
    with_scalar: kernels::multiply_scalar,
};
const MULTIPLY_UNSIGNED_ZERO: Elementwise = Elementwise {
    name: "multiply",
    pairs: kernels::multiply_unsigned_zero,
    with_scalar: kernels::multiply_scalar_unsigned_zero,
};

impl Elementwise {
    #[inline]
    fn apply(&self, left: &Tensor, right: &Tensor) -> Result<Computed, TensorOpError> {
        let repeats = left.repeated_source().is_some() || right.repeated_source().is_some();
        if left.shape_list() != right.shape_list() || repeats {
            return self.apply_expanded(left, right);
        }
        let write = |out: &mut [f64]| (self.pairs)(out, left.as_slice(), right.as_slice());
        let (tensor, finite) = Tensor::build_counted(left.shape_list(), left.len(), write)?;
        Ok(Computed { tensor, finite })
    }

    #[inline(never)]
    fn apply_expanded(&self, left: &Tensor, right: &Tensor) -> Result<Computed, TensorOpError> {
        let shape = common_shape(self.name, left.shape(), right.shape())?;
        let elements = super::element_count(&shape)?;
        let (left, left_strides) = operand(left, &shape);
        let (right, right_strides) = operand(right, &shape);
        let left_plan = OffsetPlan::new(&shape, &left_strides, elements, left.len())?;
        let right_plan = OffsetPlan::new(&shape, &right_strides, elements, right.len())?;
        // Each operand has its own longest run; the shorter one divides the longer.
        let (left_axes, left_length, left_stride) = left_plan.inner_run();
        let (right_axes, right_length, right_stride) = right_plan.inner_run();
        let (axes, length) = (left_axes.min(right_axes), left_length.min(right_length));
        let starts = left_plan.starts(axes).zip(right_plan.starts(axes));
        let write = |out: &mut [f64]| {
            let mut finite = true;
            for (out, (l, r)) in out.chunks_exact_mut(length.max(1)).zip(starts) {
                finite &= match (left_stride, right_stride) {
                    (1, 1) => (self.pairs)(out, &left[l..l + length], &right[r..r + length]),
                    (1, _) => (self.with_scalar)(out, &left[l..l + length], right[r]),
                    (_, 1) => (self.with_scalar)(out, &right[r..r + length], left[l]),
                    _ => {
                        let (first, rest) = out.split_at_mut(1);
                        let finite = (self.with_scalar)(first, &left[l..l + 1], right[r]);
                        rest.fill(first[0]);
                        finite
                    }
                };
            }
            finite
        };
        let (tensor, finite) = Tensor::build(&shape, write)?;
        Ok(Computed { tensor, finite })
    }
}

/// The storage of an operand, and the strides to read it through at coordinates of `shape`.
fn operand<'a>(tensor: &'a Tensor, shape: &Shape) -> (&'a [f64], Strides) {
    match tensor.repeated_source() {
        Some((storage, strides)) => (storage, expanded_strides(tensor.shape(), strides, shape)),
        None => (tensor.as_slice(), broadcast_strides(tensor.shape(), shape)),
    }
}

impl Tensor {
    /// Elementwise sum over the common shape: `z[i] = x[i] + y[i]`.
    ///
    /// Axes are aligned at the last one; an axis that is missing or has extent 1 is expanded.
    ///
    /// # Errors
    ///
    /// [`TensorOpError::IncompatibleShapes`]; [`TensorOpError::Tensor`] if the
    /// common shape overflows or there is no memory for it.
    ///
    /// ```
    /// use pullback::tensor::{Tensor, TensorError, TensorOpError};
    ///
    /// let x = Tensor::from_vec([2, 2], vec![1.0, 2.0, 3.0, 4.0])?;
    /// let row = Tensor::from_vec([2], vec![10.0, 20.0])?;
    /// assert_eq!(x.add(&row).unwrap().as_slice(), [11.0, 22.0, 13.0, 24.0]);
    ///
    /// let error = x.add(&Tensor::zeros([3])?).unwrap_err();
    /// assert!(matches!(error, TensorOpError::IncompatibleShapes { axis: 1, .. }));
    /// # Ok::<(), TensorError>(())
    /// ```
    pub fn add(&self, other: &Self) -> Result<Self, TensorOpError> {
        self.add_computed(other).map(|computed| computed.tensor)
    }

    /// Elementwise product over the common shape: `z[i] = x[i] * y[i]`. Shapes as for
    /// [`Tensor::add`].
    ///
    /// # Errors
    ///
    /// [`TensorOpError::IncompatibleShapes`]; [`TensorOpError::Tensor`] if the
    /// common shape overflows or there is no memory for it.
    pub fn mul(&self, other: &Self) -> Result<Self, TensorOpError> {
        self.multiply_computed(other).map(|computed| computed.tensor)
    }

    #[inline]
    pub(crate) fn add_computed(&self, other: &Self) -> Result<Computed, TensorOpError> {
        ADD.apply(self, other)
    }

    #[inline]
    pub(crate) fn multiply_computed(&self, other: &Self) -> Result<Computed, TensorOpError> {
        MULTIPLY.apply(self, other)
    }

    /// The product with every -0.0 turned into +0.0, as a contribution to an adjoint has it.
    #[inline]
    pub(crate) fn multiply_unsigned_zero(&self, other: &Self) -> Result<Computed, TensorOpError> {
        MULTIPLY_UNSIGNED_ZERO.apply(self, other)
    }

    /// Adds a tensor of the same shape, in place if nobody else reads the elements. `Some`: the
    /// flat index of a sum that is infinite or NaN, the first; the element there is still the old
    /// one.
    pub(crate) fn accumulate(&mut self, addend: &Self) -> Result<Option<usize>, TensorOpError> {
        if let Some(total) = self.unique_mut() {
            return Ok(kernels::add_assign(total, addend.as_slice()).err());
        }
        let sum = self.add_computed(addend)?;
        let overflow = sum.non_finite().map(|(index, _)| index);
        if overflow.is_none() {
            *self = sum.tensor;
        }
        Ok(overflow)
    }

    /// Every element divided, in place if nobody else reads them, and never -0.0.
    pub(crate) fn divided_unsigned_zero(mut self, divisor: f64) -> Result<Computed, TensorOpError> {
        if let Some(elements) = self.unique_mut() {
            let finite = kernels::divide_assign_unsigned_zero(elements, divisor);
            return Ok(Computed { tensor: self, finite });
        }
        let write = |out: &mut [f64]| {
            out.copy_from_slice(self.as_slice());
            kernels::divide_assign_unsigned_zero(out, divisor)
        };
        let (tensor, finite) = Self::build_counted(self.shape_list(), self.len(), write)?;
        Ok(Computed { tensor, finite })
    }

    /// This factor's own elements, to write its product with `other` over them: if nobody else
    /// reads them, the shapes are equal and neither tensor would have to be written out for it.
    #[inline]
    pub(crate) fn factor_mut(&mut self, other: &Self) -> Option<&mut [f64]> {
        let repeats = self.repeated_source().is_some() || other.repeated_source().is_some();
        if repeats || self.shape_list() != other.shape_list() {
            return None;
        }
        self.unique_mut()
    }
}
