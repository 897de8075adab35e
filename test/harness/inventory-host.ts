// Starts a test host whose agents report disks: for tests of what the host stores of agents' replies.
import { is } from 'uvu/assert'
import type { Agent } from './simulated-agent.ts'
import { startTestHost, type TestHost, type TestHostOptions } from './test-host.ts'

/** Rows of a reply to refresh: a disk and two partitions. */
export const disk = { disk: '1', partition: '0', code: '2', filesystem: '', os: '', size: '500000000', used_size: '0' }
export const root = {
  disk: '1',
  partition: '1',
  code: '83',
  filesystem: 'EXT4',
  os: 'Debian 12',
  size: '9000',
  used_size: '12.3',
}
export const swap = {
  disk: '1',
  partition: '2',
  code: '82',
  filesystem: 'LINUX-SWAP',
  os: '',
  size: '1000',
  used_size: '0',
}
export const layout = { disk_setup: [disk], partition_setup: [root, swap], serial_number: 'S1', link: 1000 }

export interface InventoryTestHost extends TestHost {
  /** Adds a computer with the next free address; its agent replies to the first refresh with `body`. */
  computer(body?: object): Promise<{ addr: string; agent: Agent }>
  /** Sends a command, replies to it with success, and waits until the reply is stored; resolves to the agent's request. */
  command(addr: string, agent: Agent, route: string, payload: object, body: object): ReturnType<Agent['next']>
  /** The response to a read for one address. */
  // biome-ignore lint/suspicious/noExplicitAny: each test expects a shape of its own
  read(route: string, addr: string, more?: object): Promise<any>
  // biome-ignore lint/suspicious/noExplicitAny: each test expects a shape of its own
  partitionsOf(addr: string): Promise<any>
}

export async function startInventoryTestHost(options: TestHostOptions = {}): Promise<InventoryTestHost> {
  const testHost = await startTestHost(options)
  let count = 0
  const read: InventoryTestHost['read'] = async (route, addr, more = {}) =>
    (await testHost.call(route, { client: [addr], ...more })).json
  return {
    ...testHost,
    async computer(body = layout) {
      count += 1
      const addr = `127.0.5.${count}`
      await testHost.addComputer(addr)
      const agent = await testHost.agent(addr, { refresh: { status: 200, body } })
      return { addr, agent }
    },
    async command(addr, agent, route, payload, body) {
      const ended = testHost.event('command-ended', { addr })
      const { status } = await testHost.call(route, { clients: [addr], ...payload })
      is(status, 200)
      const request = await agent.next()
      agent.answer(200, body)
      is((await ended).result, 'success')
      return request
    },
    read,
    partitionsOf: async addr => (await read('GET /client/setup', addr)).partitions,
  }
}
