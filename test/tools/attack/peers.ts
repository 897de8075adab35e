// What attackers do with sockets: send without end, and read nothing or until an end.
import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { Target } from './attack.ts'

/** Writes what `next` returns until it returns undefined or the attack is over or the peer closes. Returns the bytes. */
export async function flood(
  socket: Socket,
  { isOver }: Pick<Target, 'isOver'>,
  next: () => string | Buffer | undefined,
): Promise<number> {
  socket.resume()
  let bytes = 0
  while (!isOver() && !socket.destroyed && socket.writable) {
    const message = next()
    if (message === undefined) break
    bytes += message.length
    if (socket.write(message, 'latin1')) await new Promise(setImmediate)
    else await drained(socket)
  }
  return bytes
}

const drainTime = 100 // ms

/** Resolves when the socket can take more, has closed, or after a short time. */
async function drained(socket: Socket): Promise<void> {
  const signal = AbortSignal.timeout(drainTime)
  await Promise.race([once(socket, 'drain', { signal }), once(socket, 'close', { signal })]).catch(() => {})
}

/** Runs `work` again and again on `workers` loops until the attack is over. Returns the number of runs. */
export async function repeat(
  { isOver }: Pick<Target, 'isOver'>,
  workers: number,
  work: (worker: number, round: number) => Promise<unknown>,
): Promise<number> {
  let rounds = 0
  const loop = async (worker: number) => {
    for (let round = 0; !isOver(); round += 1) {
      await work(worker, round)
      rounds += 1
    }
  }
  await Promise.all(Array.from({ length: workers }, (_, worker) => loop(worker)))
  return rounds
}

/** Resolves with the text received from now on when it contains `end`, or the peer has closed, or the time is over. */
export function textUntil(socket: Socket, end: string, milliseconds: number): Promise<string> {
  return new Promise(resolve => {
    let text = ''
    const finish = () => {
      clearTimeout(timer)
      socket.off('data', onData)
      socket.off('close', finish)
      resolve(text)
    }
    const onData = (chunk: Buffer) => {
      text += chunk.toString('latin1')
      if (text.includes(end)) finish()
    }
    const timer = setTimeout(finish, milliseconds)
    socket.on('data', onData)
    socket.once('close', finish)
    if (socket.destroyed) finish()
  })
}

export const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`
