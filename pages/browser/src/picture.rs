//! Pictures, point by point.

use anyhow::{ensure, Context, Result};
use std::io::Cursor;

use png::{ColorType, Decoder, Transformations};

/// A picture in red, green and blue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    width: usize,
    points: Vec<[u8; 3]>,
}

impl Picture {
    /// Reads a PNG.
    ///
    /// # Errors
    ///
    /// If it is none.
    pub fn read(png: &[u8]) -> Result<Self> {
        let mut decoder = Decoder::new(Cursor::new(png));
        decoder.set_transformations(Transformations::normalize_to_color8());
        let mut reader = decoder.read_info()?;
        let mut bytes = vec![0; reader.output_buffer_size().context("a picture too large")?];
        let frame = reader.next_frame(&mut bytes)?;
        bytes.truncate(frame.buffer_size());
        let parts = match frame.color_type {
            ColorType::Rgb => 3,
            ColorType::Rgba => 4,
            other => anyhow::bail!("a picture in {other:?}"),
        };
        let width = frame.width as usize;
        ensure!(width > 0, "an empty picture");
        let points = bytes.chunks_exact(parts).map(|one| [one[0], one[1], one[2]]).collect();
        Ok(Self { width, points })
    }

    /// A white picture.
    pub fn blank(width: usize, height: usize) -> Self {
        Self { width, points: vec![[255; 3]; width * height] }
    }

    /// Whether some row is ink from one end to the other, on the ground of the first point.
    pub(crate) fn has_bar(&self) -> bool {
        let light = |point: &[u8; 3]| point.iter().map(|&part| i32::from(part)).sum::<i32>();
        let ground = self.points.first().map(light).unwrap_or(0);
        let inked = |point| (light(point) - ground).abs() > 90;
        self.points.chunks(self.width).any(|row| row.iter().all(inked))
    }

    /// Whether two pictures show the same; how the edges of letters are smoothed does not count.
    pub fn shows_the_same_as(&self, other: &Self) -> bool {
        if self.width != other.width || self.points.len() != other.points.len() {
            return false;
        }
        let seen = |(one, other): &(&[u8; 3], &[u8; 3])| {
            one.iter().zip(other.iter()).any(|(one, other)| one.abs_diff(*other) > 32)
        };
        let differing = self.points.iter().zip(&other.points).filter(seen).count();
        // One point in a hundred.
        differing * 100 < self.points.len()
    }
}
