//! Plain loops over contiguous slices. With the feature `wide`, `multiversion` compiles each of
//! them several times and picks the widest instructions the processor has, once, at run time. Every
//! loop has a fixed order, so that a result has the same bits on every run, and with or without
//! `wide`.
//!
//! A name that ends in `_unsigned_zero` says that the results hold +0.0 in place of -0.0.

#[cfg(feature = "wide")]
use multiversion::multiversion;

/// The exponent bits of an `f64`: all of them set means infinity or NaN.
const EXPONENT: u64 = 0x7FF0_0000_0000_0000;

/// All ones if `value` is infinite or NaN. Integers, because a float comparison in a reduction
/// keeps the compiler from using wide instructions.
#[inline(always)]
fn non_finite(value: f64) -> u64 {
    u64::from(value.to_bits() & EXPONENT == EXPONENT)
}

/// Below this length an elementwise loop goes in blocks of four.
const SHORT: usize = 64;

/// Writes `value` of each pair to `out` and says whether every result is finite.
#[inline(always)]
fn each_pair(
    out: &mut [f64],
    left: &[f64],
    right: &[f64],
    value: impl Fn(f64, f64) -> f64,
) -> bool {
    let (left, right) = (&left[..out.len()], &right[..out.len()]);
    let mut seen = 0;
    let mut write = |out: &mut f64, left: f64, right: f64| {
        *out = value(left, right);
        seen |= non_finite(*out);
    };
    let (mut rest, mut left_rest, mut right_rest) = (&mut *out, left, right);
    // The wide loop takes 32 elements at a time and the rest one by one, which is most of a short
    // tensor; this loop takes four.
    if rest.len() < SHORT {
        let (blocks, (left_blocks, right_blocks));
        (blocks, rest) = rest.as_chunks_mut::<4>();
        (left_blocks, left_rest) = left.as_chunks::<4>();
        (right_blocks, right_rest) = right.as_chunks::<4>();
        for (out, (left, right)) in blocks.iter_mut().zip(left_blocks.iter().zip(right_blocks)) {
            for lane in 0..4 {
                write(&mut out[lane], left[lane], right[lane]);
            }
        }
    }
    for (out, (&left, &right)) in rest.iter_mut().zip(left_rest.iter().zip(right_rest)) {
        write(out, left, right);
    }
    seen == 0
}

/// Elementwise loops of two operands. A sum `+ 0.0` turns -0.0 into +0.0 and changes nothing else.
macro_rules! elementwise {
    ($($(#[$doc:meta])* $name:ident($left:ident, $right:ident) = $value:expr;)*) => {$(
        $(#[$doc])*
        #[cfg_attr(
            feature = "wide",
            multiversion(targets("x86_64+avx512f+avx512dq+avx512vl+avx512bw", "x86_64+avx2+fma"))
        )]
        pub(crate) fn $name(out: &mut [f64], $left: &[f64], $right: &[f64]) -> bool {
            each_pair(out, $left, $right, |$left, $right| $value)
        }
    )*};
}

elementwise! {
    /// `out = left + right`
    add(left, right) = left + right;
    /// `out = left * right`
    multiply(left, right) = left * right;
    /// `out = left * right`, never -0.0
    multiply_unsigned_zero(left, right) = left * right + 0.0;
}

/// Loops in which one operand is a single number.
macro_rules! elementwise_with_scalar {
    ($($(#[$doc:meta])* $name:ident($input:ident, $scalar:ident) = $value:expr;)*) => {$(
        $(#[$doc])*
        #[cfg_attr(
            feature = "wide",
            multiversion(targets("x86_64+avx512f+avx512dq+avx512vl+avx512bw", "x86_64+avx2+fma"))
        )]
        pub(crate) fn $name(out: &mut [f64], $input: &[f64], $scalar: f64) -> bool {
            let length = out.len();
            let $input = &$input[..length];
            let mut seen = 0;
            for (out, &$input) in out.iter_mut().zip($input) {
                let value = $value;
                *out = value;
                seen |= non_finite(value);
            }
            seen == 0
        }
    )*};
}

