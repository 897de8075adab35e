// Gets the file of an image from the daemon, or sends it, over HTTP.
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import type { ActionContext } from '../../../agent-program/agent-system.ts'
import type { Transfer } from './copy-request.ts'
import type { Transmission } from './receive-multicast.ts'

/** What the daemon knows of the image, and of this computer. */
export interface ImageDescription {
  /** The name in the computer's record. */
  computer?: string
  /** Bytes. */
  size?: number
  sha256?: string
  md5?: string
}

/** Connections that fail one after the other without any data between them, until the copy fails. */
const mostFailures = 10

/** Milliseconds without data. */
const idleMilliseconds = 120_000

export class TransferClient {
  readonly #context: ActionContext
  readonly #transfer: Transfer & { retryDelay?: number }

  /** `retryDelay`: milliseconds between two attempts. */
  constructor(context: ActionContext, transfer: Transfer & { retryDelay?: number }) {
    this.#context = context
    this.#transfer = transfer
  }

  /** Also shows, before anything is done, that the daemon can be reached. */
  describe(): Promise<ImageDescription> {
    return this.#retry(async () => readJson(await this.#open('GET /about')))
  }

  /** Resolves when the image is about to come to several computers at once; to undefined when it is to be downloaded. */
  async join(): Promise<Transmission | undefined> {
    if (!this.#transfer.multicast) return undefined
    const response = await this.#open('POST /join')
    const { localAddress = '' } = response.socket
    const transmission = await readJson(response)
    return 'port' in transmission ? { ...transmission, localAddress } : undefined
  }

  /** The bytes of the file: what a connection that is lost has left out comes over the next one. */
  async *download(): AsyncGenerator<Buffer> {
    let [position, failures, etag]: [number, number, string] = [0, 0, '']
    for (;;) {
      try {
        const headers: Record<string, string> = position > 0 ? { Range: `bytes=${position}-`, 'If-Range': etag } : {}
        const response = await this.#open('GET /image', headers)
        if (position > 0 && response.statusCode !== 206) throw new Error('the image was replaced meanwhile')
        etag = response.headers.etag ?? ''
        for await (const slice of response) {
          position += slice.length
          failures = 0
          yield slice
        }
        return
      } catch (error) {
        failures += 1
        await this.#pause(error, failures)
      }
    }
  }

  /** Resolves to what has arrived. Connects when there is something to send: until then the connection would be idle. */
  async upload(body: AsyncGenerator<Buffer>): Promise<{ size: number; sha256: string }> {
    const { value: first = Buffer.alloc(0) } = await body.next()
    const { outgoing, response } = this.#request('PUT /image')
    // A response that comes early says why the body is not read.
    const sent = pipeline(join(first, body), outgoing, { signal: this.#context.signal })
    const answer = await Promise.race([response, sent.then(() => response)])
    await sent
    return readJson(answer)
  }

  /** Gives the file its name. `description` has its digest. */
  async publish(description: object): Promise<void> {
    const { outgoing, response } = this.#request('POST /image')
    outgoing.end(JSON.stringify(description))
    await readJson(await response)
  }

  async #retry<Result>(work: () => Promise<Result>): Promise<Result> {
    for (let failures = 1; ; failures += 1) {
      try {
        return await work()
      } catch (error) {
        await this.#pause(error, failures)
      }
    }
  }

  /** Rejects when there is no sense in another attempt. */
  async #pause(error: unknown, failures: number): Promise<void> {
    const { signal } = this.#context
    signal.throwIfAborted()
    // Only what the system reports has a code.
    if (!(error instanceof Error && 'code' in error) || failures >= mostFailures) throw error
    await wait(this.#transfer.retryDelay ?? 2000, undefined, { signal })
  }

  #open(route: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
    const { outgoing, response } = this.#request(route, headers)
    outgoing.end()
    return response
  }

  #request(route: string, headers: Record<string, string> = {}) {
    const { server, localAddress, signal } = this.#context
    const { port, ticket } = this.#transfer
    const [method, path] = route.split(' ')
    const outgoing = request({
      ...{ host: server, port, method, path, signal, timeout: idleMilliseconds },
      ...(localAddress !== '' && { localAddress, family: 4 }),
      headers: { Authorization: ticket, ...headers },
    })
    outgoing.on('timeout', () => outgoing.destroy(new Error(`no data in ${idleMilliseconds / 1000} s`)))
    const response = responseOf(outgoing)
    // It may be awaited later.
    response.catch(() => {})
    return { outgoing, response }
  }
}

/** What a generator yields, of which the first slice was taken. */
export async function* join(first: Buffer, others: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield first
    yield* others
  } finally {
    // Also when the first slice could not be sent: programs wait for who reads them.
    await others.return(undefined)
  }
}

/** Rejects with the daemon's reason when it refuses. */
function responseOf(outgoing: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    outgoing.on('error', reject)
    outgoing.on('response', response => {
      const { statusCode = 0 } = response
      if (statusCode === 200 || statusCode === 206) return resolve(response)
      readText(response).then(reason => reject(new Error(reason || `the daemon's response: ${statusCode}`)), reject)
    })
  })
}

async function readText(response: IncomingMessage): Promise<string> {
  let text = ''
  for await (const slice of response.setEncoding('utf8')) text += slice
  return text
}

const readJson = async (response: IncomingMessage) => JSON.parse(await readText(response))
