// Which computers the benchmark's fleet has, and what their agents answer, in bytes that are made once.

import type { Seat } from '../../simulator/address-plan.ts'
import { message } from '../../simulator/connection.ts'
import { disk, hardware, linux, partitions, serial, software } from '../../simulator/disk-layout.ts'

const perNetwork = 250

/** Each has an address of its own below 127.20.0.0. */
export function seatOf(index: number): Seat {
  const network = Math.floor(index / perNetwork)
  const ip = `127.${20 + (network >> 8)}.${network & 255}.${1 + (index % perNetwork)}`
  const mac = `02${index.toString(16).padStart(10, '0')}`
  return { name: `pc-${index}`, ip, mac, number: index }
}

/** The first answer of an agent; in another round its disk is used otherwise, so that there is something to store. */
export function refreshAnswer(index: number, round: number): string {
  const seat = seatOf(index)
  const rows = partitions(seat).map(row => ({ ...row, used_size: String((index + 7 * round) % 100) }))
  const layout = { disk_setup: [disk()], partition_setup: rows, serial_number: serial(seat), link: 1000 }
  return message(200, layout)
}

const said = message(200, { out: 'Linux pc 6.8.0-45-generic #45-Ubuntu SMP x86_64 GNU/Linux\n' })
const probed = message(200, { status: 'OPG', speed: 1000 })
const programs = message(200, { software: software(linux), partition: '2' })

/** What the agent of a computer says to a request by its path. */
export function answerOf(index: number, path: string, body: string): string {
  if (path === '/shell/run') return said
  if (path === '/probe') return probed
  if (path === '/hardware') return message(200, { hardware: hardware(seatOf(index)) })
  if (path === '/software') return programs
  if (path === '/image/create') return imageAnswer(body)
  return message(200)
}

function imageAnswer(body: string): string {
  const { disk, partition, code, id, name, repository } = JSON.parse(body)
  const tools = { clonator: 'PARTCLONE', compressor: 'LZOP', filesystem: 'EXT4' }
  const size = { software: software(linux), datasize: 24_117_248 }
  return message(200, { disk, partition, code, id, name, repository, ...tools, ...size })
}