elementwise_with_scalar! {
    /// `out = left + right` for one number `right`
    add_scalar(left, right) = left + right;
    /// `out = left * right` for one number `right`
    multiply_scalar(left, right) = left * right;
    /// `out = left * right` for one number `right`, never -0.0
    multiply_scalar_unsigned_zero(left, right) = left * right + 0.0;
}

/// Loops that write every result over the element it was computed from, and say whether all of them
/// are finite.
macro_rules! in_place {
    ($(
        $(#[$doc:meta])*
        $name:ident($values:ident $(, $operand:ident: $kind:ty)?)
            for $each:pat in $elements:expr => $place:ident = $value:expr;
    )*) => {$(
        $(#[$doc])*
        #[cfg_attr(
            feature = "wide",
            multiversion(targets("x86_64+avx512f+avx512dq+avx512vl+avx512bw", "x86_64+avx2+fma"))
        )]
        pub(crate) fn $name($values: &mut [f64] $(, $operand: $kind)?) -> bool {
            let mut seen = 0;
            for $each in $elements {
                *$place = $value;
                seen |= non_finite(*$place);
            }
            seen == 0
        }
    )*};
}

in_place! {
    /// `value = value`, never -0.0
    clear_signed_zeros(values) for value in values => value = *value + 0.0;
    /// `value = value / divisor`
    divide_assign(values, divisor: f64) for value in values => value = *value / divisor;
    /// `value = value / divisor`, never -0.0
    divide_assign_unsigned_zero(values, divisor: f64)
        for value in values => value = *value / divisor + 0.0;
    /// `product = product * factor`, never -0.0
    multiply_assign_unsigned_zero(products, factors: &[f64])
        for (factor, product) in factors[..products.len()].iter().zip(products)
            => product = *product * factor + 0.0;
}

/// `total = total + addend`, or the index of the first sum that is infinite or NaN. A block of sums
/// is checked before it is stored, so that the element at that index is still the old one.
#[cfg_attr(
    feature = "wide",
    multiversion(targets("x86_64+avx512f+avx512dq+avx512vl+avx512bw", "x86_64+avx2+fma"))
)]
pub(crate) fn add_assign(total: &mut [f64], addend: &[f64]) -> Result<(), usize> {
    let addend = &addend[..total.len()];
    if total.len() < SHORT {
        return add_assign_short(total, addend);
    }
    const BLOCK: usize = 64;
    for (block, (total, addend)) in total.chunks_mut(BLOCK).zip(addend.chunks(BLOCK)).enumerate() {
        let mut sums = [0.0; BLOCK];
        let sums = &mut sums[..total.len()];
        let mut seen = 0;
        for ((sum, total), addend) in sums.iter_mut().zip(total.iter()).zip(addend) {
            *sum = total + addend;
            seen |= non_finite(*sum);
        }
        if seen != 0 {
            let first = sums.iter().position(|sum| !sum.is_finite()).unwrap_or(0);
            return Err(block * BLOCK + first);
        }
        total.copy_from_slice(sums);
    }
    Ok(())
}

#[inline(always)]
fn add_assign_short(total: &mut [f64], addend: &[f64]) -> Result<(), usize> {
    let sums = || total.iter().zip(addend).map(|(total, addend)| total + addend);
    if sums().fold(0, |seen, sum| seen | non_finite(sum)) != 0 {
        return Err(sums().position(|sum| !sum.is_finite()).unwrap_or(0));
    }
    total.iter_mut().zip(addend).for_each(|(total, addend)| *total += addend);
    Ok(())
}

/// Whether no element is infinite or NaN.
#[cfg_attr(
    feature = "wide",
    multiversion(targets("x86_64+avx512f+avx512dq+avx512vl+avx512bw", "x86_64+avx2+fma"))
)]
pub(crate) fn all_finite(values: &[f64]) -> bool {
    values.iter().fold(0, |seen, &value| seen | non_finite(value)) == 0
}

