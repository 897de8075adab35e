// Replaces this program by the one that the daemon names: downloads it, tries it, and goes on with it or without it.
import { once } from 'node:events'
import { get as getHttp, type IncomingMessage } from 'node:http'
import { get as getHttps } from 'node:https'
import { type AgentLog, messageOf } from './agent-log.ts'
import type { AgentOptions } from './agent-options.ts'
import type { AgentReply } from './messages.ts'
import {
  agentName,
  digestOf,
  loadProgram,
  ownFile,
  putInPlace,
  removeNext,
  runTrial,
  writeNext,
} from './program-file.ts'

interface UpdaterDeps {
  options: AgentOptions
  log: AgentLog
  /** Ends the connection; resolves when it is closed. */
  disconnect(): Promise<void>
  /** Connects again. */
  connect(): void
  /** Ends all else that this program does. */
  close(): void
}

export type Updater = ReturnType<typeof createUpdater>

/** Bytes. */
const largestProgram = 4 * 1024 * 1024

export function createUpdater(deps: UpdaterDeps) {
  const { options, log } = deps
  const file = ownFile()
  let name = agentName

  async function tryOut(version: string): Promise<void> {
    if (!file) return
    log.info(`trying ${version}`)
    await deps.disconnect()
    const problem =
      (await runTrial(file.next, options.trialSeconds)) ?? (await putInPlace(file).then(() => undefined, messageOf))
    if (problem === undefined) {
      log.info(`going on with ${version}`)
      deps.close()
      return loadProgram(file)
    }
    log.error(`update to ${version} failed: ${problem}`)
    name = `${agentName}, update failed`
    await removeNext(file).catch(() => {})
    deps.connect()
  }

  return {
    /** Name and version, and whether an update has failed. */
    name: () => name,
    /** Replies 202 when the program is there and can be tried, which `afterwards` of the reply does. */
    async prepare(body: unknown, signal: AbortSignal): Promise<AgentReply> {
      if (!file) return refusal(400, 'it runs from its sources')
      const program = readProgram(body, options)
      if (typeof program === 'string') return refusal(400, program)
      const { url, sha256, size, version } = program
      if (sha256 === file.sha256) return { status: 200 }
      const content = await download({ url, size, localAddress: options.localAddress, signal }).catch(messageOf)
      signal.throwIfAborted()
      if (typeof content === 'string') return refusal(502, content)
      const digest = digestOf(content)
      if (digest !== sha256) return refusal(502, `${url}: expected SHA-256 ${sha256}, got ${digest}`)
      const problem = await writeNext(file, content).then(() => undefined, messageOf)
      if (problem !== undefined || signal.aborted) await removeNext(file).catch(() => {})
      signal.throwIfAborted()
      if (problem !== undefined) return refusal(500, problem)
      return { status: 202, afterwards: () => void tryOut(version) }
    },
  }

  function refusal(status: number, reason: string): AgentReply {
    log.error(`update refused: ${reason}`)
    return { status, body: { reason } }
  }
}

/** What the daemon says of the program; the reason when the request is wrong. */
function readProgram(body: unknown, { url: base, server }: AgentOptions) {
  const read = (key: string): unknown => (body instanceof Object ? Reflect.get(body, key) : undefined)
  const [path, port, tls, sha256, size, version] = ['path', 'port', 'tls', 'sha256', 'size', 'version'].map(read)
  if (typeof path !== 'string' || !/^\/[\w./-]+$/.test(path)) return 'path: expected the path of a file'
  if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256)) return 'sha256: expected 64 hexadecimal digits'
  if (typeof size !== 'number' || !(size > 0 && size <= largestProgram))
    return `size: expected 1 to ${largestProgram} bytes, got ${size}`
  if (typeof version !== 'string') return 'version: expected a text'
  if (base === '' && (typeof port !== 'number' || !(port > 0 && port < 65_536))) return 'port: expected a port'
  const origin = base === '' ? `${tls === true ? 'https' : 'http'}://${server}:${port}` : base.replace(/\/$/, '')
  const address = origin + path
  if (!URL.canParse(address)) return `url: expected an address, got ${address}`
  return { url: new URL(address), sha256, size, version }
}

interface Download {
  url: URL
  /** Bytes. */
  size: number
  /** The own address, '' for the system's choice. */
  localAddress: string
  signal: AbortSignal
}

/** Milliseconds for the whole download. */
const downloadTimeout = 60_000

/** Rejects, with a reason that names the address, for any response but a 200 with `size` bytes. */
async function download({ url, size, localAddress, signal }: Download): Promise<Buffer> {
  const tooLate = AbortSignal.timeout(downloadTimeout)
  const options = {
    agent: false,
    signal: AbortSignal.any([signal, tooLate]),
    ...(localAddress !== '' && { localAddress, family: 4 }),
  }
  try {
    // The digest tells whether the content is right. It has come on a connection that no certificate protects either.
    const request =
      url.protocol === 'https:' ? getHttps(url, { ...options, rejectUnauthorized: false }) : getHttp(url, options)
    const [response]: IncomingMessage[] = await once(request, 'response')
    if (!response) throw new Error('expected a response, got none')
    return await readContent(response, size)
  } catch (error) {
    signal.throwIfAborted()
    throw new Error(`${url}: ${tooLate.aborted ? `not complete after ${downloadTimeout / 1000} s` : messageOf(error)}`)
  }
}

async function readContent(response: IncomingMessage, size: number): Promise<Buffer> {
  if (response.statusCode !== 200) {
    response.destroy()
    throw new Error(`expected status 200, got ${response.statusCode}`)
  }
  const chunks: Buffer[] = []
  let received = 0
  for await (const chunk of response) {
    chunks.push(chunk)
    received += chunk.length
    // Leaving the loop ends the connection.
    if (received > size) throw new Error(`expected ${size} bytes, got more`)
  }
  if (received < size) throw new Error(`expected ${size} bytes, got ${received}`)
  return Buffer.concat(chunks)
}
