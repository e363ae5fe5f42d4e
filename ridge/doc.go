// Package ridge is kernel ridge regression and classification.
package ridge
