// A lab with the built-in pack of remote labs: computers with an image, a broker with a token, and what it is called with.
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pack from '../../commands/packs/remote-labs/pack.ts'
import type { LabOptions, LabResponse } from '../../host/contract/test-lab.ts'
import { createLab } from '../../host/test-kit/lab.ts'
import { disk, root, swap } from './lab-images.ts'
import { startReceiver } from './notifications.ts'

export const base = '/opengnsys/rest'
const repository = '10.9.9.9'

export type RemoteLab = Awaited<ReturnType<typeof startRemoteLab>>

/** What agents reply in the live environment and in an installed system. */
export const live = { disk_setup: [disk], partition_setup: [root, swap], serial_number: '', link: 1000, status: 'OPG' }
export const linux = { ...live, status: 'LINUX' }

export const imageReply = {
  ...{ software: 'Debian 12\nvim', partition: '1', disk: '1', datasize: 4096 },
  ...{ clonator: 'PARTCLONE', compressor: 'LZOP', filesystem: 'EXT4' },
}

/** As an agent does that creates an image. */
export function writeImage(folder: string, name: string): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${name}.img`), name)
  writeFileSync(join(folder, `${name}.img.full.sum`), createHash('md5').update(name).digest('hex'))
}

/** All computers are in room 1, which is marked for remote access, in the live environment, and have the image `debian`. */
export async function startRemoteLab(options: Partial<LabOptions<typeof pack>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-remote-'))
  const images = join(folder, 'images')
  mkdirSync(images)
  const receiver = await startReceiver()
  const lab = await createLab<typeof pack>({
    clients: 2,
    ...options,
    folder: options.folder ?? folder,
    pack: 'remote-labs',
    options: { repository: { directory: images }, boot: { server: repository }, ...options.options },
  })
  const expectDone = async (path: string, payload: object) => {
    const response = await lab.post(path, payload)
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${response.reason}`)
    return response
  }
  await expectDone('/pack/enable', { pack: 'remote-labs' })
  await expectDone('/room/update', { room: 1, name: 'Room', netmask: '255.255.255.0', center: 1, remote: true })
  for (const client of lab.clients) client.replyTo('GET /refresh', live)
  await expectDone('/refresh', { clients: lab.addresses })
  const place = { disk: '1', partition: '1' }
  const [first, ...others] = lab.clients
  first?.replyTo('POST /image/create', body => {
    writeImage(images, 'debian')
    return { ...imageReply, ...Object(body), ...imageReply }
  })
  const image = { name: 'debian', repository, id: '0', code: '131', description: 'Debian' }
  await expectDone('/image/create', { clients: [first?.addr], ...place, ...image })
  for (const client of others) client.replyTo('POST /image/restore', { ...place, image_id: '1' })
  if (others.length > 0) {
    const restore = { ...place, name: 'debian', repository, type: 'UNICAST', profile: '0', id: '1' }
    await expectDone('/image/restore', { clients: others.map(({ addr }) => addr), ...restore })
  }
  return {
    ...lab,
    receiver,
    expectDone,
    /** The computer that reserve has answered. */
    clientOf: ({ json }: LabResponse) => {
      const client = lab.clients.find(({ addr }) => addr === json.ip)
      if (!client) throw new Error(`no client ${json?.ip}`)
      return client
    },
    reservation: async (ip: string) => (await lab.collections.reservations.get(ip))?.value,
    /** Adds a token; its requests as a broker sends them, with what they have started at its end. */
    async broker(name: string, limits: object = { role: 'operate', rooms: [1] }) {
      const { json } = await expectDone('/token/add', { name, ...limits })
      const key: string = json.token
      const send = async (route: string, body?: object | string, headers: Record<string, string> = {}) => {
        const [method, path] = route.split(' ')
        const response = await lab.call(`${method} ${base}/${path}`, body, { Authorization: key, ...headers })
        await lab.settle()
        return response
      }
      return { key, send, reserve: (body?: object | string) => send('POST ous/1/images/1/reserve', body) }
    },
    async stop() {
      await lab.stop()
      await receiver.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export async function withRemoteLab(
  options: Partial<LabOptions<typeof pack>>,
  run: (lab: RemoteLab) => Promise<void>,
): Promise<void> {
  const lab = await startRemoteLab(options)
  try {
    await run(lab)
  } finally {
    await lab.stop()
  }
}

export const pathOf = (client: { id: number; lab: { id: number } }) =>
  `ous/1/labs/${client.lab.id}/clients/${client.id}`
