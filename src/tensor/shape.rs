use super::axes::{refuse_too_many_axes, Axes};
use super::{Shape, Strides, TensorError, TensorOpError};

/// The number of elements of a shape: the product of its extents, 1 for rank 0.
///
/// Extents of 0 count as 1 in the overflow check, so a shape that passes has strides that fit too.
#[inline]
pub(crate) fn element_count(shape: &[usize]) -> Result<usize, TensorError> {
    refuse_too_many_axes(shape)?;
    let mut elements = 1_usize;
    let mut empty = false;
    for &extent in shape {
        empty |= extent == 0;
        elements = elements.checked_mul(extent.max(1)).ok_or_else(|| shape_overflow(shape))?;
    }
    Ok(if empty { 0 } else { elements })
}

#[cold]
fn shape_overflow(shape: &[usize]) -> TensorError {
    TensorError::ShapeOverflow { shape: shape.into() }
}

/// Row-major strides: the last axis moves by 1, every other by the product of what follows it.
///
/// The shape has passed [`element_count`], so no product here overflows.
pub(crate) fn row_major_strides(shape: &[usize]) -> Strides {
    let mut step = 1_usize;
    Strides::from_last(shape.len(), |axis| {
        let stride = step;
        step = step.saturating_mul(shape[axis].max(1));
        stride
    })
}

/// The extent of `shape` under `axis` of a common shape of rank `rank`: axes are aligned at the
/// last one, and an axis that is missing counts as extent 1.
fn aligned_extent(shape: &[usize], rank: usize, axis: usize) -> usize {
    (axis + shape.len()).checked_sub(rank).and_then(|own| shape.get(own).copied()).unwrap_or(1)
}

/// The shape two operands broadcast to: at each axis the extent that is not 1.
pub(crate) fn common_shape(
    operation: &'static str,
    left: &[usize],
    right: &[usize],
) -> Result<Shape, TensorOpError> {
    if left == right {
        return Ok(left.into());
    }
    let rank = left.len().max(right.len());
    let mut fit = true;
    let common = Shape::from_last(rank, |axis| {
        let (left, right) = (aligned_extent(left, rank, axis), aligned_extent(right, rank, axis));
        fit &= left == right || left == 1 || right == 1;
        if left == 1 {
            right
        } else {
            left
        }
    });
    if fit {
        Ok(common)
    } else {
        Err(incompatible_shapes(operation, left, right))
    }
}

/// The error that names the first axis, from the left, where the extents do not fit.
#[cold]
fn incompatible_shapes(operation: &'static str, left: &[usize], right: &[usize]) -> TensorOpError {
    let rank = left.len().max(right.len());
    let extents = |axis| (aligned_extent(left, rank, axis), aligned_extent(right, rank, axis));
    let fit = |(left, right): (usize, usize)| left == right || left == 1 || right == 1;
    let axis = (0..rank).find(|&axis| !fit(extents(axis))).unwrap_or(0);
    let (left_extent, right_extent) = extents(axis);
    let (left, right) = (left.into(), right.into());
    TensorOpError::IncompatibleShapes { operation, left, right, axis, left_extent, right_extent }
}

/// The axes of `output` that are missing in `input`, or 1 there and not 1 in `output`: those along
/// which the same input elements are read at each step, and which a pullback therefore sums over.
#[inline]
pub(crate) fn reduced_axes(input: &Shape, output: &Shape) -> Axes {
    if input == output {
        return Axes::default();
    }
    expanded_axes(input, output)
}

#[inline(never)]
fn expanded_axes(input: &[usize], output: &[usize]) -> Axes {
    let missing = output.len().saturating_sub(input.len());
    let expanded = |axis: &usize| {
        *axis < missing
            || (aligned_extent(input, output.len(), *axis) == 1 && output.get(*axis) != Some(&1))
    };
    (0..output.len()).filter(expanded).collect()
}

/// Strides that read contiguous storage of shape `input` at coordinates of `output`: 0 along every
/// axis that is expanded, the row-major stride elsewhere.
#[inline]
pub(crate) fn broadcast_strides(input: &[usize], output: &[usize]) -> Strides {
    let mut step = 1_usize;
    Strides::from_last(output.len(), |axis| {
        let Some(own) = (axis + input.len()).checked_sub(output.len()) else { return 0 };
        let stride = if input[own] == output[axis] { step } else { 0 };
        step = step.saturating_mul(input[own].max(1));
        stride
    })
}

