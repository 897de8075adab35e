// Starts and stops the daemon's parts in order. The program starts one host; tests start hosts in their own process.
import type { AddressInfo, Server as AgentServer } from 'node:net'
import { openAudit } from './access/audit.ts'
import { followAccounts } from './access/follow-accounts.ts'
import { openAccess } from './access/service.ts'
import { listenForAgents } from './agents/connection/connection.ts'
import { createApiDocs } from './api-docs/service.ts'
import { type Assembly, assemble } from './assemble.ts'
import type { OpenCluster } from './cluster/open-cluster.ts'
import { openPacketSender } from './computers/wake-on-lan.ts'
import { openCertificate } from './config/certificate.ts'
import { firstSteps } from './config/first-steps.ts'
import { type Options, OptionsError } from './config/options.ts'
import { createConsole } from './console/service.ts'
import type { LoadedCommand } from './contract/loaded-command.ts'
import { createEventStream } from './event-stream/service.ts'
import { listenForCallers } from './http/server.ts'
import { createAgentProgram } from './linux-agent/service.ts'
import { type Log, message } from './log/log.ts'
import { digestsOf } from './modules/host-services.ts'
import type { Loader } from './modules/loader.ts'
import { closeModules, createModules, warnOfUnknownDeadlines } from './modules/loader.ts'
import type { Registry } from './modules/registry.ts'
import { observeStore } from './store/observed-store.ts'
import { loadAdapter, storeOf } from './store/open-store.ts'
import { type Clock, systemClock } from './system/clock.ts'
import { createDiskProbe } from './system/disk-probe.ts'
import { createEvents, type Events } from './system/events.ts'
import { createHealth, type Health } from './system/health.ts'
import { createMetrics } from './system/metrics.ts'
import { descriptorShortage } from './system/process/descriptors.ts'
import { version } from './system/version.ts'

export interface HostDeps {
  options: Options
  /** The API token; it may change at any time. */
  token: { readonly value: string }
  log: Log
  /** UDP port of the magic packets; tests listen on a port of their own. */
  wakePort?: number
  /** The file of the kernel's neighbour table; tests name another one. */
  neighbourTable?: string
  /** The time of schedules and the queue; tests set it. */
  clock?: Clock
}

export interface Host {
  /** The ports in use; with port 0 in the options the system chooses them. */
  ports: { rest: number; agents: number }
  events: Events
  loader: Loader
  /** The commands in service. */
  commands: () => readonly LoadedCommand[]
  /** Reads the files of the certificate again, when there is one. */
  reloadCertificate(): void
  /** Lines that say what to do next, see first-steps.ts; none when there are rooms. */
  firstSteps(isSecret: boolean): Promise<string[]>
  /** With several hosts: publishes what has happened here, and reads what the others have published. */
  synchronize(): Promise<void>
  stop(): Promise<void>
}

type FleetDeps = Pick<HostDeps, 'options' | 'log'> & { events: Events; registry: Registry }

/** What was started, in order; stopped in reverse order. */
type Closers = (() => unknown)[]

