// Prometheus metrics: counters fed by events, histograms, and numbers read on scrape.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Events, FleetEvent } from './events.ts'
import { registerLoopDelays } from './process/loop-delays.ts'

interface Description {
  name: string
  help: string
  /** Without labels there is one number. */
  labels?: readonly string[]
}

/** The number, or each with the values of its labels. */
type Read = () => number | Iterable<readonly [values: readonly string[], count: number]>

/** What the departments are asked for on each scrape. */
const sources = {
  agents: { Metric: Gauge, name: 'fleet_agents', help: 'Agents that are connected to this host', labels: ['state'] },
  refused: {
    Metric: Counter,
    name: 'fleet_agents_refused_total',
    help: 'Connections of agents that were closed at once',
    labels: ['reason'],
  },
  queued: { Metric: Gauge, name: 'fleet_queue_parts', help: 'Parts of jobs that wait for their client' },
  hosts: { Metric: Gauge, name: 'fleet_hosts', help: 'Hosts of the fleet' },
  authFailures: {
    Metric: Counter,
    name: 'fleet_auth_failures_total',
    help: 'Requests with a wrong token, and failed logins',
  },
  moduleRuns: {
    Metric: Counter,
    name: 'fleet_module_runs_total',
    help: 'Runs of hooks and views',
    labels: ['module', 'result'],
  },
  moduleSeconds: {
    Metric: Counter,
    name: 'fleet_module_seconds_total',
    help: 'Time in which the event loop was busy while hooks and views ran',
    labels: ['module'],
  },
  certificateDays: {
    Metric: Gauge,
    name: 'fleet_certificate_days',
    help: 'Days until the certificate of the REST API expires',
  },
} satisfies Record<string, Description & { Metric: typeof Gauge | typeof Counter }>

export interface Metrics {
  /** The media type of `text`. */
  type: string
  text(): Promise<string>
  /** `route` is the command's, '' for a request without one. */
  observeRequest(route: string, status: number, seconds: number): void
  observeWrite(seconds: number): void
  addSource(source: keyof typeof sources, read: Read): void
  close(): void
}

// Seconds: from a page served from memory to the longest time that a caller waits.
const requestBuckets = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30]
// Seconds: from a buffered write to a disk that hardly responds.
const writeBuckets = [0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3]

/** The longest interval of a timer: prom-client's monitor of the event loop, which loop-delays.ts replaces, takes no sample. */
const neverMilliseconds = 2 ** 31 - 1

export function createMetrics(events: Events): Metrics {
  const register = new Registry()
  const registers = [register]
  // CPU time, memory and others of Node.
  collectDefaultMetrics({ register, eventLoopMonitoringPrecision: neverMilliseconds })
  const stopLoopDelays = registerLoopDelays(register)
  const requests = new Histogram({
    name: 'fleet_request_seconds',
    help: 'Time until a request was answered',
    registers,
    labelNames: ['route', 'status'],
    buckets: requestBuckets,
  })
  const writes = new Histogram({
    name: 'fleet_store_write_seconds',
    help: 'Time until a write of the store was acknowledged',
    registers,
    buckets: writeBuckets,
  })
  const add = (Metric: typeof Gauge | typeof Counter, { name, help, labels = [] }: Description, read: Read) => {
    const collect = () => fill(metric, labels, read())
    const metric: Gauge | Counter = new Metric({ name, help, registers, labelNames: [...labels], collect })
  }
  const unsubscribe = countEvents(events, (counter, read) => add(Counter, counter, read))
  return {
    type: register.contentType,
    text: () => register.metrics(),
    observeRequest: (route, status, seconds) => requests.observe({ route, status }, seconds),
    observeWrite: seconds => writes.observe(seconds),
    addSource: (source, read) => add(sources[source].Metric, sources[source], read),
    close() {
      unsubscribe()
      stopLoopDelays()
      register.clear()
    },
  }
}

function fill(metric: Gauge | Counter, labels: readonly string[], numbers: ReturnType<Read>): void {
  metric.reset()
  if (typeof numbers === 'number') return metric.inc(numbers)
  for (const [values, count] of numbers) {
    metric.inc(Object.fromEntries(labels.map((label, index) => [label, values[index] ?? ''])), count)
  }
}

/** A counter of events; the key of one has the values of the labels in lines, undefined for an event that it does not count. */
interface EventCounter extends Description {
  keyOf(event: FleetEvent): string | undefined
  /** Keys that are there from the start. */
  keys?: readonly string[]
}

const moduleOutcomes: Record<string, string> = {
  'module-loaded': 'loaded',
  'module-failed': 'failed',
  'module-removed': 'removed',
}

const eventCounters: readonly EventCounter[] = [
  {
    name: 'fleet_commands_total',
    help: 'Commands that have ended on agents',
    labels: ['command', 'outcome'],
    keyOf: event => (event.type === 'command-ended' ? `${event.command}\n${event.result}` : undefined),
  },
  {
    name: 'fleet_deadlines_missed_total',
    help: 'Commands whose agent did not answer in time',
    labels: ['command'],
    keyOf: event => (event.type === 'command-ended' && event.overdue ? event.command : undefined),
  },
  {
    name: 'fleet_job_parts_total',
    help: 'Parts of jobs that have ended',
    labels: ['command', 'state'],
    keyOf: event => (event.type === 'job-part' ? `${event.command}\n${event.state}` : undefined),
  },
  {
    name: 'fleet_module_changes_total',
    help: 'Command files that were loaded, failed or removed',
    labels: ['outcome'],
    keyOf: event => moduleOutcomes[event.type],
    keys: Object.values(moduleOutcomes),
  },
]

/** Numbers of our own, which are read on scrape: thousands of commands may end within a second. */
function countEvents(events: Events, add: (counter: EventCounter, read: Read) => void): () => void {
  const counters = eventCounters.map(counter => {
    const { keyOf, keys = [] } = counter
    const counts = new Map(keys.map(key => [key, 0]))
    add(counter, () => Array.from(counts, ([key, count]) => [key.split('\n'), count] as const))
    return { keyOf, counts }
  })
  return events.on(
    event => {
      for (const { keyOf, counts } of counters) {
        const key = keyOf(event)
        if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1)
      }
    },
    ['command-ended', 'job-part', 'module-loaded', 'module-failed', 'module-removed'],
  )
}
