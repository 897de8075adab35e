// A simulated agent with a server in place of the daemon, which can send it any bytes.
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { type AgentOptions, connectAgent } from '../../host/test-kit/simulated-agent.ts'

type PairOptions = Omit<AgentOptions, 'port'>

/** Connects an agent and does not wait until it is ready. `daemon` is the server's end of the connection. */
export async function startConnecting(options: PairOptions) {
  const server = createServer({ noDelay: true }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  const connecting = connectAgent({ port, ...options })
  const [daemon]: Socket[] = await once(server, 'connection')
  server.close()
  if (!daemon) throw new Error('no connection')
  daemon.on('error', () => {})
  let received = ''
  daemon.on('data', bytes => {
    received += bytes.toString('latin1')
  })
  /** Resolves with everything that the agent has sent, as soon as that contains `text`. */
  const waitForText = async (text: string) => {
    while (!received.includes(text)) await once(daemon, 'data', { signal: AbortSignal.timeout(60_000) })
    return received
  }
  return { daemon, connecting, waitForText }
}

/** Connects an agent, by default one without automatic replies. */
export async function startPair(options: PairOptions = { auto: false }) {
  const { daemon, connecting, waitForText } = await startConnecting(options)
  return { daemon, waitForText, agent: await connecting }
}

/** Resolves to the error's text, or to `no failure`. */
export const failureOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'no failure',
    error => String(error),
  )

/** A request as the daemon must send it; a test spoils it by other headers or by `replace`. */
export const requestText = (line: string, body = '', headers = 'Content-Type: application/json'): string =>
  `${line} HTTP/1.1\r\nContent-Length: ${Buffer.byteLength(body)}\r\n${headers}\r\n\r\n${body}`

export const refreshText = requestText('GET /refresh')
export const scriptText = requestText('POST /shell/run', '{"run":"uname","echo":true}')
export const stopText = requestText('POST /stop')
