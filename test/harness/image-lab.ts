// Starts a host whose repository is this server's, with an agent that creates images there when a test says so.

import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { is } from 'uvu/assert'
import { type InventoryTestHost, startInventoryTestHost } from './inventory-host.ts'
import type { Agent } from './simulated-agent.ts'
import type { TestHostOptions } from './test-host.ts'

export const serverAddress = '10.9.9.9'

const createReply = {
  software: 'Debian 12\nvim',
  partition: '1',
  disk: '1',
  clonator: 'PARTCLONE',
  compressor: 'LZOP',
  filesystem: 'EXT4',
  datasize: 4096,
}

/** How the agent ends a creation: what it writes, and what it replies; null closes the connection. */
export interface Creation {
  /** The content of the image; undefined writes no file. */
  content?: string | undefined
  /** The content of the checksum's file, by default that of `content`; undefined writes no file. */
  sum?: string | undefined
  status?: number | null
}

export interface ImageLab extends InventoryTestHost {
  folder: string
  /** The content of a file of the repository, undefined when there is none. */
  content(file: string): string | undefined
  write(file: string, content: string): void
  /** Sends `image/create`, lets the agent write and reply, and resolves to how the command ended. */
  create(
    client: { addr: string; agent: Agent },
    payload: object,
    creation: Creation,
    headers?: Record<string, string>,
  ): Promise<{ result: string; reason?: string }>
  // biome-ignore lint/suspicious/noExplicitAny: each test expects other keys of it
  image(name: string): Promise<any>
}

export const md5 = (content: string) => createHash('md5').update(content).digest('hex')

export async function startImageLab({ options = {}, ...more }: TestHostOptions = {}): Promise<ImageLab> {
  // `as`: a section of the options.
  const repository = options.repository as object | undefined
  const images = { log: { off: true } }
  const testHost = await startInventoryTestHost({
    ...more,
    options: {
      ...options,
      boot: { server: serverAddress },
      images,
      repository: { directory: './images', ...repository },
    },
  })
  const pathOf = (file: string) => join(testHost.folder, 'images', file)
  const lab: ImageLab = {
    ...testHost,
    content: file => (existsSync(pathOf(file)) ? readFileSync(pathOf(file), 'utf8') : undefined),
    write: (file, content) => writeFileSync(pathOf(file), content),
    async create({ addr, agent }, payload, creation, more = {}) {
      const { content, status = 200 } = creation
      const sum = 'sum' in creation ? creation.sum : content === undefined ? undefined : md5(content)
      const ended = testHost.event('command-ended', { addr })
      const sent = {
        disk: '1',
        partition: '1',
        name: 'linux',
        repository: serverAddress,
        id: '0',
        code: '131',
        ...payload,
      }
      const { status: accepted, headers } = await testHost.call(
        'POST /image/create',
        { clients: [addr], ...sent },
        more,
      )
      is(accepted, 200, String(headers['x-reason']))
      const { body } = await agent.next('/image/create')
      // `as`: the payload of image/create.
      const { id, name } = body as { id: string; name: string }
      if (content !== undefined) lab.write(`${name}.img`, content)
      if (sum !== undefined) lab.write(`${name}.img.full.sum`, sum)
      if (status === null) agent.destroy()
      else agent.answer(status, status === 200 ? { ...createReply, id, name } : undefined)
      const { result, reason } = await ended
      return { result, ...(reason !== undefined && { reason }) }
    },
    image: async name =>
      (await testHost.call('GET /images')).json.images.find((image: { name: string }) => image.name === name),
  }
  return lab
}