/// Flat index and value of the first element that is infinite or NaN.
pub(crate) fn first_non_finite(values: &[f64]) -> Option<(usize, f64)> {
    values.iter().copied().enumerate().find(|(_, value)| !value.is_finite())
}

/// Number of partial sums that [`sum`] keeps: a multiple of every vector width.
const LANES: usize = 32;
/// Up to this length the partial sums are long enough to be fast and short enough to be exact.
const BLOCK: usize = 1024;

/// The sum of a slice: blocks of 1,024 elements by 32 partial sums, blocks combined pairwise. The
/// rounding error grows with the logarithm of the length, not with the length.
pub(crate) fn sum(values: &[f64]) -> f64 {
    if values.len() <= BLOCK {
        return sum_block(values);
    }
    // Split at a block boundary so that the order depends on the length alone.
    let half = (values.len() / 2).next_multiple_of(BLOCK);
    let (left, right) = values.split_at(half.min(values.len()));
    sum(left) + sum(right)
}

#[cfg_attr(
    feature = "wide",
    multiversion(targets("x86_64+avx512f+avx512dq+avx512vl+avx512bw", "x86_64+avx2+fma"))
)]
fn sum_block(values: &[f64]) -> f64 {
    if values.len() < LANES {
        return values.iter().fold(0.0, |sum, value| sum + value);
    }
    let (chunks, rest) = values.as_chunks::<LANES>();
    let mut lanes = [0.0; LANES];
    for chunk in chunks {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            *lane += value;
        }
    }
    for (lane, value) in lanes.iter_mut().zip(rest) {
        *lane += value;
    }
    let mut width = LANES / 2;
    while width > 0 {
        let (low, high) = lanes.split_at_mut(width);
        for (low, high) in low.iter_mut().zip(high) {
            *low += *high;
        }
        width /= 2;
    }
    lanes[0]
}

/// Rows that are added one group of eight after the other, as the partial sums of [`BLOCK`] elements
/// are.
const ROWS: usize = 256;
/// Columns whose partial sums stay in the processor's first cache.
const COLUMNS: usize = 512;

/// `total[j] += row[j]` for every row of `rows`: blocks of 256 rows, combined pairwise. The rounding
/// error grows with the logarithm of their number, not with their number.
pub(crate) fn add_rows(total: &mut [f64], rows: &[f64]) {
    let width = total.len();
    if rows.len() <= ROWS * width {
        return add_block_of_rows(total, rows, width, 0);
    }
    for (index, total) in total.chunks_mut(COLUMNS).enumerate() {
        add_blocks_of_rows(total, rows, width, index * COLUMNS);
    }
}

/// [`add_rows`] for the columns of `total`, of which the first is `column` of rows of this width.
fn add_blocks_of_rows(total: &mut [f64], rows: &[f64], width: usize, column: usize) {
    let count = rows.len() / width;
    if count <= ROWS {
        return add_block_of_rows(total, rows, width, column);
    }
    // Split at a block boundary so that the order depends on the number of rows alone.
    let half = (count / 2).next_multiple_of(ROWS);
    let (upper, lower) = rows.split_at(half * width);
    add_blocks_of_rows(total, upper, width, column);
    let mut sums = [0.0; COLUMNS];
    let sums = &mut sums[..total.len()];
    add_blocks_of_rows(sums, lower, width, column);
    for (total, sum) in total.iter_mut().zip(sums) {
        *total += *sum;
    }
}

/// Eight rows at a time and summed pairwise, so that `total` is read and written once for eight.
#[cfg_attr(
    feature = "wide",
    multiversion(targets("x86_64+avx512f+avx512dq+avx512vl+avx512bw", "x86_64+avx2+fma"))
)]
fn add_block_of_rows(total: &mut [f64], rows: &[f64], width: usize, column: usize) {
    let columns = total.len();
    if columns == 0 {
        return;
    }
    let groups = rows.chunks_exact(8 * width);
    let rest = groups.remainder();
    for group in groups {
        let row = |index: usize| &group[index * width + column..][..columns];
        let (a, b, c, d) = (row(0), row(1), row(2), row(3));
        let (e, f, g, h) = (row(4), row(5), row(6), row(7));
        for j in 0..columns {
            total[j] += ((a[j] + b[j]) + (c[j] + d[j])) + ((e[j] + f[j]) + (g[j] + h[j]));
        }
    }
    for row in rest.chunks_exact(width) {
        for (total, value) in total.iter_mut().zip(&row[column..]) {
            *total += value;
        }
    }
}

