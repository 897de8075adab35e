// The computers of the benchmark's fleet and the replies of their agents.

import { message } from '../../simulator/agent-http.ts'
import { disk, hardware, linux, partitions, serial, software } from '../../simulator/computer-data.ts'
import type { ComputerSpec } from '../../simulator/computer-specs.ts'

const perNetwork = 250

/** Returns the computer of an index; its address is in 127.20.0.0/14. */
export function computerSpecOf(index: number): ComputerSpec {
  const network = Math.floor(index / perNetwork)
  const ip = `127.${20 + (network >> 8)}.${network & 255}.${1 + (index % perNetwork)}`
  const mac = `02${index.toString(16).padStart(10, '0')}`
  return { name: `pc-${index}`, ip, mac, number: index }
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
