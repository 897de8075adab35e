// A host that reads the logs of its clients, and clients whose live systems serve one.
import { freePort } from './free-port.ts'
import { layout } from './inventory-host.ts'
import { followJobs, jobIdOf, type PartJson } from './job-results.ts'
import { type LogServer, serveLog } from './log-server.ts'
import type { Agent, Reply } from './simulated-agent.ts'
import { startTestHost, type TestHost } from './test-host.ts'

export interface ImagingClient {
  addr: string
  agent: Agent
  log: LogServer
}

export interface ImagingLab {
  host: TestHost
  port: number
  /** A client with an agent and a log. */
  client(): Promise<ImagingClient>
  /** Sends a restore; resolves with the job when the agents have it and the logs were read a first time. */
  restore(...clients: ImagingClient[]): Promise<number>
  /** Replies, and resolves with the part of the job. */
  reply(job: number, client: ImagingClient, reply?: Reply): Promise<PartJson>
  stop(): Promise<void>
}

export const restorePayload = {
  disk: '1',
  partition: '1',
  name: 'debian',
  repository: '10.1.1.1',
  type: 'UNICAST',
  profile: '1',
  id: '1',
}

export const restoreReply = { status: 200, body: { disk: '1', partition: '1', image_id: '1' } }

/** `log`: further options of `images.log`. `subnet`: the first three numbers of the addresses. */
export async function startImagingLab(subnet: string, log: object = {}): Promise<ImagingLab> {
  const port = await freePort()
  const host = await startTestHost({ options: { images: { log: { port, ...log } } } })
  const jobs = followJobs(host)
  const logs: LogServer[] = []
  return {
    host,
    port,
    async client() {
      const addr = `${subnet}.${logs.length + 1}`
      const server = await serveLog(addr, port)
      logs.push(server)
      await host.addComputer(addr)
      return { addr, agent: await host.agent(addr, { refresh: { status: 200, body: layout } }), log: server }
    },
    async restore(...clients) {
      const before = clients.map(({ log }) => log.requests)
      const payload = { clients: clients.map(({ addr }) => addr), ...restorePayload }
      const job = jobIdOf(await host.call('POST /image/restore', payload))
      await Promise.all(clients.map(({ agent }) => agent.next('/image/restore')))
      await Promise.all(clients.map(({ log }, index) => log.answered((before[index] ?? 0) + 1)))
      return job
    },
    async reply(job, { addr, agent }, reply = restoreReply) {
      const ended = host.event('job-part', { job, addr })
      agent.reply(reply)
      await ended
      const [part] = await jobs.parts(job, `?client=${addr}`)
      if (!part) throw new Error(`job ${job} has no part for ${addr}`)
      return part
    },
    async stop() {
      await host.stop()
      await Promise.all(logs.map(server => server.close()))
    },
  }
}
