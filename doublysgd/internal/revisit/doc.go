// Package revisit minimises, for given blocks φ_b of random features, the objective
//
//	F(A, b) = Σ_i l(f(x_i), y_i) + (lam/2)·Σ_b ‖A_b‖²,   f(x) = b + Σ_b φ_b(x)·A_b,
//
// in the coefficients A_b, m×q, of B blocks and in the constant b of each of q outputs, over
// the n rows that it trains on. With the weight nu of the squared norm beside the mean of
// the losses, lam = nu·n·B: the kernel of the features is the mean over the blocks of
// <φ_b, φ_b>. A Problem says what is minimised and how much memory there is; its Solver
// holds the solution so far and the scores of all rows, those held out among them. What is
// chosen by these, and when to stop, is left to the caller.
//
// # Visits
//
// A visit goes to the minimum along one block of coefficients, together with the constant,
// of the quadratic that lies above F by the bound c of the curvature of the loss,
//
//	A_b += (CᵀC + lam/c·I)⁻¹(CᵀR − lam/c·A_b),   R = −l'(f)/c,
//
// where C is Z_b, the features of the block at the rows, less the means of its columns.
// Visits of one block after the other are block Gauss–Seidel. CᵀC and its factor are the
// same at every visit; beyond 64m rows they are taken over so many, and serve as a
// preconditioner. For the squared loss, c = 1, the quadratic is F.
//
// # Passes
//
// A pass visits all blocks, and then goes to the minimum over the span of the moves of the
// last passes: the passes become a preconditioner of a conjugate direction method. Where
// rows are few a pass may be one joint step for all blocks instead, by the n×n matrix
// Σ_b Z_bZ_bᵀ; of the squared loss its factor tells besides what each row is predicted as from
// all others.
//
// A loss with kinks has no bound of its curvature. It is minimised by the alternating
// direction method of multipliers (Boyd, Parikh, Chu, Peleato and Eckstein, 2011), of which a
// pass over the blocks, under the squared loss, is one step.
//
// # Cost
//
// For rows of d columns a visit takes O(n·m·(d + q)), the first one of a block
// O(min(n, 64m)·m² + m³) more; a pass B times that and O(n·q·k²) for k ≤ 6 moves. The
// memory is O(n·(d + q) + B·m·q), m² more for each block whose normal equations are kept,
// and up to CacheSize for features that are kept.
//
// # Certificate
//
// Certificate tells, at the cost of computing all features once, the norm of the gradient
// relative to that at A = 0 and, since F/n is strongly convex in A with modulus nu·B, by how
// much it can exceed its minimum; for losses with kinks the residuals of the splitting.
//
// # Ridge
//
// The search for the kernel finds the ridge of the squared loss, nu = Noise/n. Near its minimum another
// loss is a square too, of curvature H, and its derivatives have the variance V: it sees noise of the
// variance V/H², and the ridge counts as nu/H. The best ridge is proportional to the noise, so with the
// variance s² of the noise of the targets
//
//	nu = Noise/n·V/(H·s²).
//
// NoiseFactor and LabelFactor return V/(H·s²). CrossValidated selects the ridge of a loss with kinks on
// held-out rows, because no formula gives it.
//
// # Determinism and stopping
//
// The same bits come out for any number of workers. A solver that is stopped within a visit
// leaves coefficients, constant and scores that belong together.
package revisit
