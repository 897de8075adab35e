// What a lab does with inventories and images: agents that report disks, create images, and serve the logs of copies.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { is } from 'uvu/assert'
import type { Agent, Reply } from '../../host/test-kit/simulated-agent.ts'
import { followJobs, jobIdOf, type PartJson } from './job-results.ts'
import { type LogServer, serveLog } from './log-server.ts'
import type { TestHost } from './test-host.ts'

/** Rows of a reply to refresh: a disk and two partitions. */
const row = (partition: string, code: string, filesystem: string, os: string, size: string, used_size: string) => ({
  ...{ disk: '1', partition, code, filesystem, os, size, used_size },
})
export const disk = row('0', '2', '', '', '500000000', '0')
export const root = row('1', '83', 'EXT4', 'Debian 12', '9000', '12.3')
export const swap = row('2', '82', 'LINUX-SWAP', '', '1000', '0')
export const layout = { disk_setup: [disk], partition_setup: [root, swap], serial_number: 'S1', link: 1000 }

/** Of a lab with a repository. */
export const serverAddress = '10.9.9.9'

const createReply = {
  ...{ software: 'Debian 12\nvim', partition: '1', disk: '1', datasize: 4096 },
  ...{ clonator: 'PARTCLONE', compressor: 'LZOP', filesystem: 'EXT4' },
}

/** How the agent ends a creation: what it writes, and what it replies; null closes the connection. */
interface Creation {
  /** The content of the image; undefined writes no file. */
  content?: string | undefined
  /** The content of the checksum's file, by default that of `content`; undefined writes no file. */
  sum?: string | undefined
  status?: number | null
}

export const md5 = (content: string) => createHash('md5').update(content).digest('hex')

export function imageCalls({ call, event, agent, addComputer, folder }: TestHost, nextAddress: () => string) {
  const pathOf = (file: string) => join(folder, 'images', file)
  const write = (file: string, content: string) => writeFileSync(pathOf(file), content)
  /** Lets the agent write and reply; resolves to its request. */
  async function endCreation(agent: Agent, creation: Creation) {
    const { content, status = 200 } = creation
    const sum = 'sum' in creation ? creation.sum : content === undefined ? undefined : md5(content)
    const { body } = await agent.next('/image/create')
    // `as`: the payload of image/create.
    const { id, name } = body as { id: string; name: string }
    if (content !== undefined) write(`${name}.img`, content)
    if (sum !== undefined) write(`${name}.img.full.sum`, sum)
    if (status === null) agent.destroy()
    else agent.answer(status, status === 200 ? { ...createReply, id, name } : undefined)
    return body
  }
  /** The response to a read for one address. */
  const read = async (route: string, addr: string, more: object = {}) =>
    (await call(route, { client: [addr], ...more })).json
  return {
    /** Adds a computer with the next free address; its agent replies to the first refresh with `body`. */
    async computer(body: object = layout): Promise<{ addr: string; agent: Agent }> {
      const addr = nextAddress()
      await addComputer(addr)
      return { addr, agent: await agent(addr, { refresh: { status: 200, body } }) }
    },
    /** Sends a command, replies to it with success, and waits until the reply is stored; resolves to the agent's request. */
    async command(addr: string, agent: Agent, route: string, payload: object, body: object) {
      const ended = event('command-ended', { addr })
      is((await call(route, { clients: [addr], ...payload })).status, 200)
      const request = await agent.next()
      agent.answer(200, body)
      is((await ended).result, 'success')
      return request
    },
    read,
    partitionsOf: async (addr: string) => (await read('GET /client/setup', addr)).partitions,
    /** The content of a file of the repository, undefined when there is none. */
    content: (file: string) => (existsSync(pathOf(file)) ? readFileSync(pathOf(file), 'utf8') : undefined),
    write,
    /** Sends `image/create`, lets the agent write and reply, and resolves to how the command ended. */
    async create(
      { addr, agent }: { addr: string; agent: Agent },
      payload: object,
      creation: Creation,
      headers: Record<string, string> = {},
    ): Promise<{ result: string; reason?: string }> {
      const ended = event('command-ended', { addr })
      const image = { disk: '1', partition: '1', name: 'linux', repository: serverAddress, id: '0', code: '131' }
      const response = await call('POST /image/create', { clients: [addr], ...image, ...payload }, headers)
      is(response.status, 200, String(response.headers['x-reason']))
      await endCreation(agent, creation)
      const { result, reason } = await ended
      return { result, ...(reason !== undefined && { reason }) }
    },
    endCreation,
    image: async (name: string) =>
      (await call('GET /images')).json.images.find((image: { name: string }) => image.name === name),
  }
}

export interface ImagingClient {
  addr: string
  agent: Agent
  log: LogServer
}

const place = { disk: '1', partition: '1' }
const source = { name: 'debian', repository: '10.1.1.1', type: 'UNICAST', profile: '1', id: '1' }
export const restorePayload = { ...place, ...source }
export const restoreReply = { status: 200, body: { ...place, image_id: '1' } }

export function logCalls(testHost: TestHost, nextAddress: () => string, port: number) {
  const jobs = followJobs(testHost)
  const logs: LogServer[] = []
  return {
    logPort: port,
    /** A client with an agent, whose live system serves a log. */
    async imagingClient(): Promise<ImagingClient> {
      const addr = nextAddress()
      const log = await serveLog(addr, port)
      logs.push(log)
      await testHost.addComputer(addr)
      return { addr, agent: await testHost.agent(addr, { refresh: { status: 200, body: layout } }), log }
    },
    /** Sends a restore; resolves with the job when the agents have it and the logs were read a first time. */
    async restore(...clients: ImagingClient[]): Promise<number> {
      const before = clients.map(({ log }) => log.requests)
      const payload = { clients: clients.map(({ addr }) => addr), ...restorePayload }
      const job = jobIdOf(await testHost.call('POST /image/restore', payload))
      await Promise.all(clients.map(({ agent }) => agent.next('/image/restore')))
      await Promise.all(clients.map(({ log }, index) => log.answered((before[index] ?? 0) + 1)))
      return job
    },
    /** Replies, and resolves with the part of the job. */
    async reply(job: number, { addr, agent }: ImagingClient, reply: Reply = restoreReply): Promise<PartJson> {
      const ended = testHost.event('job-part', { job, addr })
      agent.reply(reply)
      await ended
      const [part] = await jobs.parts(job, `?client=${addr}`)
      if (!part) throw new Error(`job ${job} has no part for ${addr}`)
      return part
    },
    closeLogs: () => Promise.all(logs.map(log => log.close())),
  }
}
