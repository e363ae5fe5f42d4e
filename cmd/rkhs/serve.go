package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rkhs-go/rkhs"
	"github.com/rkhs-go/rkhs/recipe"
)

const serveAbout = `Serves a model over HTTP: POST /predict with {"rows": [{"area": 50, "town": "Ely"}, …]}, or lists of
numbers for a model without a recipe; GET /health; and for a learner of rkhs update POST /update with
rows that have targets. SIGINT and SIGTERM finish the open requests, save the learner and end.`

const serveExamples = `  rkhs serve -model price.rkhs -addr localhost:8080
  curl -d '{"rows": [{"area": 50, "town": "Ely"}]}' localhost:8080/predict
  rkhs serve -model price.learner       also serves /update`

// server predicts with a model, which follows a learner if there is one.
type server struct {
	model    atomic.Pointer[model]
	maxBytes int64 // of a request
	maxRows  int
	path     string
	log      io.Writer
	refresh  time.Duration

	lock    sync.Mutex // guards the fields below
	learner *recipe.Learner
	unsaved bool
	saved   bool
	changed chan struct{} // has an element if the model is older than the learner
}

// serve is rkhs serve.
func serve(ctx context.Context, args []string, s streams) error {
	a := newArguments("serve", "-model MODEL [flags]", serveAbout, serveExamples, s)
	v := &server{changed: make(chan struct{}, 1), log: s.err}
	a.StringVar(&v.path, "model", "", "the `file` of the model or the learner")
	addr := a.String("addr", "localhost:8080", "the `address` to listen on")
	seconds := a.Float64("seconds", 60, "the `seconds` between checkpoints of a learner")
	a.Int64Var(&v.maxBytes, "max-body", 1<<20, "the largest number of `bytes` of a request")
	a.IntVar(&v.maxRows, "max-rows", 1000, "the largest number of `rows` of a request")
	a.DurationVar(&v.refresh, "refresh", 100*time.Millisecond, "the least `time` between two models of a learner")
	if err := a.parse(args); err != nil {
		return err
	}
	if len(a.operands) > 0 {
		return misuse("serve has flags only, not %q", a.operands)
	}
	if v.maxBytes < 1 || v.maxRows < 1 || !(*seconds > 0) || v.refresh < 0 {
		return misuse("-max-body %d -max-rows %d -seconds %v -refresh %v: want positive limits",
			v.maxBytes, v.maxRows, *seconds, v.refresh)
	}
	if err := v.open(); err != nil {
		return err
	}
	if v.learner != nil {
		if err := checkOutput("model", v.path, true); err != nil {
			return err
		}
	}
	l, err := net.Listen("tcp", *addr)
	if err != nil {
		return fmt.Errorf("-addr %s: %w", *addr, err)
	}
	fmt.Fprintf(s.out, "serving %s at http://%s\n", v.path, l.Addr())
	return v.run(ctx, l, time.Duration(*seconds*float64(time.Second)))
}

// open loads a model, or a learner and its model.
func (v *server) open() error {
	m, err := loadModel(v.path)
	if err != nil {
		return err
	}
	v.model.Store(&m)
	v.learner = m.learner
	return nil
}

// run serves until ctx is done, finishes the open requests, and saves the learner.
func (v *server) run(ctx context.Context, l net.Listener, checkpoint time.Duration) error {
	h := &http.Server{Handler: v.handler(), ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute,
		WriteTimeout: time.Minute, IdleTimeout: 2 * time.Minute}
	served := make(chan error, 1)
	go func() { served <- h.Serve(l) }()
	background, stop := context.WithCancel(context.WithoutCancel(ctx))
	var tasks sync.WaitGroup
	tasks.Add(2)
	go func() {
		defer tasks.Done()
		v.follow(background)
	}()
	go func() {
		defer tasks.Done()
		v.checkpoints(background, checkpoint)
	}()
	var err error
	select {
	case <-ctx.Done():
		wait, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
		err = h.Shutdown(wait)
		cancel()
	case err = <-served:
	}
	stop()
	tasks.Wait()
	if err = errors.Join(err, v.save()); err != nil {
		return err
	}
	text := "stopped"
	if v.saved {
		text += ", learner saved to " + v.path
	}
	fmt.Fprintln(v.log, text)
	return nil
}

// modelShare is the largest fraction of the time for building models. The first model of a learner
// selects the kernel and needs tenths of a second.
const modelShare = 0.1

// follow builds a new model after updates of the learner, at most once per refresh.
func (v *server) follow(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-v.changed:
		}
		began := time.Now()
		if m := v.current(ctx); m != nil {
			v.model.Store(m)
		}
		pause := max(v.refresh, time.Duration(float64(time.Since(began))/modelShare))
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
	}
}

// current returns the model of the learner, or nil if the rows do not suffice or ctx is done.
func (v *server) current(ctx context.Context) *model {
	v.lock.Lock()
	defer v.lock.Unlock()
	m, err := v.learner.Model(ctx)
	if err != nil || m == nil {
		return nil
	}
	return &model{recipe: m, fitted: m.Model()}
}

// checkpoints saves the learner at regular times. It reports an error and tries again.
func (v *server) checkpoints(ctx context.Context, every time.Duration) {
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
			if err := v.save(); err != nil {
				fmt.Fprintf(v.log, "rkhs: the learner was not saved: %v\n", err)
			}
		}
	}
}

// save saves the learner if it has changed.
func (v *server) save() error {
	v.lock.Lock()
	defer v.lock.Unlock()
	if !v.unsaved {
		return nil
	}
	err := rkhs.Save(v.path, v.learner)
	v.unsaved, v.saved = err != nil, v.saved || err == nil
	return err
}
