// Receives the file of an image that the daemon sends to several computers at once.
import { endOf, startProgram } from './program-pair.ts'

export interface Transmission {
  /** The group, and the first of two ports. */
  address: string
  port: number
  /** Of this computer, from which it has reached the daemon. */
  localAddress: string
}

/** Seconds without a sign of the sender, which asks once a second also while it waits for others. */
const [startSeconds, idleSeconds] = [30, 15]

/** The bytes as they come; rejects with the reason. The program ends with the generator. */
export async function* receiveMulticast(transmission: Transmission, signal: AbortSignal): AsyncGenerator<Buffer> {
  const { address, port, localAddress } = transmission
  const values = {
    interface: localAddress,
    portbase: port,
    'mcast-rdv-address': address,
    'start-timeout': startSeconds,
    'receive-timeout': idleSeconds,
  }
  const args = Object.entries(values).flatMap(([key, value]) => [`--${key}`, String(value)])
  const child = startProgram(['udp-receiver', '--nokbd', '--no-progress', ...args], 'pipe', { signal })
  const ended = endOf(child, 'udp-receiver')
  try {
    yield* child.stdout
    const failure = await ended
    if (failure !== undefined) throw new Error(failure)
  } finally {
    child.kill('SIGKILL')
  }
}