/// Side of the square tiles of [`transpose`]: one cache line of `f64`.
const TILE: usize = 8;
/// Side of the square sheets of tiles. Each row of a sheet lies in another page of memory; so many
/// pages of source and target fit in the processor's table of pages, those of a large matrix do
/// not.
const SHEET: usize = 512;

/// Writes a `rows` x `columns` matrix transposed. Rows of the source start `source_step` apart,
/// rows of the target `target_step`. Whole tiles go through a small array, so that both sides are
/// read and written a cache line at a time.
#[cfg_attr(
    feature = "wide",
    multiversion(targets("x86_64+avx512f+avx512dq+avx512vl+avx512bw", "x86_64+avx2+fma"))
)]
pub(crate) fn transpose(
    target: &mut [f64],
    target_step: usize,
    source: &[f64],
    source_step: usize,
    rows: usize,
    columns: usize,
) {
    let (mut whole_rows, mut whole_columns) = (0, 0);
    if rows >= TILE && columns >= TILE {
        (whole_rows, whole_columns) = (rows - rows % TILE, columns - columns % TILE);
        for first_row in (0..whole_rows).step_by(SHEET) {
            for first_column in (0..whole_columns).step_by(SHEET) {
                let last_row = whole_rows.min(first_row + SHEET);
                let last_column = whole_columns.min(first_column + SHEET);
                for row in (first_row..last_row).step_by(TILE) {
                    for column in (first_column..last_column).step_by(TILE) {
                        transpose_tile(target, target_step, source, source_step, row, column);
                    }
                }
            }
        }
    }
    for column in 0..columns {
        let first = if column < whole_columns { whole_rows } else { 0 };
        let mut from = first * source_step + column;
        for place in &mut target[column * target_step..][first..rows] {
            *place = source[from];
            from += source_step;
        }
    }
}

