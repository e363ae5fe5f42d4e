# Writes tables of R packages for bench/defaults.sh, without header and with the target last:
# classifications as c-NAME.csv.gz and regressions as r-NAME.csv.gz. Packages: mlbench, kernlab,
# ggplot2, caret, MASS, AER, rpart.
#
#   Rscript bench/rtables.R FOLDER
#
# It drops rows with missing values, encodes categories as one-hot columns and ordered ones as
# numbers, and samples 12000 rows of larger tables.
folder <- commandArgs(trailingOnly = TRUE)[1]
dir.create(folder, showWarnings = FALSE)
suppressMessages(for (p in c("mlbench", "kernlab", "ggplot2", "MASS", "caret", "AER", "rpart")) library(p, character.only = TRUE))

columns <- function(v, name) {
  if (is.ordered(v) || is.numeric(v) || is.logical(v)) return(setNames(list(as.numeric(v)), name))
  f <- factor(v)
  if (nlevels(f) == 2) return(setNames(list(as.numeric(f) - 1), name))
  if (nlevels(f) > 30) return(list())
  setNames(lapply(levels(f), function(l) as.numeric(f == l)), paste0(name, levels(f)))
}

save_table <- function(kind, name, x, y) {
  x <- as.data.frame(x)
  whole <- complete.cases(x) & !is.na(y)
  x <- x[whole, , drop = FALSE]
  y <- y[whole]
  m <- do.call(cbind, do.call(c, unname(Map(columns, x, names(x)))))
  y <- if (kind == "c") as.numeric(factor(y)) - 1 else as.numeric(y)
  set.seed(1)
  rows <- head(sample(nrow(m)), 12000)
  file <- gzfile(file.path(folder, paste0(kind, "-", name, ".csv.gz")))
  write.table(cbind(m, y)[rows, ], file, sep = ",", row.names = FALSE, col.names = FALSE)
}

numbers <- function(x) as.data.frame(lapply(x, function(v) as.numeric(as.character(v))))
# take saves a table with one of its columns as target, without the columns in without.
take <- function(kind, name, d, target, without = character(), f = identity) {
  d <- as.data.frame(d)
  save_table(kind, name, d[, setdiff(names(d), c(target, without)), drop = FALSE], f(d[[target]]))
}

data(Satellite, Vehicle, Vowel, Glass, Ionosphere, DNA, Shuttle, BreastCancer, Ozone, package = "mlbench")
data(spam, ticdata, musk, income, package = "kernlab")
data(segmentationData, Sacramento, tecator, BloodBrain, mdrr, cox2, dhfr, GermanCredit, package = "caret")
data(cars, package = "caret")
data(CPS1988, HousePrices, DoctorVisits, NMES1988, CollegeDistance, package = "AER")
data(car90, package = "rpart")

take("c", "satellite", Satellite, "classes")
take("c", "spam", spam, "type")
take("c", "vehicle", Vehicle, "Class")
take("c", "vowel", Vowel, "Class", "V1")
take("c", "glass", Glass, "Type")
take("c", "ionosphere", Ionosphere, "Class", c("V1", "V2"))
save_table("c", "dna", numbers(DNA[, 1:180]), DNA$Class)
take("c", "shuttle", Shuttle, "Class")
save_table("c", "wbc", numbers(BreastCancer[, 2:10]), BreastCancer$Class)
take("c", "diamonds-cut", diamonds, "cut")
take("c", "segmentation", segmentationData, "Class", c("Cell", "Case"))
save_table("c", "mdrr", mdrrDescr, mdrrClass)
save_table("c", "cox2", cox2Descr, cox2Class)
take("c", "dhfr", dhfr, "Y")
take("c", "germancredit", GermanCredit, "Class")
take("c", "ticdata", ticdata, "CARAVAN")
take("c", "musk", musk, "Class")
take("c", "income", income, "INCOME")
save_table("r", "ozone", numbers(Ozone[, c(1:3, 5:13)]), Ozone$V4)
take("r", "diamonds", diamonds, "price")
take("r", "diamonds-log", diamonds, "price", f = log)
save_table("r", "txhousing", txhousing[, c("year", "month", "sales", "volume", "listings", "inventory")], txhousing$median)
take("r", "sacramento", Sacramento, "price", c("city", "zip"))
save_table("r", "tecator", absorp, endpoints[, 2])
save_table("r", "bloodbrain", bbbDescr, logBBB)
take("r", "cars", cars, "Price")
take("r", "quakes", quakes, "mag")
take("r", "cps1988", CPS1988, "wage", f = log)
take("r", "houseprices", HousePrices, "price")
take("r", "doctorvisits", DoctorVisits, "visits")
take("r", "nmes", NMES1988, "visits")
take("r", "college", CollegeDistance, "score")
save_table("r", "car90", car90[, c("Country", "Disp", "Eng.Rev", "Gear.Ratio", "HP", "Height", "Length", "Weight", "Width", "Wheel.base", "Type")], car90$Price)
take("r", "birthwt", MASS::birthwt, "bwt", "low")
for (k in 1:3) {
  set.seed(k)
  d <- switch(k, mlbench.friedman1(3000, sd = 1), mlbench.friedman2(3000), mlbench.friedman3(3000))
  save_table("r", paste0("friedman", k), d$x, d$y)
}
