// What attackers do: connect many times, send without end, read nothing or until an end, and play an agent.
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { message } from '../../../host/test-kit/agent-http.ts'
import type { Target } from './attack.ts'

export type Call = Target['call']

/** The address of the n-th computer without a record. */
export const strangerAt = (index: number): string => `127.66.${index >> 8}.${index & 255}`

export const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`

export async function untilOver({ isOver }: Target): Promise<void> {
  while (!isOver()) await wait(100)
}

/** Connects strangers `atOnce` at a time, `perAddress` from one address. */
export async function connectMany(
  open: (addr: string) => Promise<Socket>,
  count: number,
  { atOnce = 250, perAddress = 1, isOver = (): boolean => false } = {},
): Promise<Socket[]> {
  const sockets: Socket[] = []
  for (let first = 0; first < count && !isOver(); first += atOnce) {
    const indices = Array.from({ length: Math.min(atOnce, count - first) }, (_, index) => first + index)
    sockets.push(...(await Promise.all(indices.map(index => open(strangerAt(Math.floor(index / perAddress)))))))
  }
  return sockets
}

/** Writes what `next` returns until it returns undefined or the attack is over or the peer closes. Returns the bytes. */
export async function flood(
  socket: Socket,
  { isOver }: Pick<Target, 'isOver'>,
  next: () => string | Buffer | undefined,
): Promise<number> {
  socket.resume()
  let bytes = 0
  while (!isOver() && !socket.destroyed && socket.writable) {
    const text = next()
    if (text === undefined) break
    bytes += text.length
    if (socket.write(text, 'latin1')) await new Promise(setImmediate)
    else await happens(socket, drainTime, 'drain', 'close')
  }
  return bytes
}

const drainTime = 100 // ms

/** Resolves to false when none of the events happens in time. */
export async function happens(socket: Socket, milliseconds: number, ...events: string[]): Promise<boolean> {
  if (socket.destroyed) return true
  const signal = AbortSignal.timeout(milliseconds)
  return Promise.race(events.map(event => once(socket, event, { signal }))).then(
    () => true,
    () => false,
  )
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

const replyTime = 3000 // ms

/** Connects the agent of a computer, which replies to the first refresh; resolves when the reply is stored or refused. */
export async function connectClient(target: Target, addr = target.absent[0] ?? '', reply?: object): Promise<Socket> {
  const socket = await target.agent(addr)
  await textUntil(socket, '/refresh', replyTime)
  socket.write(message(200, reply))
  await untilIdle(target, addr)
  return socket
}

/** Waits until the client's last command has ended, or the client is gone, or the time is over. */
export async function untilIdle({ call }: Target, addr: string): Promise<void> {
  for (const until = performance.now() + replyTime; performance.now() < until; await wait(10)) {
    const client = await clientOf(call, addr)
    if (!client || (client.state !== 'BSY' && client.last_cmd.result !== 'unknown')) return
  }
}

interface Client {
  addr: string
  state: string
  last_cmd: { result: string }
}

export async function clientOf(call: Call, addr: string): Promise<Client | undefined> {
  const { json } = await call('GET /clients')
  const clients: Client[] = json?.clients ?? []
  return clients.find(client => client.addr === addr)
}

/** Adds computers by imports of 1,000. The boot mode has no template, so that no boot files are written. */
export async function importComputers(call: Call, addrs: string[], room: number): Promise<void> {
  for (let from = 0; from < addrs.length; from += 1000) {
    const rows = addrs.slice(from, from + 1000).map(ip => {
      const number = ip.split('.').map(byte => Number(byte).toString(16).padStart(2, '0'))
      return `pc-${ip.replaceAll('.', '-')},${ip},0260${number.join('')},none\n`
    })
    const text = `name,ip,mac,boot\n${rows.join('')}`
    const { json, status } = await call('POST /client/import', { format: 'csv', room, text })
    if (json?.added !== rows.length) throw new Error(`import of ${rows.length}: ${status}, ${json?.added} added`)
  }
}

/** So many addresses of 127.<network>.0.0/16. */
export const addressesOf = (network: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `127.${network}.${index >> 8}.${index & 255}`)
