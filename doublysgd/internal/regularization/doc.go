// Package regularization finds the ridge of a loss from that of the squared loss, which the
// search for the kernel finds.
//
// For the squared loss nu = Noise/n. Near its minimum another loss is a square too, of
// curvature H, whose derivatives have the variance V: it sees noise of the variance V/H²,
// and what weighs against it is nu/H. As the best ridge is in proportion to the noise,
//
//	nu = Noise/n·V/(H·s²)
//
// with s² for the variance of the noise of the targets: NoiseFactor and LabelFactor return
// V/(H·s²). How much of a quantile the rows tell depends on where it lies among the targets,
// and no formula knows that: the ridge of a loss of numbers with kinks is CrossValidated.
package regularization
