package repo

import "container/heap"

// ranked has a place in a queue.
type ranked[T any] interface{ before(T) bool }

// queue is a heap: what comes before all others is taken first.
type queue[T ranked[T]] []T

func (q *queue[T]) add(x T) { heap.Push((*queued[T])(q), x) }

func (q *queue[T]) take() T { return heap.Pop((*queued[T])(q)).(T) }

// queued is a queue for package heap.
type queued[T ranked[T]] []T

func (q queued[T]) Len() int           { return len(q) }
func (q queued[T]) Less(i, j int) bool { return q[i].before(q[j]) }
func (q queued[T]) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *queued[T]) Push(x any)        { *q = append(*q, x.(T)) }
func (q *queued[T]) Pop() any {
	last := len(*q) - 1
	x := (*q)[last]
	*q = (*q)[:last]
	return x
}
