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

const serveExamples = `  rkhs serve -model price.rkhs -addr localhost:8080
  curl -d '{"rows": [{"area": 50, "town": "Ely"}]}' localhost:8080/predict
  rkhs serve -model price.learner       takes /update too`

// server answers by a model, which follows a learner if there is one.
type server struct {
	model   atomic.Pointer[model]
	body    int64 // bytes, at most
	rows    int   // at most
	path    string
	log     io.Writer
	refresh time.Duration

	lock    sync.Mutex // of what follows
	learner *recipe.Learner
	unsaved bool
	saved   bool          // since the server began
	changed chan struct{} // since model was made
}

// serve is rkhs serve.
func serve(ctx context.Context, args []string, s streams) error {
	a := newArguments("serve", "-model MODEL [flags]", "Answers over HTTP: POST /predict with {\"rows\": [{\"area\": 50, \"town\": \"Ely\"}, …]}, or lists of numbers\nfor a model without names; GET /health; and of a learner of rkhs update POST /update, with rows that\nhave their target. Ctrl-C and SIGTERM answer what has come, save and end.", serveExamples, s)
	v := &server{changed: make(chan struct{}, 1), log: s.err}
	a.StringVar(&a.model, "model", "", "the `file` of the model or the learner")
	addr := a.String("addr", "localhost:8080", "the `address` to listen at")
	seconds := a.Float64("seconds", 60, "`seconds` from one checkpoint of a learner to the next")
	a.Int64Var(&v.body, "max-body", 1<<20, "`bytes` of a request at most")
	a.IntVar(&v.rows, "max-rows", 1000, "`rows` of a request at most")
	a.DurationVar(&v.refresh, "refresh", 100*time.Millisecond, "the `time` from one model of a learner to the next at least")
	if err := a.parse(args); err != nil {
		return err
	}
	if len(a.operands) > 0 || v.body < 1 || v.rows < 1 || !(*seconds > 0) || v.refresh < 0 {
		return misuse("serve takes flags alone, and limits above 0: -max-body %d -max-rows %d -seconds %v -refresh %v, beside %q", v.body, v.rows, *seconds, v.refresh, a.operands)
	}
	v.path = a.model
	if err := v.open(); err != nil {
		return err
	}
	if v.learner != nil {
		if err := writable("model", v.path); err != nil {
			return err
		}
	}
	l, err := net.Listen("tcp", *addr)
	if err != nil {
		return fmt.Errorf("-addr %s: %w", *addr, err)
	}
	fmt.Fprintf(s.out, "serving %s at http://%s\n", a.model, l.Addr())
	return v.run(ctx, l, time.Duration(*seconds*float64(time.Second)))
}

// open loads a model, or a learner and its model.
func (v *server) open() error {
	m, err := loadModel(v.path)
	if err != nil {
		return err
	}
	v.model.Store(&m)
	if of, err := rkhs.Load[any](v.path); err == nil {
		v.learner, _ = of.(*recipe.Learner)
	}
	return nil
}

// run serves until ctx is done, answers what has come by then, and saves.
func (v *server) run(ctx context.Context, l net.Listener, checkpoint time.Duration) error {
	h := &http.Server{Handler: v.handler(), ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, WriteTimeout: time.Minute, IdleTimeout: 2 * time.Minute}
	served := make(chan error, 1)
	go func() { served <- h.Serve(l) }()
	background, stop := context.WithCancel(context.WithoutCancel(ctx))
	var follow sync.WaitGroup
	follow.Add(2)
	go func() {
		defer follow.Done()
		v.follow(background)
	}()
	go func() {
		defer follow.Done()
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
	follow.Wait()
	if err = errors.Join(err, v.save()); err == nil {
		says := "stopped"
		if v.saved {
			says += ": the learner is saved to " + v.path
		}
		fmt.Fprintln(v.log, says)
	}
	return err
}

// modelShare is the part of the time that following a learner may take: a model of its first
// rows, which tunes it, takes some tenths of a second.
const modelShare = 0.1

// follow makes a new model when the learner has learned, no more often than each refresh.
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

// current returns the model of what the learner knows, or nil.
func (v *server) current(ctx context.Context) *model {
	v.lock.Lock()
	defer v.lock.Unlock()
	m, err := v.learner.Model(ctx)
	if err != nil || m == nil {
		return nil // too little was seen, or the server ends
	}
	return &model{m, m.Model()}
}

// checkpoints saves the learner now and then. What cannot be saved is told of, and saved later.
func (v *server) checkpoints(ctx context.Context, every time.Duration) {
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
			if err := v.save(); err != nil {
				fmt.Fprintf(v.log, "rkhs: the learner could not be saved: %v\n", err)
			}
		}
	}
}

// save writes what was learned since it was saved last.
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
