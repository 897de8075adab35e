// Attacks by the content of agents' reports: what is stored of them, and how it is shown.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { message } from '../../../../host/test-kit/agent-http.ts'
import type { Attack, Target } from '../attack.ts'
import { connectClient, textUntil, untilIdle } from '../peers.ts'

const serials = ["=cmd|' /C calc'!A0", '+1+cmd', '-1+cmd', '@SUM(A1)', '\t=1+1', 'S1\u001b[2J\u202e', '\r=1+1', '=1,2']

const row = (disk: string, partition: string) => ({
  ...{ disk, partition, code: '83' },
  ...{ filesystem: 'EXT4', os: '', size: '9', used_size: '0' },
})
const layout = [row('1', '999999999999999'), row('999999999999999', '1'), row('-1', '1'), row('1', '1e3')]

interface StoredRow {
  disk: number
  partition: number
}

const rowsOf = async ({ call }: Target, addr: string): Promise<StoredRow[]> =>
  (await call('GET /client/setup', { client: [addr] })).json.partitions

const shownRoutes = ['/clients', '/docs', '/metrics', '/healthz', '/client/export', '/openapi.json']

const replyTime = 10_000 // ms

export const reportAttacks: Attack[] = [
  {
    name: 'image-id',
    summary: 'an agent replies to image/create with the id of another image',
    seconds: 4,
    cheap: true,
    async run(target) {
      const [honest = '', liar = ''] = target.absent
      await createImage(target, honest, 'first', {})
      const before = await readImage(target)
      await createImage(target, liar, 'second', { id: String(before?.id), datasize: 666, disk: '7' })
      const after = await readImage(target)
      const hasDisk = (await rowsOf(target, liar)).some(({ disk }) => disk === 7)
      const isChanged = JSON.stringify(before) !== JSON.stringify(after)
      return {
        figures: `first image: ${before?.datasize} bytes before, ${after?.datasize} after`,
        problems: [
          !before && 'the first image was not created',
          isChanged && `the record of the first image became ${JSON.stringify(after)}`,
          hasDisk && 'a disk is stored that the request did not name',
        ],
      }
    },
  },
  {
    name: 'odd-replies',
    summary: 'reports of partition 999999999999999, and the headers of all kinds of responses',
    seconds: 3,
    cheap: true,
    async run(target) {
      const [addr = ''] = target.absent
      await connectClient(target, addr, { disk_setup: [], partition_setup: layout, serial_number: '', link: 1000 })
      const isOdd = ({ disk, partition }: StoredRow) => disk < 1 || disk > 255 || partition > 255
      const stored = (await rowsOf(target, addr)).filter(isOdd)
      const unsafe: string[] = []
      for (const path of shownRoutes) {
        const { status, headers } = await target.call(`GET ${path}`)
        if (status === 200 && headers['x-content-type-options'] !== 'nosniff') unsafe.push(path)
      }
      return {
        figures: `${layout.length} odd rows, ${shownRoutes.length} routes`,
        problems: [
          stored.length > 0 && `stored: ${JSON.stringify(stored)}`,
          unsafe.length > 0 && `without nosniff: ${unsafe.join(', ')}`,
        ],
      }
    },
  },
  {
    name: 'csv-formula',
    summary: 'serial numbers that are formulas, and the export of computers',
    seconds: 3,
    cheap: true,
    async run(target) {
      const reportOf = (serial_number: string) => ({ disk_setup: [], partition_setup: [], serial_number, link: 1000 })
      await Promise.all(serials.map((serial, at) => connectClient(target, target.absent[at], reportOf(serial))))
      const csv = await target.call('GET /client/export')
      const cells = csv.text.split(/\r\n|\n/).flatMap(line => line.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/))
      const formulas = cells.filter(cell => /^"?[=+\-@\t\r]/.test(cell))
      const unprintable = cells.filter(cell => /[\p{Cc}\p{Bidi_Control}]/u.test(cell))
      return {
        figures: `${serials.length} serial numbers, ${cells.length} cells`,
        problems: [
          formulas.length > 0 && `cells that are formulas: ${formulas.join(' ')}`,
          unprintable.length > 0 && `${unprintable.length} cells with control characters`,
        ],
      }
    },
  },
]

/** The reply has the values of the request, except those in `lies`. */
async function createImage(target: Target, addr: string, name: string, lies: object): Promise<void> {
  const socket = await connectClient(target, addr)
  const request = { disk: '1', partition: '1', code: '131', name, id: '0', repository: '127.0.0.1', description: name }
  const received = textUntil(socket, '}', replyTime)
  await target.call('POST /image/create', { clients: [addr], ...request })
  const body: unknown = JSON.parse(/\{.*\}/s.exec(await received)?.[0] ?? '{}')
  const tools = { clonator: 'PARTCLONE', compressor: 'LZOP', filesystem: 'EXT4', datasize: 1000 }
  socket.write(message(200, { ...Object.assign({}, body), ...tools, software: 'Debian 12\nbash', ...lies }))
  await untilIdle(target, addr)
}

/** Only images with a file are listed. */
async function readImage({ call, folder }: Target): Promise<{ id: number; datasize: number } | undefined> {
  const file = join(folder, 'data/images/first.img')
  mkdirSync(join(folder, 'data/images'), { recursive: true })
  // Once: the record shows when the file was written.
  if (!existsSync(file)) writeFileSync(file, 'image')
  const { json } = await call('GET /images')
  return json.images.find(({ name }: { name: string }) => name === 'first')
}
