// Waiting parts in little memory: three numbers for parts of one job that follow each other.
import { nameOf, type PartTarget, QueuedPart, type WaitingJob, type WaitingJobs } from '../queue/queued-parts.ts'

/** Parts whose indexes and steps follow each other. */
interface Run {
  /** The number of the `WaitingJob`. */
  job: number
  index: number
  step: number
  count: number
  added: number
}

/** Numbers of a run: job and index in one, step and count in one, and `added`. */
const columns = 3

/** Above all indexes, steps and counts. Leaves 2^27 jobs. */
const factor = 2 ** 26

export class PartList {
  readonly #jobs: WaitingJobs
  #numbers: number[] = []
  #length = 0

  constructor(jobs: WaitingJobs) {
    this.#jobs = jobs
  }

  get length(): number {
    return this.#length
  }

  push(job: WaitingJob, { index, step, added = 0 }: { index: number; step: number; added?: number }): void {
    this.#jobs.retain(job)
    this.#length += 1
    this.#append({ job: job.number, index, step, count: 1, added })
  }

  shift(): QueuedPart | undefined {
    if (this.#length === 0) return undefined
    const run = this.#runAt(0)
    if (run.count === 1) this.#numbers.splice(0, columns)
    else this.#write(0, { ...run, index: run.index + 1, step: run.step + 1, count: run.count - 1 })
    return this.#release(run)
  }

  /** Removes and returns parts. */
  take({ job, index, isMeant }: PartTarget): QueuedPart[] {
    const mayHave = (run: Run) =>
      (job === undefined || this.#jobs.get(run.job)?.id === job) &&
      (index === undefined || (run.index <= index && index < run.index + run.count))
    const runs = [...this.#runs()]
    if (!runs.some(mayHave)) return []
    const taken: QueuedPart[] = []
    this.#numbers = []
    for (const run of runs) {
      if (!mayHave(run)) {
        this.#append(run)
        continue
      }
      for (const part of partsOf(run)) {
        if (mayHave(part) && isMeant?.(this.#toPart(part)) !== false) taken.push(this.#release(part))
        else this.#append(part)
      }
    }
    return taken
  }

  /** Notes when parts were added, by their names, and removes these names from the map. */
  noteAdded(times: Map<string, number>): void {
    if (times.size === 0) return
    const runs = [...this.#runs()]
    this.#numbers = []
    for (const run of runs) {
      const job = this.#jobs.get(run.job)?.id ?? 0
      for (const part of partsOf(run)) {
        const name = nameOf({ job, index: part.index })
        this.#append({ ...part, added: times.get(name) ?? part.added })
        times.delete(name)
      }
    }
  }

  /** Extends the last run if the part follows it. */
  #append(run: Run): void {
    const at = this.#numbers.length - columns
    const last = at < 0 ? undefined : this.#runAt(at)
    const isNext =
      last?.job === run.job &&
      last.added === run.added &&
      last.index + last.count === run.index &&
      last.step + last.count === run.step
    if (isNext) this.#write(at, { ...last, count: last.count + run.count })
    else this.#write(this.#numbers.length, run)
  }

  #release(run: Run): QueuedPart {
    const part = this.#toPart(run)
    this.#length -= 1
    this.#jobs.release(part.waitingJob)
    return part
  }

  #toPart({ job: number, ...part }: Run): QueuedPart {
    const job = this.#jobs.get(number)
    if (!job) throw new Error(`queue: expected the job of a waiting part, got none with number ${number}`)
    return new QueuedPart(job, part)
  }

  *#runs(): Generator<Run> {
    for (let at = 0; at < this.#numbers.length; at += columns) yield this.#runAt(at)
  }

  #runAt(at: number): Run {
    const [place = 0, steps = 0, added = 0] = [this.#numbers[at], this.#numbers[at + 1], this.#numbers[at + 2]]
    return {
      job: Math.floor(place / factor),
      index: place % factor,
      step: Math.floor(steps / factor),
      count: steps % factor,
      added,
    }
  }

  #write(at: number, { job, index, step, count, added }: Run): void {
    this.#numbers[at] = job * factor + index
    this.#numbers[at + 1] = step * factor + count
    this.#numbers[at + 2] = added
  }
}

function* partsOf(run: Run): Generator<Run> {
  for (let at = 0; at < run.count; at += 1) yield { ...run, index: run.index + at, step: run.step + at, count: 1 }
}
