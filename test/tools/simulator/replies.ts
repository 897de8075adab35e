// The replies of a simulated computer to the daemon's requests, with realistic delays.
import { message } from '../../../host/test-kit/agent-http.ts'
import type { Agent, Reply, ReplyTable, Request } from '../../../host/test-kit/simulated-agent.ts'
import {
  type ComputerSpec,
  disk,
  diskHealth,
  hardware,
  linux,
  partitioned,
  type Row,
  type System,
  serial,
  software,
} from './computer-data.ts'
import { field, text } from './fields.ts'
import { type CopyLog, type ImageCache, writeImage } from './images.ts'
import { runScript } from './scripts.ts'

/** The state of a computer that replies depend on and change. */
export interface ReplyContext {
  readonly spec: ComputerSpec
  readonly system: System
  readonly log: CopyLog
  readonly cache: ImageCache
  /** The folder for created images. */
  readonly images: string | undefined
  table: Row
  rows: Row[]
  /** Boots `next` afterwards, if given. */
  shutDown(next?: System): void
}

const speed = 1000 // Mbit/s
const timedOut = { status: 143, timed_out: true }
const maxSleep = 86_400 // seconds of one script: timers take no more than 24 days

// All in ms.
const time = { shell: 150, hardware: 800, software: 1_500, setup: 5_000, create: 15_000, restore: 10_000 }

export function repliesOf(computer: ReplyContext): ReplyTable {
  const word = { oglive: 'OPG', linux: 'LINUX', windows: 'WIN' }[computer.system]
  const live = computer.system === 'oglive'
  return {
    '/refresh': () => ({ status: 200, body: live ? layout(computer) : { status: word } }),
    '/probe': { status: 200, body: live ? { status: word, speed } : { status: word } },
    '/shell/run': ({ body }, agent) => shell(computer, body, agent),
    '/run/schedule': { status: 200 },
    '/stop': (_, agent) => void agent.abort(),
    '/poweroff': () => shutDown(computer, 202),
    '/reboot': () => shutDown(computer, 202, 'oglive'),
    // The agent for Linux: other ones do not know it.
    ...(computer.system === 'linux' && {
      '/disk/health': { status: 200, body: diskHealth(computer.spec, computer.rows), delay: time.hardware },
    }),
    ...(live ? liveReplies(computer) : noReplies),
    '*': { status: 400 },
  }
}

const liveReplies = (computer: ReplyContext): ReplyTable => ({
  '/hardware': computer.spec.isBroken
    ? { status: 500, delay: time.hardware }
    : { status: 200, body: { hardware: hardware(computer.spec) }, delay: time.hardware },
  '/software': request => listSoftware(computer, request),
  '/session': request => session(computer, request),
  '/setup': request => setUp(computer, request),
  '/image/create': request => create(computer, request),
  '/image/restore': request => restore(computer, request),
})

// In an installed operating system the agent's thread dies on these requests: only the daemon's deadline ends them.
const noReplies: ReplyTable = Object.fromEntries(
  ['/hardware', '/software', '/session', '/setup', '/image/create', '/image/restore'].map(path => [
    path,
    (_, agent) => void agent.clearMissingReplies(),
  ]),
)

function layout({ spec, table, rows }: ReplyContext): object {
  return { disk_setup: [table], partition_setup: rows, serial_number: serial(spec), link: speed }
}

function shell({ spec, cache }: ReplyContext, body: unknown, agent: Agent): Reply {
  if (spec.isBroken) return { status: 500, delay: time.shell }
  const script = text(body, 'run')
  const { out = '', pieces = [], status = 0, seconds = 0 } = cache.run(script) ?? runScript(script, spec)
  const request = agent.requests.length
  const sendPiece = (out: string) => {
    // Else it has been stopped, or its time is over.
    if (agent.missingReplies > 0 && agent.requests.length === request)
      agent.send(message(103, { event: 'output', out }))
  }
  const timeout = Number(field(body, 'timeout')) || maxSleep
  const lasts = Math.min(seconds, timeout, maxSleep)
  const early = pieces.filter(({ after }) => after < lasts)
  // The rest comes just before the reply, where a piece came before.
  const shown = seconds > timeout || early.length === 0 ? early : pieces
  for (const { out, after } of shown) setTimeout(sendPiece, time.shell + after * 1000 - 1, out)
  const ended = seconds > timeout ? { out: early.map(piece => piece.out).join(''), ...timedOut } : { out, status }
  const { out: _, ...silent } = ended
  return { status: 200, body: field(body, 'echo') === true ? ended : silent, delay: time.shell + lasts * 1000 }
}

function shutDown(computer: ReplyContext, status: number, next?: System): Reply {
  computer.shutDown(next)
  return { status }
}

const rowOf = ({ rows }: ReplyContext, { body }: Request) =>
  rows.find(row => row.disk === text(body, 'disk') && row.partition === text(body, 'partition'))

function listSoftware(computer: ReplyContext, request: Request): Reply {
  const row = rowOf(computer, request)
  if (!row?.os) return { status: 500, delay: time.software }
  return { status: 200, body: { software: software(row.os), partition: row.partition }, delay: time.software }
}

function session(computer: ReplyContext, request: Request): Reply {
  const os = rowOf(computer, request)?.os
  return os ? shutDown(computer, 200, os.startsWith('Windows') ? 'windows' : 'linux') : { status: 500 }
}

function setUp(computer: ReplyContext, { body }: Request): Reply {
  computer.table = disk(/gpt|2/i.test(text(body, 'type')) ? '2' : '1')
  computer.rows = partitioned(body)
  return { status: 200, body: layout(computer), delay: time.setup }
}

function create(computer: ReplyContext, request: Request): Reply {
  const row = rowOf(computer, request)
  if (!row) return { status: 500 }
  const { disk, partition, code, filesystem, os, size } = row
  const image = {
    id: text(request.body, 'id'),
    name: text(request.body, 'name'),
    repository: text(request.body, 'repository'),
  }
  const tools = { clonator: 'PARTCLONE', compressor: 'LZOP', filesystem }
  const datasize = Math.round((Number(size) * 1024 * Number(row.used_size)) / 100)
  const body = { disk, partition, code, ...image, ...tools, software: software(os), datasize }
  const { delay, fails } = copy(computer, 'create')
  const { images } = computer
  // Before the reply.
  if (images !== undefined) setTimeout(writeImage, delay - time.shell, images, image.name, fails)
  return { status: 200, body, delay }
}

function restore(computer: ReplyContext, request: Request): Reply {
  const row = rowOf(computer, request)
  if (!row) return { status: 500 }
  const { delay, fails } = copy(computer, 'restore')
  if (!fails) Object.assign(row, { os: row.os || linux, used_size: '35' })
  const body = { disk: row.disk, partition: row.partition, image_id: text(request.body, 'id') }
  return { status: 200, body, delay }
}

/** Existing agents reply with success also when the copy has failed: only the log says so. */
function copy({ spec, log }: ReplyContext, kind: 'create' | 'restore'): { delay: number; fails: boolean } {
  const { seconds, fails } = log.begin(kind, time[kind] / 1000, spec.isBroken === true)
  return { delay: Math.max(time.shell, seconds * 1000), fails }
}
