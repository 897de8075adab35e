// Numbers for Prometheus: counted from the news, measured where there is none, or asked for when they are read.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Events, FleetEvent } from './events.ts'

export interface Metrics {
  /** The media type of `text`. */
  type: string
  text(): Promise<string>
  /** `route` is a command's, '' where there is none. */
  requested(route: string, status: number, seconds: number): void
  /** A write of the store was acknowledged. */
  written(seconds: number): void
  close(): void
}

/** What is asked for when the numbers are read. */
export interface Sources {
  /** The states of connected agents. */
  agents(): string[]
  /** Parts that wait for their client. */
  queued(): number
}

// From what a page takes that reads memory to what a caller waits for at most, in seconds.
const requestBuckets = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30]
// From a buffered write to a disk that has stopped, in seconds.
const writeBuckets = [0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3]

export function createMetrics(events: Events, sources: Sources): Metrics {
  const registers = [new Registry()]
  const [register = new Registry()] = registers
  // Processor time, memory, and among others the delay of the event loop.
  collectDefaultMetrics({ register })
  const requests = new Histogram({
    ...{ name: 'fleet_request_seconds', help: 'Time until a request was answered', registers },
    ...{ labelNames: ['route', 'status'], buckets: requestBuckets },
  })
  const writes = new Histogram({
    ...{ name: 'fleet_store_write_seconds', help: 'Time until a write of the store was acknowledged', registers },
    buckets: writeBuckets,
  })
  new Gauge({
    ...{ name: 'fleet_agents', help: 'Connected agents', labelNames: ['state'], registers },
    collect() {
      this.reset()
      for (const state of sources.agents()) this.inc({ state })
    },
  })
  new Gauge({
    ...{ name: 'fleet_queue_parts', help: 'Parts of jobs that wait for their client', registers },
    collect() {
      this.set(sources.queued())
    },
  })
  const silence = countNews(events, registers)
  return {
    type: register.contentType,
    text: () => register.metrics(),
    requested: (route, status, seconds) => requests.observe({ route, status }, seconds),
    written: seconds => writes.observe(seconds),
    close() {
      silence()
      register.clear()
    },
  }
}

function countNews(events: Events, registers: Registry[]): () => void {
  const commands = countBy(['command', 'outcome'], {
    name: 'fleet_commands_total',
    help: 'Commands that have ended on agents',
    registers,
  })
  const overdue = new Counter({
    ...{ name: 'fleet_deadlines_missed_total', help: 'Commands whose agent did not answer in time', registers },
    labelNames: ['command'],
  })
  const parts = countBy(['command', 'state'], {
    name: 'fleet_job_parts_total',
    help: 'Parts of jobs that have ended',
    registers,
  })
  const modules = new Counter({
    ...{ name: 'fleet_module_changes_total', help: 'Command files that were loaded, failed or removed', registers },
    labelNames: ['outcome'],
  })
  for (const outcome of ['loaded', 'failed', 'removed']) modules.inc({ outcome }, 0)
  const count = (event: FleetEvent) => {
    if (event.type === 'command-ended') {
      commands(event.command, event.result)
      if (event.overdue) overdue.inc({ command: event.command })
    } else if (event.type === 'job-part') parts(event.command, event.state)
    else if (event.type === 'module-loaded') modules.inc({ outcome: 'loaded' })
    else if (event.type === 'module-failed') modules.inc({ outcome: 'failed' })
    else if (event.type === 'module-removed') modules.inc({ outcome: 'removed' })
  }
  return events.on(count, ['command-ended', 'job-part', 'module-loaded', 'module-failed', 'module-removed'])
}

/** Counts by two labels, of which the library hears when it is asked: thousands of agents may answer in a second. */
function countBy(
  [first, second]: [string, string],
  about: { name: string; help: string; registers: Registry[] },
): (of: string, by: string) => void {
  const counts = new Map<string, Map<string, number>>()
  new Counter({
    ...{ ...about, labelNames: [first, second] },
    collect() {
      this.reset()
      for (const [of, row] of counts) for (const [by, count] of row) this.inc({ [first]: of, [second]: by }, count)
    },
  })
  return (of, by) => {
    const row = counts.get(of) ?? new Map<string, number>()
    row.set(by, (row.get(by) ?? 0) + 1)
    counts.set(of, row)
  }
}
