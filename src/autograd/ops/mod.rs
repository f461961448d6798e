//! One file for each operation: its forward step and, beside it, its pullback.

mod add;
mod broadcast;
mod multiply;
mod reduction;
mod reshape;
mod transpose;

pub(super) use broadcast::broadcast_vjp;
pub(super) use multiply::multiply_vjp;
pub(super) use reduction::reduction_vjp;
pub(super) use reshape::reshape_vjp;
pub(super) use transpose::transpose_vjp;
