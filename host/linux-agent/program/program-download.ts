// Downloads a program by HTTP, of a length that is known beforehand.
import { once } from 'node:events'
import { get as getHttp, type IncomingMessage } from 'node:http'
import { get as getHttps } from 'node:https'
import { messageOf } from './agent-log.ts'

export interface Download {
  url: URL
  /** Bytes. */
  size: number
  /** The own address, '' for the system's choice. */
  localAddress: string
  signal: AbortSignal
}

/** Milliseconds for the whole download. */
const timeout = 60_000

/** Rejects, with a reason that names the address, for any response but a 200 with `size` bytes. */
export async function download({ url, size, localAddress, signal }: Download): Promise<Buffer> {
  const tooLate = AbortSignal.timeout(timeout)
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
    throw new Error(`${url}: ${tooLate.aborted ? `not complete after ${timeout / 1000} s` : messageOf(error)}`)
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
