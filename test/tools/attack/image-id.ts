// An agent that creates an image replies with the id of another image, and with another disk.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { message } from '../simulator/agent-http.ts'
import type { Attack, Target } from './attack.ts'
import { textUntil } from './peers.ts'

const replyTime = 10_000 // ms

export default {
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
    const { json } = await target.call('GET /client/setup', { client: [liar] })
    const changed = JSON.stringify(before) !== JSON.stringify(after)
    const hasDisk = json.partitions.some(({ disk }: { disk: number }) => disk === 7)
    const problems = [
      ...(before ? [] : ['the first image was not created']),
      ...(changed ? [`the record of the first image became ${JSON.stringify(after)}`] : []),
      ...(hasDisk ? ['a disk is stored that the request did not name'] : []),
    ]
    return { figures: `first image: ${before?.datasize} bytes before, ${after?.datasize} after`, problems }
  },
} satisfies Attack

/** The reply has the values of the request, except those in `lies`. */
async function createImage(target: Target, addr: string, name: string, lies: object): Promise<void> {
  const socket = await target.agent(addr)
  await textUntil(socket, '/refresh', replyTime)
  socket.write(message(200))
  await untilIdle(target, addr)
  const request = { disk: '1', partition: '1', code: '131', name, id: '0', repository: '127.0.0.1', description: name }
  const received = textUntil(socket, '}', replyTime)
  await target.call('POST /image/create', { clients: [addr], ...request })
  const body: unknown = JSON.parse(/\{.*\}/s.exec(await received)?.[0] ?? '{}')
  const tools = { clonator: 'PARTCLONE', compressor: 'LZOP', filesystem: 'EXT4', datasize: 1000 }
  socket.write(message(200, { ...Object.assign({}, body), ...tools, software: 'Debian 12\nbash', ...lies }))
  await untilIdle(target, addr)
}

/** Waits until the client's last command has ended. */
async function untilIdle({ call }: Target, addr: string): Promise<void> {
  for (const until = performance.now() + replyTime; performance.now() < until; ) {
    const { json } = await call('GET /clients')
    const entry = json.clients.find((client: { addr: string }) => client.addr === addr)
    if (entry && entry.state !== 'BSY' && entry.last_cmd.result !== 'unknown') return
  }
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
