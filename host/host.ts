// Puts the rooms together and starts and stops them in order; tests start it in their own process.

import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { StoreOptions } from '../stores/store.ts'
import { Fleet } from './agents/fleet.ts'
import { listenForAgents } from './agents/listener.ts'
import { createApiDocs } from './api-docs/openapi.ts'
import { docsPage } from './api-docs/page.ts'
import { assemble } from './assemble.ts'
import { createBoot } from './boot/boot-files.ts'
import { createInventory } from './computers/inventory.ts'
import { openPacketSender } from './computers/magic-packet.ts'
import { createWake } from './computers/wake-on-lan.ts'
import { loadAdapter } from './config/open-store.ts'
import { type Options, OptionsError } from './config/options.ts'
import { createEventStream } from './event-stream/service.ts'
import { handleCommand } from './http/handle-command.ts'
import { listenForCallers } from './http/server.ts'
import { openRepository } from './images/repository.ts'
import { createImages } from './images/service.ts'
import { type Loader, startLoader } from './modules/loader.ts'
import { createRegistry, type Loaded, type Methods } from './modules/registry.ts'
import { isRefusal, refuse } from './refusal.ts'
import { type Clock, systemClock } from './system/clock.ts'
import { createEvents, type Events } from './system/events.ts'
import { createHealth } from './system/health.ts'
import { type Log, message } from './system/log.ts'
import { createMetrics } from './system/metrics.ts'
import { observeStore } from './system/observed-store.ts'

export interface HostDeps {
  options: Options
  token: string
  log: Log
  /** UDP port of the magic packets; tests listen on one of their own. */
  wakePort?: number
  /** The time of schedules and the queue; tests set it. */
  clock?: Clock
}

export interface Host {
  /** The ports that it listens on; the options may leave the choice to the system. */
  ports: { rest: number; agents: number }
  events: Events
  loader: Loader
  /** The commands in service. */
  commands: () => readonly Loaded[]
  stop(): Promise<void>
}

const builtIn = { path: fileURLToPath(new URL('../commands', import.meta.url)), origin: 'built-in' }

/** Rejects, with everything closed again, when a port or the store cannot be had. */
export async function startHost({ options, token, log, wakePort, clock = systemClock }: HostDeps): Promise<Host> {
  const { limits, deadlines } = options
  const closing: (() => unknown)[] = []
  const stop = async () => {
    for (const close of closing.splice(0).reverse()) {
      try {
        await close()
      } catch (error) {
        // What comes after it is closed all the same, the store above all.
        log.error('daemon', 'something could not be closed', error)
      }
    }
  }
  try {
    const events = createEvents(log)
    const opened = await openStore(options.store, log)
    closing.push(() => opened.close())
    const { store, probe } = observeStore(opened, events, seconds => metrics.written(seconds))
    const packets = await openPacketSender(
      { ...options.wol, ...(wakePort === undefined ? {} : { port: wakePort }) },
      log,
    )
    closing.push(() => packets.close())
    const registry = createRegistry((ctx, methods: Methods) =>
      handleCommand(ctx, methods, { log, limits, perform: work.perform }),
    )
    const fleet = new Fleet({
      log,
      events,
      limits,
      osStates: options.rest.os_states,
      connectCommand: addr => welcome(addr),
    })
    const repository = openRepository(options.repository.directory, serverAddress(options))
    const wake = createWake({ store, fleet, packets })
    const inventory = createInventory(store)
    const images = createImages({ store, fleet, repository })
    const boot = createBoot({ ...options.boot, server: repository.address, log })
    const stream = createEventStream({ store, events })
    const metrics = createMetrics(events, {
      agents: () => fleet.clients().flatMap(({ state, status }) => (status === undefined ? [] : [state])),
      queued: () => work.queued,
    })
    closing.push(() => metrics.close())
    const listening = () => agents.listening
    const health = createHealth({ probe, listening, commands: () => registry.commands.length })
    const modules = { list: () => loader.list() }
    const own = { store, fleet, wake, inventory, repository, images, modules }
    const reference = createApiDocs(() => registry.commands, docsPage)
    const services = { ...own, health, metrics, events: stream, apiDocs: reference, limits, refuse }
    const flagged = (flag: 'onConnect' | 'beforeQueue') =>
      registry.commands.find(({ command }) => command.forward?.[flag])
    const work = assemble({
      ...{ store, fleet, events, log, clock, limits, deadlines, services, boot },
      ...(options.boot.oglives !== undefined && { oglives: options.boot.oglives }),
      find: registry.find,
      queueCommand: () => flagged('beforeQueue'),
    })
    closing.push(() => work.close())
    const welcome = (addr: string) => {
      const first = flagged('onConnect')
      const accepted = first && work.orders.reuse(first, { clients: [addr] })
      return accepted && !isRefusal(accepted) ? work.orders.toAgentRequest(first, accepted) : undefined
    }
    const folders = [builtIn, ...options.commands.map(path => ({ path, origin: path }))]
    const loader = await startLoader({ log, events, registry, folders })
    closing.push(() => loader.close())
    const names = new Set(registry.commands.map(({ name }) => name))
    for (const name of Object.keys(deadlines)) {
      if (!names.has(name)) log.warn('options', `deadlines.${name}: no command of that name is loaded`)
    }
    await work.start()
    const agents = await listenForAgents(options.agents, fleet, log)
    closing.push(() => {
      agents.close()
      fleet.close()
    })
    const { open_metrics: openMetrics } = options.rest
    const { requested } = metrics
    const callers = await listenForCallers(options.rest, { log, limits, token, registry, openMetrics, requested })
    closing.push(() => closeCallers(callers))
    // Before callers are waited for: a stream has no end of its own.
    closing.push(() => stream.close())
    const ports = { rest: portOf(callers.address()), agents: portOf(agents.address()) }
    return { ports, events, loader, commands: () => registry.commands, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function openStore(options: StoreOptions, log: Log) {
  const { default: open } = await loadAdapter(options)
  return open(options, log).catch(error => {
    throw new OptionsError(message(error))
  })
}

/** The server as agents and boot loaders reach it: `boot.server`, else the agents' address, else the first outside one. */
function serverAddress({ boot, agents }: Options): string {
  if (boot.server !== undefined) return boot.server
  if (agents.ip !== '0.0.0.0' && agents.ip !== '::') return agents.ip
  const outside = Object.values(networkInterfaces())
    .flatMap(addresses => addresses ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)
  return outside?.address ?? '127.0.0.1'
}

/** Milliseconds that requests under way have to finish when the daemon ends. */
const graceMilliseconds = 1000

async function closeCallers(server: Server): Promise<void> {
  const closed = new Promise<void>(resolve => server.close(() => resolve()))
  server.closeIdleConnections()
  const late = setTimeout(() => server.closeAllConnections(), graceMilliseconds)
  await closed
  clearTimeout(late)
}

function portOf(address: AddressInfo | string | null): number {
  return address instanceof Object ? address.port : 0
}
