// What the agent replies to each request of the daemon that takes time, apart from those that end others.
import { type AgentLog, messageOf } from './agent-log.ts'
import type { AgentOptions } from './agent-options.ts'
import { readDiskHealth } from './disk-health.ts'
import { listDisks } from './disk-list.ts'
import { listHardware, listSoftware } from './inventory-lists.ts'
import { interfaceOf, linkSpeed, type SystemFiles, serialNumber } from './machine.ts'
import type { AgentReply, DaemonRequest } from './messages.ts'
import { type OutputPiece, OutputPieces } from './output-pieces.ts'
import { runScript } from './shell-script.ts'
import type { Updater } from './updater.ts'

/** What this program consists of, and its own address on the connection. */
export interface AgentServices {
  options: AgentOptions
  files: SystemFiles
  log: AgentLog
  updater: Updater
  address: string
}

interface ReplyContext extends AgentServices {
  request: DaemonRequest
  /** Aborted when the work has to end. */
  signal: AbortSignal
  /** Sends a piece of output before the reply. */
  sendPiece(piece: OutputPiece): void
}

/** Rejects when it fails. */
type Handler = (context: ReplyContext) => Promise<AgentReply> | AgentReply

/** Keys of `POST /shell/run` that not all agents know. */
export const knownKeys = ['pieces', 'timeout'] as const

/** The word of an installed Linux. */
export const systemWord = 'LINUX'

export const handlers: Record<string, Handler> = {
  'GET /refresh': refresh,
  'POST /shell/run': runShell,
  'GET /hardware': async ({ files, signal }) => ({
    status: 200,
    body: { hardware: await listHardware(files, signal) },
  }),
  'GET /software': software,
  'GET /disk/health': async ({ log, signal }) => ({ status: 200, body: await readDiskHealth(log, signal) }),
  'POST /agent/update': ({ updater, request, signal }) => updater.prepare(request.body, signal),
  // Nothing is kept for later: the daemon sends what waits in its queue.
  'GET /run/schedule': () => ({ status: 200 }),
}

export const interfaceName = ({ options, address }: AgentServices): string => options.interface || interfaceOf(address)

async function refresh(context: ReplyContext): Promise<AgentReply> {
  const { options, files, log, signal } = context
  const own = {
    serial_number: serialNumber(files),
    link: linkSpeed(interfaceName(context), files),
    status: systemWord,
  }
  if (!options.disks) return { status: 200, body: own }
  try {
    return { status: 200, body: { ...(await listDisks(files, signal)), ...own } }
  } catch (error) {
    signal.throwIfAborted()
    // The daemon has to know the system in any case: without disks it keeps those that it has.
    log.error(`disks are not reported: ${messageOf(error)}`)
    return { status: 200, body: own }
  }
}

async function runShell({ request: { body }, signal, sendPiece }: ReplyContext): Promise<AgentReply> {
  const script = readText(body, 'run')
  if (script === undefined) return { status: 400 }
  const pieces = readKey(body, 'pieces') === true ? new OutputPieces(sendPiece) : undefined
  const timeout = readKey(body, 'timeout')
  const { out, ...ended } = await runScript(script, signal, {
    pieces,
    timeout: typeof timeout === 'number' ? timeout : undefined,
  })
  return { status: 200, body: readKey(body, 'echo') === true ? { out, ...ended } : ended }
}

/** Of the running system only: other partitions are not mounted. */
async function software({ request, files, signal }: ReplyContext): Promise<AgentReply> {
  const disk = readText(request.body, 'disk')
  const partition = readText(request.body, 'partition')
  if (disk === undefined || partition === undefined) return { status: 400 }
  const rows = await listDisks(files, signal).catch(() => undefined)
  signal.throwIfAborted()
  const own = rows?.partition_setup.find(({ os }) => os !== '')
  const isOwn = !own || (Number(own.disk) === Number(disk) && Number(own.partition) === Number(partition))
  if (!isOwn) return { status: 400 }
  return { status: 200, body: { software: await listSoftware(files, signal), partition } }
}

const readKey = (body: unknown, key: string): unknown => (body instanceof Object ? Reflect.get(body, key) : undefined)

function readText(body: unknown, key: string): string | undefined {
  const value = readKey(body, key)
  return typeof value === 'string' ? value : undefined
}
