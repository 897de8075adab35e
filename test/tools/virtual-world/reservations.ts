// Reservations of computers by brokers, asked for on two hosts at once: a computer is promised once at a time.
import { callHost } from './callers.ts'
import { began, type VirtualHost, type World } from './world.ts'

/** Milliseconds since 1970: it began between them. */
interface Reservation {
  addr: string
  asked: number
  answered: number
}

/** Milliseconds that a reservation lasts at least whose broker does not say anything more. */
const shortest = 5 * 60_000

export class Reservations {
  readonly #reserved: Reservation[] = []
  readonly #world: World

  constructor(world: World) {
    this.#world = world
  }

  /** Resolves to the address that the host promises, undefined when it has none. */
  async ask(host: VirtualHost): Promise<string | undefined> {
    const { time, note } = this.#world
    const asked = time.now
    const { status, text } = await callHost(this.#world, host, 'POST /opengnsys/rest/ous/1/images/1/reserve', {})
    // `as`: the answer's type is the pack's.
    const addr = status === 200 ? (JSON.parse(text) as { ip: string }).ip : undefined
    note(`${host.name} reserves ${addr ?? `nothing: ${status} ${text}`}`)
    if (addr !== undefined) this.#reserved.push({ addr, asked, answered: time.now })
    return addr
  }

  get violations(): string[] {
    const ends = this.#world.history.flatMap(line => {
      const [, seconds, addr] = /^(\S+) .* (\S+): reservation of \S+ ended/.exec(line) ?? []
      return addr === undefined ? [] : { addr, at: began + Number(seconds) * 1000 }
    })
    return this.#reserved.flatMap((one, at) =>
      this.#reserved
        .slice(at + 1)
        .filter(({ addr, asked, answered }) => {
          const apart = Math.max(one.answered, answered) - Math.min(one.asked, asked)
          const [from, to] = [Math.min(one.asked, asked), Math.max(one.answered, answered)]
          const hasEnded = ends.some(end => end.addr === addr && end.at > from && end.at < to)
          return addr === one.addr && apart < shortest && !hasEnded
        })
        .map(({ addr }) => `${addr} was reserved twice at once`),
    )
  }
}