#[inline(always)]
fn transpose_tile(
    target: &mut [f64],
    target_step: usize,
    source: &[f64],
    source_step: usize,
    row: usize,
    column: usize,
) {
    let mut tile = [[0.0; TILE]; TILE];
    for (step, line) in tile.iter_mut().enumerate() {
        let start = (row + step) * source_step + column;
        line.copy_from_slice(&source[start..start + TILE]);
    }
    for step in 0..TILE {
        let start = (column + step) * target_step + row;
        for (target, line) in target[start..start + TILE].iter_mut().zip(&tile) {
            *target = line[step];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_exact_where_a_running_sum_is_not() {
        let values = vec![0.1; 1 << 16];
        let running: f64 = values.iter().sum();
        assert!((running - 6553.6).abs() > 1e-9);
        assert!((sum(&values) - 6553.6).abs() < 1e-11);
        assert_eq!(sum(&[]), 0.0);
        assert_eq!(sum(&[1.0, 2.0, 3.0]), 6.0);
        // Halves end with a block: the odd one goes left.
        for odd in [3, 5, 7, 9] {
            let values: Vec<f64> = (0..odd * BLOCK).map(|i| (i as f64).sin()).collect();
            let (left, right) = values.split_at(odd.div_ceil(2) * BLOCK);
            assert_eq!(sum(&values), sum(left) + sum(right), "{odd}");
        }
    }

    #[test]
    fn transpose_equals_the_naive_loop_for_every_small_size() {
        for rows in 0..20 {
            for columns in 0..20 {
                let source: Vec<f64> = (0..rows * columns).map(|i| i as f64).collect();
                let mut target = vec![-1.0; rows * columns];
                transpose(&mut target, rows, &source, columns, rows, columns);
                for row in 0..rows {
                    for column in 0..columns {
                        assert_eq!(target[column * rows + row], source[row * columns + column]);
                    }
                }
            }
        }
    }

    #[test]
    fn transpose_of_a_part_leaves_the_rest_alone() {
        // The last has more rows and columns than a sheet of tiles.
        for (rows, columns) in [(3, 5), (8, 16), (11, 9), (SHEET + 17, SHEET + 10)] {
            let (source_step, target_step) = (columns + 3, rows + 2);
            let source: Vec<f64> = (0..rows * source_step).map(|i| i as f64).collect();
            let mut target = vec![-1.0; columns * target_step];
            transpose(&mut target, target_step, &source, source_step, rows, columns);
            for (at, &value) in target.iter().enumerate() {
                let (column, row) = (at / target_step, at % target_step);
                let expected = if row < rows { source[row * source_step + column] } else { -1.0 };
                assert_eq!(value, expected, "{rows} x {columns}");
            }
        }
    }

    #[test]
    fn elementwise_loops_compute_and_look_at_every_element() {
        type Loop<'a> = (&'a dyn Fn(&mut [f64], &[f64], &[f64]) -> bool, fn(f64, f64) -> f64);
        let divide = |out: &mut [f64], left: &[f64], _: &[f64]| {
            out.copy_from_slice(left);
            divide_assign(out, 3.0)
        };
        let loops: [Loop; 7] = [
            (&|out, left, _| add_scalar(out, left, 3.0), |left, _| left + 3.0),
            (&|out, left, _| multiply_scalar(out, left, 3.0), |left, _| left * 3.0),
            (&|out, left, _| multiply_scalar_unsigned_zero(out, left, 3.0), |left, _| {
                left * 3.0 + 0.0
            }),
            (&add, |left, right| left + right),
            (&multiply, |left, right| left * right),
            (&multiply_unsigned_zero, |left, right| left * right + 0.0),
            (&divide, |left, _| left / 3.0),
        ];
        for length in (0..=9).chain([SHORT - 1, SHORT, SHORT + 5]) {
            // Both operands begin with a pair whose sum or product is -0.0, and go on beyond `out`.
            let mut left: Vec<f64> = (0..length + 3).map(|i| 0.1 * i as f64 - 0.3).collect();
            let mut right: Vec<f64> = (0..length + 3).map(|i| 3.0 - i as f64).collect();
            left[1..3].copy_from_slice(&[-0.0, -0.0]);
            right[1..3].copy_from_slice(&[-0.0, 2.0]);
            for (compute, value) in loops {
                let mut out = vec![9.0; length];
                assert!(compute(&mut out, &left[..length], &right[..length]));
                for (at, out) in out.iter().enumerate() {
                    assert_eq!(out.to_bits(), value(left[at], right[at]).to_bits(), "{length}");
                }
                for at in 0..length {
                    let finite = std::mem::replace(&mut left[at], f64::NAN);
                    assert!(!compute(&mut out, &left[..length], &right[..length]), "{at}");
                    left[at] = finite;
                }
            }
            // A result may overflow where both operands are finite.
            let (mut out, most) = (vec![0.0; length], vec![f64::MAX; length]);
            assert_eq!(add(&mut out, &most, &most), length == 0);
            assert_eq!(multiply(&mut out, &most, &most), length == 0);
            assert_eq!(divide_assign(&mut most.clone(), 0.5), length == 0);
        }
    }

    #[test]
    fn rows_are_added_up_eight_at_a_time() {
        let mut eight = [f64::EPSILON / 2.0; 8];
        eight[0] = 1.0;
        let mut total = [0.0];
        add_rows(&mut total, &eight);
        assert!(total[0] > 1.0, "in pairs");
        for width in [0, 1, 2, 5] {
            for rows in 0..20 {
                let values: Vec<f64> = (0..rows * width).map(|i| i as f64).collect();
                let mut total = vec![0.5; width];
                add_rows(&mut total, &values);
                for (at, total) in total.iter().enumerate() {
                    let column: f64 = values.iter().skip(at).step_by(width).sum();
                    assert_eq!(*total, 0.5 + column, "{rows} x {width}");
                }
            }
        }
    }

    #[test]
    fn tall_columns_are_added_up_block_by_block_and_in_pairs() {
        // A running sum, and one of eight rows after the other, is off by more than 1e-12.
        let rows = 1 << 17;
        let mut total = [0.0; 2];
        add_rows(&mut total, &vec![0.1; 2 * rows]);
        let right = 0.1 * rows as f64;
        assert!(total.iter().all(|total| (total - right).abs() < 1e-15 * right), "{total:?}");
        // Whole numbers tell whether each row and column is added once, at every border.
        for width in [1, 3, COLUMNS - 1, COLUMNS, COLUMNS + 1, 2 * COLUMNS + 5] {
            for rows in [ROWS, ROWS + 1, 2 * ROWS - 1, 2 * ROWS + 1, 3 * ROWS + 9] {
                let values: Vec<f64> = (0..rows * width).map(|i| (i % 1013) as f64).collect();
                let mut total = vec![0.5; width];
                add_rows(&mut total, &values);
                for (at, total) in total.iter().enumerate() {
                    let column: f64 = values.iter().skip(at).step_by(width).sum();
                    assert_eq!(*total, 0.5 + column, "{rows} x {width}");
                }
            }
        }
        // The order depends on the number of rows alone, not on their width.
        let values: Vec<f64> = (0..5 * ROWS).map(|i| (i as f64).sin()).collect();
        let mut narrow = [0.0];
        add_rows(&mut narrow, &values);
        let wide: Vec<f64> = values.iter().flat_map(|&value| [value; COLUMNS + 1]).collect();
        let mut totals = [0.0; COLUMNS + 1];
        add_rows(&mut totals, &wide);
        assert_eq!(totals, [narrow[0]; COLUMNS + 1]);
    }

    #[test]
    fn kernels_report_infinities_and_nans_and_normalise_zeros() {
        let mut out = [0.0; 3];
        assert!(add(&mut out, &[1.0, 2.0, 3.0], &[0.5, 0.5, 0.5]));
        assert_eq!(out, [1.5, 2.5, 3.5]);
        assert!(!multiply(&mut out, &[1.0, f64::MAX, 3.0], &[0.5, 2.0, 0.5]));
        assert_eq!(first_non_finite(&out), Some((1, f64::INFINITY)));
        assert!(multiply_unsigned_zero(&mut out, &[-0.0, -1.0, 0.0], &[1.0, 0.0, -1.0]));
        assert!(out.iter().all(|value| value.to_bits() == 0));
        assert!(add_scalar(&mut out, &[-0.0; 3], 0.0));
        assert!(out.iter().all(|value| value.to_bits() == 0));
        assert!(!all_finite(&[0.0, f64::NAN]));
        assert!(!all_finite(&[f64::NAN, 0.0]));
        let mut zeros = [-0.0, 0.0, -1.0];
        assert!(clear_signed_zeros(&mut zeros));
        assert_eq!(zeros.map(f64::to_bits), [0.0, 0.0, -1.0_f64].map(f64::to_bits));
        assert!(all_finite(&[f64::MAX, -f64::MIN_POSITIVE]));
        let mut total = [1.0; 70];
        (total[66], total[68]) = (f64::MAX, f64::MAX);
        assert_eq!(add_assign(&mut total, &[f64::MAX; 70]), Err(66), "the first of two");
        assert_eq!(total[66], f64::MAX);
        assert_eq!(add_assign(&mut [1.0, 2.0], &[0.5, 0.25]), Ok(()));
        let mut columns = [0.0; 2];
        let rows: Vec<f64> = (0..22).map(f64::from).collect();
        add_rows(&mut columns, &rows);
        assert_eq!(columns, [110.0, 121.0]);
    }
}
