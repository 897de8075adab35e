// A test host with agents that have received a command, and what the REST API then shows of their clients.
import type { FleetEvent } from '../../host/system/events.ts'
import type { Agent, Request } from './simulated-agent.ts'
import { startTestHost, type TestHost, type TestHostOptions } from './test-host.ts'

/** An entry of `GET /clients`. */
export interface ClientJson {
  addr: string
  state: string
  speed?: number
  last_cmd: { result: string }
  status?: string
}

export interface SentCommand {
  addr: string
  agent: Agent
  request: Request
  /** The event `command-ended`. */
  ended: Promise<FleetEvent & { type: 'command-ended' }>
}

export interface AgentHost {
  testHost: TestHost
  /** Connects a new agent and waits until it has received the command. Default: a script. */
  sendToNewAgent(route?: string, payload?: object): Promise<SentCommand>
  clients(): Promise<ClientJson[]>
  client(addr: string): Promise<ClientJson | undefined>
  /** What the last script printed. */
  output(addr: string): Promise<string | undefined>
  /** Checks that the client has no last command: it is sent another one. */
  expectFree(addr: string, agent: Agent): Promise<void>
}

export const scriptPayload = { run: 'true', echo: true }

/** `subnet`: the first three numbers of the agents' addresses, which are numbered from 1. */
export async function startAgentHost(subnet: string, options: TestHostOptions = {}): Promise<AgentHost> {
  const testHost = await startTestHost(options)
  let agents = 0
  const clients = async (): Promise<ClientJson[]> => (await testHost.call('GET /clients')).json.clients
  return {
    testHost,
    async sendToNewAgent(route = 'POST /shell/run', payload = scriptPayload) {
      agents += 1
      const addr = `${subnet}.${agents}`
      const agent = await testHost.agent(addr)
      const ended = testHost.event('command-ended', { addr })
      await testHost.call(route, { clients: [addr], ...payload })
      return { addr, agent, ended, request: await agent.next() }
    },
    clients,
    client: async addr => (await clients()).find(client => client.addr === addr),
    output: async addr => (await testHost.call('POST /shell/output', { clients: [addr] })).json.clients[0]?.output,
    async expectFree(addr, agent) {
      await testHost.call('POST /run/schedule', { clients: [addr] })
      await agent.next('/run/schedule')
    },
  }
}