/// Strides that read a reduced tensor, its axis kept or gone, at coordinates of what it was reduced
/// from: 0 along the axis.
#[inline]
pub(crate) fn reduced_strides(shape: &[usize], axis: usize) -> Strides {
    let mut step = 1_usize;
    Strides::from_last(shape.len(), |own| {
        if own == axis {
            return 0;
        }
        let stride = step;
        step = step.saturating_mul(shape[own].max(1));
        stride
    })
}

/// [`broadcast_strides`] for storage that is read through strides already.
pub(crate) fn expanded_strides(
    input: &[usize],
    input_strides: &[usize],
    output: &[usize],
) -> Strides {
    Strides::from_last(output.len(), |axis| {
        let own = (axis + input.len()).checked_sub(output.len());
        own.filter(|&own| input[own] == output[axis]).map_or(0, |own| input_strides[own])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every shape of up to three axes of extent 0 to 3.
    fn shapes() -> Vec<Vec<usize>> {
        let mut shapes = vec![vec![]];
        for rank in 0..3 {
            let longest: Vec<_> = shapes.iter().filter(|it| it.len() == rank).cloned().collect();
            shapes.extend(
                longest.iter().flat_map(|shape| (0..4).map(|it| [shape, &[it][..]].concat())),
            );
        }
        shapes
    }

    /// What follows each axis; an axis without elements counts as one.
    fn steps(shape: &[usize]) -> Vec<usize> {
        let after = |axis| shape[axis + 1..].iter().map(|extent| extent.max(&1)).product();
        (0..shape.len()).map(after).collect()
    }

    #[test]
    fn strides_of_every_small_shape() {
        for shape in shapes() {
            assert_eq!(row_major_strides(&shape), steps(&shape)[..]);
            for axis in 0..shape.len() {
                let mut kept = shape.clone();
                kept[axis] = 1;
                let mut expected = steps(&kept);
                expected[axis] = 0;
                assert_eq!(reduced_strides(&shape, axis), expected[..], "{shape:?} {axis}");
            }
        }
    }

    #[test]
    fn as_many_axes_as_a_set_can_name() {
        assert!(matches!(element_count(&[1; 64]), Ok(1)));
        let refused = element_count(&[usize::MAX; 65]);
        assert!(matches!(refused, Err(TensorError::TooManyAxes { rank: 65, most: 64 })));
    }

    #[test]
    fn two_small_shapes_fit_if_every_two_extents_do() {
        for (left, right) in
            shapes().iter().flat_map(|one| shapes().into_iter().map(move |two| (one.clone(), two)))
        {
            let rank = left.len().max(right.len());
            let long = |shape: &[usize]| [vec![1; rank - shape.len()], shape.to_vec()].concat();
            let pairs: Vec<_> = long(&left).into_iter().zip(long(&right)).collect();
            let fit = pairs.iter().all(|&(one, two)| one == two || one == 1 || two == 1);
            let common = common_shape("add", &left, &right);
            assert_eq!(common.is_ok(), fit, "{left:?} {right:?}");
            if let Err(TensorOpError::IncompatibleShapes {
                axis, left_extent, right_extent, ..
            }) = common
            {
                let misfit = |&(one, two): &(usize, usize)| one != two && one != 1 && two != 1;
                assert_eq!(Some(axis), pairs.iter().position(misfit), "the first axis");
                assert_eq!((left_extent, right_extent), pairs[axis]);
            }
            let Ok(common) = common else { continue };
            let expected = pairs.iter().map(|&(one, two)| if one == 1 { two } else { one });
            assert!(common.iter().copied().eq(expected), "{left:?} {right:?}");

            let missing = rank - left.len();
            let expected: Vec<usize> = (0..rank)
                .map(|axis| match axis.checked_sub(missing) {
                    Some(own) if left[own] == common[axis] => steps(&left)[own],
                    _ => 0,
                })
                .collect();
            assert_eq!(broadcast_strides(&left, &common), expected[..]);
            assert_eq!(expanded_strides(&left, &steps(&left), &common), expected[..]);
        }
    }
}
