//! Sums that come out the same in any order.

/// What a sum of products is, if that does not depend on the order in which it is taken.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Sum {
    Known(f64),
    NotFinite,
    /// It would round differently, or overflow or not, depending on the order.
    Unclear,
}

/// The exponent of the lowest bit that is set.
fn lowest_bit(value: f64) -> i32 {
    let bits = value.abs().to_bits();
    let (exponent, fraction) = ((bits >> 52) as i32, bits & ((1 << 52) - 1));
    let (exponent, significand) =
        if exponent == 0 { (1, fraction) } else { (exponent, fraction | 1 << 52) };
    exponent - 1075 + significand.trailing_zeros() as i32
}

/// Terms are pairs of factors.
pub fn sum_of_products(terms: &[(f64, f64)]) -> Sum {
    let products: Vec<f64> = terms.iter().map(|(one, other)| one * other).collect();
    if let [product] = products[..] {
        return if product.is_finite() { Sum::Known(product) } else { Sum::NotFinite };
    }
    let magnitude: f64 = products.iter().map(|product| product.abs()).sum();
    if !magnitude.is_finite() {
        let one_sign = products.iter().all(|&product| product >= 0.0)
            || products.iter().all(|&product| product <= 0.0);
        return if one_sign { Sum::NotFinite } else { Sum::Unclear };
    }
    let exact_product = |(one, other): &(f64, f64)| one.mul_add(*other, -(one * other)) == 0.0;
    let nonzero = products.iter().filter(|&&product| product != 0.0);
    let unit = nonzero.map(|&product| lowest_bit(product)).min().unwrap_or(0);
    let exact = terms.iter().all(exact_product)
        && (magnitude == 0.0 || magnitude.log2() < f64::from(unit) + 51.0);
    if exact {
        Sum::Known(products.iter().sum())
    } else {
        Sum::Unclear
    }
}

/// All elements, or the first that is not finite, or nothing where the order would matter.
pub fn settle(sums: Vec<Sum>) -> Option<Result<Vec<f64>, usize>> {
    if sums.contains(&Sum::Unclear) {
        return None;
    }
    let known = |(index, sum)| match sum {
        Sum::Known(value) => Ok(value),
        _ => Err(index),
    };
    Some(sums.into_iter().enumerate().map(known).collect())
}
