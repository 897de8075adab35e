// Attacks by random messages: mutated replies of agents and mutated requests of callers, on many connections at once.
import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { message } from '../../../../host/test-kit/agent-http.ts'
import { token } from '../../../harness/rest-call.ts'
import { disk, hardware, linux, partitions, software } from '../../simulator/computer-data.ts'
import type { Attack, Findings, Target } from '../attack.ts'
import { below, createRandom, mutate, pick, type Random } from '../mutate.ts'
import { type Call, happens, strangerAt } from '../peers.ts'

interface Fuzz {
  corpus: readonly Buffer[]
  /** The most messages of one connection. */
  perConnection: number
  connect(random: Random): Promise<Socket>
  /** Milliseconds that a connection stays open after its last message, at most. */
  lingerTime: number
}

const workers = 64
const strangers = 5_000
const commandInterval = 50 // ms
/** Commands are sent to these computers with a record, so that replies of all kinds are expected. */
const recorded = 100

const computer = { name: 'pc', ip: '127.0.0.1', mac: '020000000001', number: 1 }
const place = { disk: '1', partition: '2' }
const image = { ...place, code: '131', id: '1', name: 'image', repository: '127.0.0.1' }
const tools = { clonator: 'PARTCLONE', compressor: 'LZOP', filesystem: 'EXT4', datasize: 1_000 }
const restore = { ...place, name: 'image', repository: '127.0.0.1', type: 'UNICAST', profile: '1', id: '1' }
const commands: [string, object][] = [
  ['POST /clients', {}],
  ['POST /shell/run', { run: 'true', echo: true }],
  ['POST /hardware', {}],
  ['POST /software', place],
  ['POST /refresh', {}],
  ['POST /image/restore', restore],
]

const replies = [
  ...[200, 202, 400, 500, 503].map(status => message(status)),
  ...[
    { status: 'OPG', speed: 1000 },
    { out: 'Linux pc 6.8.0\n' },
    { disk_setup: [disk()], partition_setup: partitions(computer), serial_number: 'LAB1', link: 1000 },
    { status: 'LINUX', link: 100 },
    { hardware: hardware(computer) },
    { software: software(linux), partition: '2' },
    { ...image, ...tools, software: software(linux) },
    { ...place, image_id: '1' },
  ].map(body => message(200, body)),
  ...['start', 'stop'].map(action => message(103, { event: 'session', action, user: 'maria' })),
].map(text => Buffer.from(text))

/** A mutation may put the right token into a request: these would delete the observer's computers, or refuse its commands. */
const disturbsObserver = (path: string) => /^\/((center|room|repository)\/delete|drain)/.test(path)

export const fuzzAttacks: Attack[] = [
  {
    name: 'fuzz-replies',
    summary: 'mutated replies of agents with and without a record',
    seconds: 15,
    cheap: true,
    // Each connection has two ordinary lines.
    bounds: { log: 128_000_000, data: 64_000_000 },
    async run(target) {
      let hasEnded = false
      const clients = target.absent.slice(0, recorded)
      const sendCommands = async () => {
        for (let index = 0; !hasEnded; index += 1) {
          const [route, payload] = commands[index % commands.length] ?? ['', {}]
          // A call that fails is counted by the observer.
          await target.call(route, { clients, ...payload }).catch(() => {})
          await wait(commandInterval)
        }
      }
      const sending = sendCommands()
      const connect = (random: Random) => {
        const index = below(random, recorded + strangers)
        return target.agent((random() < 0.3 && target.absent[index % recorded]) || strangerAt(index))
      }
      const findings = await fuzz(target, { corpus: replies, perConnection: 6, lingerTime: 20, connect })
      hasEnded = true
      await sending
      return findings
    },
  },
  {
    name: 'fuzz-requests',
    summary: 'mutated requests of callers to all routes',
    seconds: 15,
    cheap: true,
    bounds: { log: 64_000_000, data: 64_000_000 },
    async run(target) {
      const corpus = await createCorpus(target.call)
      const connect = (random: Random) => target.caller(strangerAt(below(random, strangers)))
      return fuzz(target, { corpus, perConnection: 4, lingerTime: 30, connect })
    },
  },
]

/** Sends `target.count` mutated messages, without a count as many as the time allows. */
async function fuzz(target: Target, { corpus, perConnection, connect, lingerTime }: Fuzz): Promise<Findings> {
  const random = createRandom(target.seed)
  const began = performance.now()
  let [messages, connections, bytes] = [0, 0, 0]
  const isDone = () => target.isOver() || (target.count !== undefined && messages >= target.count)
  const worker = async () => {
    while (!isDone()) {
      const socket = await connect(random)
      connections += 1
      for (let rest = 1 + below(random, perConnection); rest > 0 && !socket.destroyed; rest -= 1) {
        const text = mutate(pick(random, corpus) ?? Buffer.alloc(0), random, corpus)
        socket.write(text)
        messages += 1
        bytes += text.length
      }
      await leave(socket, random() < 0.5, lingerTime)
    }
  }
  await Promise.all(Array.from({ length: workers }, worker))
  const rate = Math.round((1000 * messages) / (performance.now() - began))
  const sent = `${messages} mutations, ${connections} connections, ${Math.round(bytes / 1024 / 1024)} MB`
  return { figures: `${sent}, ${rate}/s, seed ${target.seed}` }
}

/** Ends the connection in order or by a reset, when the peer has answered something or after a time. */
async function leave(socket: Socket, isOrderly: boolean, milliseconds: number): Promise<void> {
  await happens(socket, milliseconds, 'data', 'close')
  if (socket.destroyed) return
  // Without a reset, ports of this machine stay in use for a minute.
  if (isOrderly) socket.end(() => socket.resetAndDestroy())
  else socket.resetAndDestroy()
}

interface Operation {
  requestBody?: { content?: Record<string, { example?: unknown }> }
}

/** A valid request for almost each operation that the daemon describes, with a right and a wrong token, and other forms. */
async function createCorpus(call: Call): Promise<Buffer[]> {
  const paths: Record<string, Record<string, Operation>> = (await call('GET /openapi.json')).json.paths
  const requests = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      if (disturbsObserver(path)) return []
      const example = operation.requestBody?.content?.['application/json']?.example
      const body = example === undefined ? '' : JSON.stringify(example)
      const route = `${method.toUpperCase()} ${path.replace(/\{\w+\}/, '1')}`
      return [requestText(route, body), requestText(route, body, 'wrong')]
    }),
  )
  const address = '{"client":["127.60.0.1"]}'
  const chunked = 'Transfer-Encoding: chunked\r\n\r\n5\r\n{"a":\r\n2\r\n1}\r\n0\r\n\r\n'
  return [
    ...requests,
    requestText('GET /client/info', address),
    requestText('GET /client/setup', address),
    requestText('GET /events?type=job'),
    requestText('PUT /clients'),
    `POST /clients HTTP/1.1\r\nHost: x\r\nAuthorization: ${token}\r\n${chunked}`,
    'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  ].map(text => Buffer.from(text))
}

function requestText(route: string, body = '', value = token): string {
  const length = body === '' ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`
  return `${route} HTTP/1.1\r\nHost: x\r\nAuthorization: ${value}\r\n${length}\r\n${body}`
}
