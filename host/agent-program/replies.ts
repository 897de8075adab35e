// What the agent replies to each request of the daemon that takes time, apart from those that end others.
import { networkInterfaces } from 'node:os'
import { type AgentLog, messageOf } from './agent-log.ts'
import type { AgentOptions } from './agent-options.ts'
import type { ProgressReport } from './agent-state.ts'
import type { AgentSystem } from './agent-system.ts'
import type { AgentReply, DaemonRequest } from './messages.ts'
import { type OutputPiece, OutputPieces } from './output-pieces.ts'
import { runScript } from './shell-script.ts'
import type { Updater } from './updater.ts'

/** What this program consists of, and its own address on the connection. */
export interface AgentServices {
  options: AgentOptions
  system: AgentSystem
  log: AgentLog
  updater: Updater
  address: string
}

interface ReplyContext extends AgentServices {
  request: DaemonRequest
  /** Aborted when the work has to end. */
  signal: AbortSignal
  /** Sends what is known before the reply: a piece of output, or how far a copy is. */
  sendEvent(event: EarlyEvent): void
}

export type EarlyEvent = ({ event: 'output' } & OutputPiece) | ({ event: 'progress' } & ProgressReport)

/** Rejects when it fails. */
export type Handler = (context: ReplyContext) => Promise<AgentReply> | AgentReply

/** Keys of `POST /shell/run` that not all agents know. */
export const knownKeys = ['pieces', 'timeout'] as const

const handlers: Record<string, Handler> = {
  'GET /refresh': refresh,
  'POST /shell/run': runShell,
  'GET /hardware': async ({ system, signal }) => ({
    status: 200,
    body: { hardware: await system.listHardware(signal) },
  }),
  'GET /software': software,
  'GET /disk/health': async ({ system, log, signal }) => ({
    status: 200,
    body: await system.readDiskHealth(log, signal),
  }),
  'POST /agent/update': ({ updater, request, signal }) => updater.prepare(request.body, signal),
  // Nothing is kept for later: the daemon sends what waits in its queue.
  'GET /run/schedule': () => ({ status: 200 }),
}

/** Undefined for a request that the system does not execute. */
export const handlerOf = (route: string, { actions }: AgentSystem): Handler | undefined => {
  const action = actions?.[route]
  return action ? context => act(action, context) : handlers[route]
}

type Action = NonNullable<AgentSystem['actions']>[string]

async function act(action: Action, context: ReplyContext): Promise<AgentReply> {
  const { request, signal, log, options, sendEvent } = context
  const { server, localAddress } = options
  const onProgress = (report: ProgressReport) => sendEvent({ event: 'progress', ...report })
  const onOutput = (out: string) => sendEvent({ event: 'output', out })
  try {
    const reply = await action(request.body, { server, localAddress, signal, onProgress, onOutput })
    if (reply) return reply
  } catch (error) {
    const reason = signal.aborted ? 'stopped' : messageOf(error)
    log.error(`${request.route}: ${reason}`)
    return { status: 500, body: { reason } }
  }
  return refresh(context)
}

export const interfaceName = ({ options, address }: AgentServices): string => options.interface || interfaceOf(address)

/** The name of the interface that has the address; '' when there is none. */
function interfaceOf(address: string): string {
  const entries = Object.entries(networkInterfaces())
  return entries.find(([, addresses = []]) => addresses.some(each => each.address === address))?.[0] ?? ''
}

async function refresh(context: ReplyContext): Promise<AgentReply> {
  const { options, system, log, signal } = context
  const lists = options.disks ? await system.listDisks(signal).catch(messageOf) : {}
  signal.throwIfAborted()
  // The daemon has to know the system in any case: without disks it keeps those that it has.
  if (typeof lists === 'string') log.error(`disks are not reported: ${lists}`)
  const own = {
    serial_number: system.serialNumber(),
    link: system.linkSpeed(interfaceName(context)),
    status: system.word,
  }
  return { status: 200, body: typeof lists === 'string' ? own : { ...lists, ...own } }
}

async function runShell({ request: { body }, system, options, signal, sendEvent }: ReplyContext): Promise<AgentReply> {
  const script = readText(body, 'run')
  if (script === undefined) return { status: 400 }
  const pieces =
    readKey(body, 'pieces') === true ? new OutputPieces(piece => sendEvent({ event: 'output', ...piece })) : undefined
  const timeout = readKey(body, 'timeout')
  const { out, ...ended } = await runScript(system.shell, script, signal, {
    pieces,
    timeout: typeof timeout === 'number' ? timeout : undefined,
    environment: transferEnvironment(readKey(body, 'transfer'), options),
  })
  return { status: 200, body: readKey(body, 'echo') === true ? { out, ...ended } : ended }
}

/** For a script that copies an image from the daemon. */
const transferEnvironment = (transfer: unknown, { server }: AgentOptions): Record<string, string> | undefined =>
  transfer instanceof Object
    ? {
        FLEET_TRANSFER: `http://${server}:${readKey(transfer, 'port')}`,
        FLEET_TICKET: `${readKey(transfer, 'ticket')}`,
      }
    : undefined

/** Of the running system only: other partitions are not mounted. */
async function software({ request, system, signal }: ReplyContext): Promise<AgentReply> {
  const disk = readText(request.body, 'disk')
  const partition = readText(request.body, 'partition')
  if (disk === undefined || partition === undefined) return { status: 400 }
  const rows = await system.listDisks(signal).catch(() => undefined)
  signal.throwIfAborted()
  const own = rows?.partition_setup.find(({ os }) => os !== '')
  const isOwn = !own || (Number(own.disk) === Number(disk) && Number(own.partition) === Number(partition))
  if (!isOwn) return { status: 400 }
  return { status: 200, body: { software: await system.listSoftware(signal), partition } }
}

const readKey = (body: unknown, key: string): unknown => (body instanceof Object ? Reflect.get(body, key) : undefined)

function readText(body: unknown, key: string): string | undefined {
  const value = readKey(body, key)
  return typeof value === 'string' ? value : undefined
}
