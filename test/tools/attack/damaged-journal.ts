// The journal of a killed daemon is damaged: the next start must have all acknowledged computers, or refuse to start.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { call } from '../../harness/rest-call.ts'
import type { Attack } from './attack.ts'
import { startTargetDaemon } from './target-daemon.ts'

const computers = 200
const newline = 10

/** Each returns the damaged content of a journal. */
const damages: Record<string, (bytes: Buffer) => Buffer> = {
  'NULs over the last 20 kB': bytes => Buffer.concat([bytes.subarray(0, -20_000), Buffer.alloc(20_000)]),
  'NULs after the last record': bytes => Buffer.concat([bytes, Buffer.alloc(4096)]),
  'an empty file': () => Buffer.alloc(0),
  'a flipped bit': bytes =>
    Buffer.from(bytes).fill((bytes[bytes.length >> 1] ?? 0) ^ 1, bytes.length >> 1, (bytes.length >> 1) + 1),
  'two swapped records': bytes =>
    changeRecords(bytes, records => [
      ...records.slice(0, 90),
      ...records.slice(90, 92).reverse(),
      ...records.slice(92),
    ]),
  'a missing record': bytes => changeRecords(bytes, records => records.toSpliced(90, 1)),
  'a repeated record': bytes => changeRecords(bytes, records => [...records.slice(0, 91), ...records.slice(90)]),
}

export default {
  name: 'damaged-journal',
  summary: 'the journal of a killed daemon with 200 acknowledged computers is damaged in seven ways',
  seconds: 20,
  // Other daemons are started meanwhile.
  bounds: { p99: Number.POSITIVE_INFINITY },
  async run({ tree }) {
    const folder = mkdtempSync(join(tmpdir(), 'attack-journal-'))
    try {
      const data = await fillStore(tree, folder)
      const intact = await startDamaged(tree, folder, data, bytes => bytes)
      const outcomes: string[] = []
      const problems = intact === undefined ? ['the undamaged journal is refused'] : []
      for (const [name, damage] of Object.entries(damages)) {
        const rows = await startDamaged(tree, folder, data, damage)
        outcomes.push(`${name}: ${rows === undefined ? 'refused' : countOf(rows)}`)
        if (rows === undefined || rows === intact) continue
        problems.push(`${name}: started with ${countOf(rows)} of ${computers} computers`)
      }
      return { figures: outcomes.join(', '), problems }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
} satisfies Attack

/** Returns the folder of a store that a killed daemon has left. */
async function fillStore(tree: string, folder: string): Promise<string> {
  const daemon = await startTargetDaemon(tree, folder)
  const send = (route: string, payload: object) => call(daemon.ports.rest, route, payload)
  await send('POST /center/add', { name: 'Center' })
  await send('POST /room/add', { name: 'Room', netmask: '255.0.0.0', center: 1 })
  for (let index = 0; index < computers; index += 1) {
    const mac = (0x02_63_00_00_00_00 + index).toString(16).padStart(12, '0')
    await send('POST /client/add', { name: `pc-${index}`, ip: `127.63.0.${index}`, mac, room: 1, boot: 'none' })
  }
  await daemon.kill()
  return join(folder, 'data')
}

const countOf = (rows: string): number => rows.split('\r\n').filter(line => line.startsWith('pc-')).length

/** Returns the computers with which the daemon starts, as CSV; undefined when it refuses. */
async function startDamaged(
  tree: string,
  folder: string,
  data: string,
  damage: (bytes: Buffer) => Buffer,
): Promise<string | undefined> {
  const copy = join(folder, 'copy')
  rmSync(copy, { recursive: true, force: true })
  mkdirSync(copy)
  cpSync(data, join(copy, 'data'), { recursive: true })
  const journals = readdirSync(data).filter(name => /^journal\.\d+$/.test(name))
  const newest = join(copy, 'data', journals.toSorted((a, b) => Number(a.slice(8)) - Number(b.slice(8))).at(-1) ?? '')
  writeFileSync(newest, damage(readFileSync(newest)))
  const daemon = await startTargetDaemon(tree, copy).catch(() => undefined)
  if (!daemon) return undefined
  const { text } = await call(daemon.ports.rest, 'GET /client/export')
  await daemon.kill()
  return text
}

/** A record is a line. */
function changeRecords(bytes: Buffer, change: (records: Buffer[]) => Buffer[]): Buffer {
  const records: Buffer[] = []
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(newline, start) + 1 || bytes.length
    records.push(bytes.subarray(start, end))
    start = end
  }
  return Buffer.concat(change(records))
}
