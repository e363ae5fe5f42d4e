// Package lasso solves the problem of package slkl, for given columns C and targets
// Y, from their sums CᵀC, CᵀY and ‖Y‖² alone:
//
//	min_mu F(mu) = tr Yᵀ(I + C·diag(mu)·Cᵀ)⁻¹Y + nu·Σ mu_m,  mu ≥ 0,
//
// which equals the Lasso, or for several outputs the group Lasso,
//
//	min_W ‖Y − CW‖² + 2·tau·Σ ‖w_m‖₂  with tau = √nu and ‖w_m‖₂ = tau·mu_m.
//
// Any lam reduces to lam = 1: by Proposition 3 of Machart et al. (ICML 2011) the
// problem of (lam, nu) is that of (1, lam·nu) for mu/lam, with the same F and W.
//
// Problem.Solve begins with coordinate descent on mu, which finds the columns that
// matter. A single output is then solved by block principal pivoting, and where
// that fails by an active-set method; several outputs by a projected Newton method
// on mu. Each solution has a Certificate, computed from W alone.
package lasso
