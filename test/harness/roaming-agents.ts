// Simulated agents that connect to any host of a fleet, connect again when their connection ends, and count what they are sent.

import { type Agent, connectAgent, type Reply, type Request } from '../../host/test-kit/simulated-agent.ts'
import { pollUntil } from './poll.ts'

interface RoamingOptions {
  addrs: string[]
  /** The port of the host to which an agent connects next; undefined: it waits. */
  portOf(addr: string): number | undefined
  /** Its address, asked for after the port; default: of the loopback. */
  hostOf?(): string | undefined
  /** The reply to a script; undefined: it never replies. */
  replyTo?(addr: string, request: Request): Reply | undefined
}

/** Milliseconds between two attempts to connect. */
const retryTime = 100

const scriptOf = ({ body }: Request): string =>
  typeof body === 'object' && body !== null && 'run' in body ? String(body.run) : ''

export function startRoamingAgents({ addrs, portOf, hostOf, replyTo }: RoamingOptions) {
  /** How often each agent was sent each script, by `<address> <script>`. */
  const received = new Map<string, number>()
  const current = new Map<string, Agent>()
  const violations: string[] = []
  let isStopped = false

  function onScript(addr: string, request: Request): Reply | undefined {
    const key = `${addr} ${scriptOf(request)}`
    received.set(key, (received.get(key) ?? 0) + 1)
    return replyTo ? replyTo(addr, request) : { status: 200, body: { out: `of ${addr}` } }
  }

  async function connect(addr: string, port: number): Promise<void> {
    const auto = {
      '/shell/run': (request: Request) => onScript(addr, request),
      '/refresh': { status: 200 },
      '*': { status: 200 },
    }
    const onViolation = (text: string) => violations.push(`${addr}: ${text}`)
    const host = hostOf?.()
    const agent = await connectAgent({ port, addr, auto, keep: false, onViolation, ...(host && { host }) })
    current.set(addr, agent)
    if (isStopped) agent.destroy()
    await agent.closed
    if (current.get(addr) === agent) current.delete(addr)
  }

  async function roam(addr: string): Promise<void> {
    while (!isStopped) {
      const port = portOf(addr)
      if (port !== undefined) await connect(addr, port).catch(() => {})
      if (!isStopped) await new Promise(resolve => setTimeout(resolve, retryTime))
    }
  }

  const roaming = addrs.map(roam)
  return {
    received,
    /** Scripts that an agent was sent more than once. */
    repeated: (): string[] => [...received].filter(([, count]) => count > 1).map(([key]) => key),
    isConnected: (addr: string) => current.has(addr),
    /** Ends the connection of an agent, which connects again. */
    move: (addr: string) => current.get(addr)?.destroy(),
    /** Resolves when all are connected. */
    connected: () => pollUntil(() => addrs.every(addr => current.has(addr))),
    async stop() {
      isStopped = true
      for (const agent of current.values()) agent.destroy()
      await Promise.all(roaming)
      if (violations.length > 0) throw new Error(`the daemons broke the protocol: ${violations.join('; ')}`)
    },
  }
}
