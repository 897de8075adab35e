// The deadlines of requests: one timer for all that are equally long, as thousands of agents are sent a request at once.

/** What has to end within a time. Those that wait equally long are a linked list, the first one to be due first. */
export abstract class Deadline {
  /** When the time is over, by `performance.now()`. */
  due = 0
  list: DeadlineList | undefined
  previous: Deadline | undefined
  next: Deadline | undefined

  /** The time is over. */
  abstract onDue(): void
}

/** The deadlines that were set with the same number of milliseconds. */
class DeadlineList {
  readonly #milliseconds: number
  #first: Deadline | undefined
  #last: Deadline | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds
  }

  add(deadline: Deadline, now: number): void {
    deadline.due = now + this.#milliseconds
    deadline.list = this
    deadline.previous = this.#last
    deadline.next = undefined
    if (this.#last) this.#last.next = deadline
    else this.#first = deadline
    this.#last = deadline
    this.#timer ??= setTimeout(() => this.#onTimer(), this.#milliseconds)
  }

  remove(deadline: Deadline): void {
    const { previous, next } = deadline
    if (previous) previous.next = next
    else this.#first = next
    if (next) next.previous = previous
    else this.#last = previous
    deadline.list = undefined
    deadline.previous = undefined
    deadline.next = undefined
    if (this.#first) return
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  /** The timer is that of a deadline that may have ended since: it starts again for the first one that is left. */
  #onTimer(): void {
    this.#timer = undefined
    const now = performance.now()
    try {
      for (let first = this.#first; first && first.due <= now; first = this.#first) {
        this.remove(first)
        first.onDue()
      }
    } finally {
      if (this.#first) this.#timer ??= setTimeout(() => this.#onTimer(), this.#first.due - now)
    }
  }
}

export class Deadlines {
  readonly #lists = new Map<number, DeadlineList>()

  /** Sets a deadline, in place of the one that it had. */
  set(deadline: Deadline, milliseconds: number, now = performance.now()): void {
    this.end(deadline)
    let list = this.#lists.get(milliseconds)
    if (!list) {
      list = new DeadlineList(milliseconds)
      this.#lists.set(milliseconds, list)
    }
    list.add(deadline, now)
  }

  end(deadline: Deadline): void {
    deadline.list?.remove(deadline)
  }
}
