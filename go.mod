module github.com/rkhs-go/rkhs

go 1.24.0
