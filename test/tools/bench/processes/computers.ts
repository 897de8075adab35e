// The computers of the benchmark's fleet, the replies of their agents, and the requests of its callers.
import { encodeRequest } from '../../../../host/agents/connection/codec.ts'
import { message } from '../../../../host/test-kit/agent-http.ts'
import { token } from '../../../harness/rest-call.ts'
import {
  type ComputerSpec,
  disk,
  hardware,
  linux,
  partitions,
  serial,
  software,
} from '../../simulator/computer-data.ts'

const perNetwork = 250

/** Returns the computer of an index; its address is in 127.20.0.0/14. */
export function computerSpecOf(index: number): ComputerSpec {
  const network = Math.floor(index / perNetwork)
  const ip = `127.${20 + (network >> 8)}.${network & 255}.${1 + (index % perNetwork)}`
  const mac = `02${index.toString(16).padStart(10, '0')}`
  return { name: `pc-${index}`, ip, mac, number: index }
}

/** The addresses of the first computers. */
export const addressesOf = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => computerSpecOf(index).ip)

export const script = { run: 'uname -a', echo: true }

/** As the daemon sends it to an agent. */
export const scriptBytes = encodeRequest('POST /shell/run', JSON.stringify(script)).toString()

/** A caller's HTTP request, with the token and the length of the body. */
export function requestText(route: string, payload: unknown, keepAlive: boolean): string {
  const body = payload === undefined ? '' : JSON.stringify(payload)
  const connection = keepAlive ? 'keep-alive' : 'close'
  const head = `${route} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: ${token}\r\nConnection: ${connection}\r\n`
  return `${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

let added = 0

/** Requests that each add a new computer. The boot mode has no template, so that no boot files are written. */
export function addRequests(count: number, keepAlive: boolean): string[] {
  return Array.from({ length: count }, () => {
    added += 1
    const ip = `10.${(added >> 16) & 255}.${(added >> 8) & 255}.${added & 255}`
    const computer = { name: `new-${added}`, ip, mac: added.toString(16).padStart(12, '0'), room: 1, boot: 'none' }
    return requestText('POST /client/add', computer, keepAlive)
  })
}

/** The reply to the first refresh; each round reports other disk usage, so that the store has to write it. */
export function refreshReply(index: number, round: number): string {
  const computer = computerSpecOf(index)
  const rows = partitions(computer).map(row => ({ ...row, used_size: String((index + 7 * round) % 100) }))
  const layout = { disk_setup: [disk()], partition_setup: rows, serial_number: serial(computer), link: 1000 }
  return message(200, layout)
}

const shellReply = message(200, { out: 'Linux pc 6.8.0-45-generic #45-Ubuntu SMP x86_64 GNU/Linux\n' })
const probeReply = message(200, { status: 'OPG', speed: 1000 })
const softwareReply = message(200, { software: software(linux), partition: '2' })

/** Returns the reply of a computer's agent to a request. */
export function replyOf(index: number, path: string, body: string): string {
  if (path === '/shell/run') return shellReply
  if (path === '/probe') return probeReply
  if (path === '/hardware') return message(200, { hardware: hardware(computerSpecOf(index)) })
  if (path === '/software') return softwareReply
  if (path === '/image/create') return imageReply(body)
  return message(200)
}

function imageReply(body: string): string {
  const { disk, partition, code, id, name, repository } = JSON.parse(body)
  const tools = { clonator: 'PARTCLONE', compressor: 'LZOP', filesystem: 'EXT4' }
  const size = { software: software(linux), datasize: 24_117_248 }
  return message(200, { disk, partition, code, id, name, repository, ...tools, ...size })
}
