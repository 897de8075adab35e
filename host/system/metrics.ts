// Prometheus metrics: counters fed by events, histograms, and numbers read on scrape.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Events, FleetEvent } from './events.ts'
import { registerLoopDelays } from './process/loop-delays.ts'

export interface Metrics {
  /** The media type of `text`. */
  type: string
  text(): Promise<string>
  /** `route` is the command's, '' for a request without one. */
  observeRequest(route: string, status: number, seconds: number): void
  observeWrite(seconds: number): void
  /** Adds the metrics whose `sources` are read on each scrape. */
  addSources(sources: MetricSources): void
  /** Adds the metric of wrong tokens and failed logins; `total` is read on each scrape. */
  addAuthFailures(failures: { readonly total: number }): void
  /** `days` until the certificate of the REST API expires. */
  addCertificate(certificate: { readonly days: number }): void
  close(): void
}

/** Sources of metrics, read on each scrape. */
export interface MetricSources {
  /** The states of the agents that are connected to this host. */
  agents(): string[]
  /** The number of hosts in the fleet; absent in a daemon that runs alone. */
  hosts?(): number
  /** The number of job parts that wait for their client. */
  queued(): number
  /** How many connections of agents were closed at once, by reason. */
  refused(): ReadonlyMap<string, number>
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
  const unsubscribe = countEvents(events, registers)
  return {
    type: register.contentType,
    text: () => register.metrics(),
    observeRequest: (route, status, seconds) => requests.observe({ route, status }, seconds),
    observeWrite: seconds => writes.observe(seconds),
    addSources: sources => registerSources(sources, registers),
    addAuthFailures: failures => registerAuthFailures(failures, registers),
    addCertificate(certificate) {
      const help = 'Days until the certificate of the REST API expires'
      addGauge(registers, 'fleet_certificate_days', help, () => certificate.days)
    },
    close() {
      unsubscribe()
      stopLoopDelays()
      register.clear()
    },
  }
}

/** Adds a gauge that is read on each scrape. */
function addGauge(registers: Registry[], name: string, help: string, read: () => number): void {
  new Gauge({
    name,
    help,
    registers,
    collect() {
      this.set(read())
    },
  })
}

function registerSources(sources: MetricSources, registers: Registry[]): void {
  new Gauge({
    name: 'fleet_agents',
    help: 'Agents that are connected to this host',
    registers,
    labelNames: ['state'],
    collect() {
      this.reset()
      for (const state of sources.agents()) this.inc({ state })
    },
  })
  new Counter({
    name: 'fleet_agents_refused_total',
    help: 'Connections of agents that were closed at once',
    registers,
    labelNames: ['reason'],
    collect() {
      this.reset()
      for (const [reason, count] of sources.refused()) this.inc({ reason }, count)
    },
  })
  if (sources.hosts) addGauge(registers, 'fleet_hosts', 'Hosts of the fleet', sources.hosts)
  addGauge(registers, 'fleet_queue_parts', 'Parts of jobs that wait for their client', sources.queued)
}

function registerAuthFailures(failures: { readonly total: number }, registers: Registry[]): void {
  new Counter({
    name: 'fleet_auth_failures_total',
    help: 'Requests with a wrong token, and failed logins',
    registers,
    collect() {
      this.reset()
      this.inc(failures.total)
    },
  })
}

/** Registers the counters and returns the function that stops counting. */
function countEvents(events: Events, registers: Registry[]): () => void {
  const countCommand = createPairCounter(['command', 'outcome'], {
    name: 'fleet_commands_total',
    help: 'Commands that have ended on agents',
    registers,
  })
  const overdue = new Counter({
    name: 'fleet_deadlines_missed_total',
    help: 'Commands whose agent did not answer in time',
    registers,
    labelNames: ['command'],
  })
  const countPart = createPairCounter(['command', 'state'], {
    name: 'fleet_job_parts_total',
    help: 'Parts of jobs that have ended',
    registers,
  })
  const modules = new Counter({
    name: 'fleet_module_changes_total',
    help: 'Command files that were loaded, failed or removed',
    registers,
    labelNames: ['outcome'],
  })
  for (const outcome of ['loaded', 'failed', 'removed']) modules.inc({ outcome }, 0)
  const count = (event: FleetEvent) => {
    if (event.type === 'command-ended') {
      countCommand(event.command, event.result)
      if (event.overdue) overdue.inc({ command: event.command })
    } else if (event.type === 'job-part') countPart(event.command, event.state)
    else if (event.type === 'module-loaded') modules.inc({ outcome: 'loaded' })
    else if (event.type === 'module-failed') modules.inc({ outcome: 'failed' })
    else if (event.type === 'module-removed') modules.inc({ outcome: 'removed' })
  }
  return events.on(count, ['command-ended', 'job-part', 'module-loaded', 'module-failed', 'module-removed'])
}

/**
 * A counter with two labels; returns the function that adds 1 for two label values. It keeps its own numbers and fills
 * the library's counter on scrape only, because thousands of commands may end within a second.
 */
function createPairCounter(
  [firstLabel, secondLabel]: [string, string],
  configuration: { name: string; help: string; registers: Registry[] },
): (first: string, second: string) => void {
  const counts = new Map<string, Map<string, number>>()
  new Counter({
    ...configuration,
    labelNames: [firstLabel, secondLabel],
    collect() {
      this.reset()
      for (const [first, row] of counts) {
        for (const [second, count] of row) this.inc({ [firstLabel]: first, [secondLabel]: second }, count)
      }
    },
  })
  return (first, second) => {
    const row = counts.get(first) ?? new Map<string, number>()
    row.set(second, (row.get(second) ?? 0) + 1)
    counts.set(first, row)
  }
}
