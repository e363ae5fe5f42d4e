// Package revisit minimises, for given blocks φ_b of random features, the objective
//
//	F(A, b) = Σ_i l(f(x_i), y_i) + (lam/2)·Σ_b ‖A_b‖²,   f(x) = b + Σ_b φ_b(x)·A_b,
//
// in the coefficients A_b, m×q, of B blocks and in the constant b of each output, over n training
// rows. For the weight nu of the squared norm, lam = nu·n·B, because the kernel is the mean over
// the blocks of <φ_b, φ_b>. A Problem defines the objective and the resources. A Solver holds the
// current solution and the scores of all rows, including held-out rows. The caller selects
// hyperparameters and decides when to stop.
//
// # Visits
//
// A visit minimises a quadratic bound of F, given by the bound c of the curvature of the loss, over
// one block of coefficients and the constant:
//
//	A_b += (CᵀC + lam/c·I)⁻¹(CᵀR − lam/c·A_b),   R = −l'(f)/c.
//
// C holds the features Z_b of the block with centred columns. Visits of successive blocks are block
// Gauss–Seidel. The solver caches CᵀC and its factor. For more than 64m rows it computes them from
// a subset as a preconditioner of the step. For the squared loss the bound equals F.
//
// # Passes
//
// A pass visits all blocks and then minimises over the span of the last changes. The passes
// thereby precondition a method of conjugate directions. For few rows a pass may be one joint
// step of all blocks with the n×n matrix Σ_b Z_bZ_bᵀ. For the squared loss its factor also gives
// leave-one-out predictions.
//
// Losses with kinks use the alternating direction method of multipliers (Boyd, Parikh, Chu, Peleato
// and Eckstein, 2011). A pass under the squared loss is one of its steps.
//
// # Cost
//
// A visit needs O(n·m·(d + q)) time, the first visit of a block O(min(n, 64m)·m² + m³) more. A pass
// needs B visits and O(n·q·k²) for k ≤ 6 changes. The memory is O(n·(d + q) + B·m·q), plus m² for each
// cached block of normal equations and CacheSize for features.
//
// # Certificate
//
// Certificate computes all features once. It returns the norm of the gradient relative to A = 0 and
// a bound of the excess of F/n, which is strongly convex in A with modulus nu·B. For losses with
// kinks it returns the residuals of the splitting.
//
// # Ridge
//
// The kernel search gives the ridge of the squared loss, nu = Noise/n. Another loss with curvature H
// and derivatives of variance V near its minimum has noise of variance V/H² and the effective ridge
// nu/H. The best ridge is proportional to the noise, so for targets with noise of variance s²
//
//	nu = Noise/n·V/(H·s²).
//
// NoiseFactor and LabelFactor return V/(H·s²). CrossValidated selects the ridge of a loss with kinks
// on held-out rows, because no formula gives it.
//
// # Determinism
//
// The result does not depend on the number of workers. A solver that is stopped within a visit keeps
// consistent coefficients, constant and scores.
package revisit