/** Rejects when a port or the store cannot be opened; everything that was opened before is closed again. */
export async function startHost(deps: HostDeps): Promise<Host> {
  const closers: Closers = []
  const stop = () => closeAll(closers, deps.log)
  try {
    return { ...(await start(deps, closers)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function start(deps: HostDeps, closers: Closers): Promise<Omit<Host, 'stop'>> {
  const { options, log, clock = systemClock } = deps
  const events = createEvents(log)
  const { store, probe, certificate, ...base } = await openBase({ ...deps, clock, events }, closers)
  const { metrics, health, audit } = base
  const { registry, loader } = createModules(options, log, events)
  const others = await joinFleet({ options, log, events, registry }, closers)
  const cluster = others?.cluster
  const accessDeps = { store, clock, log, rest: options.rest, apiToken: deps.token, folder: options.store.path }
  const access = await openAccess(accessDeps)
  closers.push(() => access.close())
  closers.push(followAccounts(access, { events, log, cluster }))
  const { authenticate, followSession, refreshLimits, resolveRights } = access
  const streamDeps = { store, events, limits: options.limits, resolveRights, followSession, feed: cluster?.feed }
  const eventStream = await createEventStream(streamDeps)
  const assembly = assemble({
    ...base,
    options,
    log,
    events,
    clock,
    store,
    neighbourTable: deps.neighbourTable,
    registry,
    loader,
    pages: createPages(options, registry),
    access: access.service,
    resolveRights,
    eventStream,
    ...(cluster && { cluster }),
  })
  closers.push(() => assembly.close())
  const cancelRefused = () => void refreshLimits().then(assembly.jobs.cancelRefused)
  access.onChange(cancelRefused)
  await loader.start()
  closers.push(() => closeModules(loader, registry))
  warnOfUnknownDeadlines(options, registry, log)
  await assembly.start()
  cancelRefused()
  others?.start({ emitEnded: assembly.jobs.emitEnded })
  const agents = await openAgentPort(options, assembly, log, closers)
  addHealthChecks(health, { options, probe, agents, registry })
  const callerDeps = { options, log, events, metrics, authenticate, refreshLimits, audit, registry, certificate }
  const callers = await listenForCallers({ ...callerDeps, token: deps.token, execute: assembly.execute })
  closers.push(() => callers.close())
  // Closed before the server waits for its callers: a stream does not end by itself.
  closers.push(() => eventStream.close())
  return {
    ports: { rest: callers.port, agents: portOf(agents.address()) },
    events,
    loader,
    commands: () => registry.commands,
    reloadCertificate: () => certificate?.reload(),
    firstSteps: isSecret =>
      firstSteps({ store, loginLink: access.loginLink, rest: options.rest, port: callers.port }, isSecret),
    synchronize: async () => others?.synchronize(),
  }
}

type BaseDeps = Pick<HostDeps, 'options' | 'log' | 'wakePort'> & { clock: Clock; events: Events }

/** What needs nothing else of the daemon: metrics, the certificate, the store, packets and the audit log. */
async function openBase({ options, log, wakePort, clock, events }: BaseDeps, closers: Closers) {
  const metrics = createMetrics(events)
  closers.push(() => metrics.close())
  const certificate = openCertificate(options.rest, log, clock)
  closers.push(() => certificate?.close())
  if (certificate) metrics.addSource('certificateDays', () => certificate.days)
  const health = createHealth()
  const opened = await openStore(options, log)
  closers.push(() => opened.close())
  const observed = observeStore(opened, events, metrics.observeWrite)
  const packets = await openPacketSender({ interface: options.wol.interface, port: wakePort }, log)
  closers.push(() => packets.close())
  const audit = await openAudit({ folder: options.store.path, limits: options.limits, clock, log })
  closers.push(() => audit.close())
  health.addState('audit log', () => audit.problem())
  return { metrics, certificate, health, packets, audit, ...observed }
}

/** Undefined without the option `cluster`: nothing of it is loaded then. */
async function joinFleet(deps: FleetDeps, closers: Closers): Promise<OpenCluster | undefined> {
  const { registry, ...others } = deps
  if (!deps.options.cluster) return undefined
  const { openCluster } = await import('./cluster/open-cluster.ts')
  const opened = await openCluster({ ...others, version, modules: () => digestsOf(registry.commands) })
  closers.push(() => opened.close())
  return opened
}

/** What is served that is not made of records. */
const createPages = (options: Options, registry: Registry) => ({
  apiDocs: createApiDocs(() => registry.commands),
  console: createConsole(),
  agentProgram: createAgentProgram(options),
})

interface HealthDeps {
  options: Options
  /** Of the store. */
  probe(): Promise<void>
  agents: AgentServer
  registry: Registry
}

function addHealthChecks(health: Health, { options, probe, agents, registry }: HealthDeps): void {
  health.add('store', async () => void (await probe()))
  health.add('disk', createDiskProbe(options.store.path))
  health.add('descriptors', async () => descriptorShortage())
  health.addState('agents', () => (agents.listening ? undefined : 'the port does not listen'))
  health.addState('modules', () => (registry.commands.length > 0 ? undefined : 'no command is in service'))
}

async function closeAll(closers: Closers, log: Log): Promise<void> {
  for (const close of closers.splice(0).reverse()) {
    try {
      await close()
    } catch (error) {
      // The parts below it, above all the store, must be closed all the same.
      log.error('daemon', 'could not close a part of the daemon', error)
    }
  }
}

async function openStore(options: Options, log: Log) {
  const { default: open } = await loadAdapter(options.store)
  return open(storeOf(options), log, options.limits).catch(error => {
    throw new OptionsError(message(error))
  })
}

async function openAgentPort(options: Options, assembly: Assembly, log: Log, closers: Closers): Promise<AgentServer> {
  const server = await listenForAgents(options.agents, assembly.connectAgent, log)
  closers.push(() => {
    server.close()
    assembly.closeAgents()
  })
  return server
}

const portOf = (address: AddressInfo | string | null): number => (address instanceof Object ? address.port : 0)
