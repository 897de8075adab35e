// How a simulated computer answers each of the daemon's requests, and how long it takes over it.
import type { Answers, Reply, Request } from '../harness/simulated-agent.ts'
import { disk, hardware, linux, output, partitioned, serial, software } from './disk-layout.ts'
import { field, text } from './fields.ts'
import type { Computer } from './simulated-computer.ts'

const speed = 1000 // Mbit/s
const most = 600 // s that "sleep" may take

// All in ms.
const time = { shell: 150, hardware: 800, software: 1_500, setup: 5_000, create: 15_000, restore: 10_000 }

export function answersOf(computer: Computer): Answers {
  const word = { oglive: 'OPG', linux: 'LINUX', windows: 'WIN' }[computer.system]
  const live = computer.system === 'oglive'
  return {
    '/refresh': () => ({ status: 200, body: live ? layout(computer) : { status: word } }),
    '/probe': { status: 200, body: live ? { status: word, speed } : { status: word } },
    '/shell/run': ({ body }) => shell(computer, body),
    '/run/schedule': { status: 200 },
    '/stop': (_, agent) => void agent.abort(),
    '/poweroff': () => leaving(computer, 202),
    '/reboot': () => leaving(computer, 202, 'oglive'),
    ...(live ? onlyLive(computer) : neverAnswered),
    '*': { status: 400 },
  }
}

const onlyLive = (computer: Computer): Answers => ({
  '/hardware': { status: 200, body: { hardware: hardware(computer.seat) }, delay: time.hardware },
  '/software': request => listSoftware(computer, request),
  '/session': request => session(computer, request),
  '/setup': request => setUp(computer, request),
  '/image/create': request => create(computer, request),
  '/image/restore': request => restore(computer, request),
})

// In an operating system, the agent's thread dies over these: the daemon's deadline is all that ends them.
const neverAnswered: Answers = Object.fromEntries(
  ['/hardware', '/software', '/session', '/setup', '/image/create', '/image/restore'].map(path => [
    path,
    (_, agent) => void agent.overdue(),
  ]),
)

function layout({ seat, table, rows }: Computer): object {
  return { disk_setup: [table], partition_setup: rows, serial_number: serial(seat), link: speed }
}

function shell({ seat }: Computer, body: unknown): Reply {
  const script = text(body, 'run')
  const seconds = Math.min(Number(/^\s*sleep (\d+)/.exec(script)?.[1] ?? 0), most)
  const out = field(body, 'echo') === true ? { out: output(script, seat) } : {}
  return { status: 200, body: out, delay: time.shell + seconds * 1000 }
}

function leaving(computer: Computer, status: number, next?: Computer['system']): Reply {
  computer.shutDown(next)
  return { status }
}

const rowOf = ({ rows }: Computer, { body }: Request) =>
  rows.find(row => row.disk === text(body, 'disk') && row.partition === text(body, 'partition'))

function listSoftware(computer: Computer, request: Request): Reply {
  const row = rowOf(computer, request)
  if (!row?.os) return { status: 500, delay: time.software }
  return { status: 200, body: { software: software(row.os), partition: row.partition }, delay: time.software }
}

function session(computer: Computer, request: Request): Reply {
  const os = rowOf(computer, request)?.os
  return os ? leaving(computer, 200, os.startsWith('Windows') ? 'windows' : 'linux') : { status: 500 }
}

function setUp(computer: Computer, { body }: Request): Reply {
  computer.table = disk(/gpt|2/i.test(text(body, 'type')) ? '2' : '1')
  computer.rows = partitioned(body)
  return { status: 200, body: layout(computer), delay: time.setup }
}

function create(computer: Computer, request: Request): Reply {
  const row = rowOf(computer, request)
  if (!row) return { status: 500 }
  const { disk, partition, code, filesystem, os, size } = row
  const asked = {
    id: text(request.body, 'id'),
    name: text(request.body, 'name'),
    repository: text(request.body, 'repository'),
  }
  const tools = { clonator: 'PARTCLONE', compressor: 'LZOP', filesystem }
  const datasize = Math.round((Number(size) * 1024 * Number(row.used_size)) / 100)
  const body = { disk, partition, code, ...asked, ...tools, software: software(os), datasize }
  return { status: 200, body, delay: time.create }
}

function restore(computer: Computer, request: Request): Reply {
  const row = rowOf(computer, request)
  if (!row) return { status: 500 }
  row.os ||= linux
  row.used_size = '35'
  const body = { disk: row.disk, partition: row.partition, image_id: text(request.body, 'id') }
  return { status: 200, body, delay: time.restore }
}
