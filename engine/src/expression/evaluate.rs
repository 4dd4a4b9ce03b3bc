use halo2curves::{bn256::Fr, ff::Field};

use super::{
    program::{Inputs, Program, Uniform},
    run::{Run, CHUNK},
};
use crate::backend::Backend;

impl Program {
    /// The results in each row.
    ///
    /// # Panics
    ///
    /// If a column has another number of rows, or if a column or a parameter is missing.
    pub fn evaluate(&self, backend: Backend, inputs: Inputs<'_>) -> Vec<Vec<Fr>> {
        let Inputs { rows, columns, parameters } = inputs;
        for column in columns {
            assert_eq!(column.len(), rows, "all columns have the same number of rows");
        }
        let uniforms = self.uniforms(parameters);
        let mut results = vec![vec![Fr::ZERO; rows]; self.results];
        let mut chunks: Vec<Vec<&mut [Fr]>> =
            (0..rows.div_ceil(CHUNK)).map(|_| Vec::with_capacity(self.results)).collect();
        for result in &mut results {
            let parts = result.chunks_mut(CHUNK);
            chunks.iter_mut().zip(parts).for_each(|(chunk, part)| chunk.push(part));
        }
        backend.run(Run { program: self, inputs, uniforms, chunks });
        results
    }

    fn uniforms(&self, parameters: &[Fr]) -> Vec<Fr> {
        let mut numbers: Vec<Fr> = Vec::with_capacity(self.uniforms.len());
        for uniform in &self.uniforms {
            numbers.push(match *uniform {
                Uniform::Constant(number) => number,
                Uniform::Parameter(index) => parameters[index],
                Uniform::Add(left, right) => numbers[left as usize] + numbers[right as usize],
                Uniform::Sub(left, right) => numbers[left as usize] - numbers[right as usize],
                Uniform::Mul(left, right) => numbers[left as usize] * numbers[right as usize],
            });
        }
        numbers
    }
}
