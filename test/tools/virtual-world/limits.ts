// A caller who is limited to a room, while computers are moved into it and out of it: it reaches no others.
import { type Answer, callHost } from './callers.ts'
import type { VirtualHost, World } from './world.ts'

/** The ids of the two rooms; the caller is limited to the first one, in which all computers are at first. */
export const rooms = [1, 2] as const

/** Milliseconds since 1970: it happened between them. `ended` Infinity: at any time since then, or never. */
interface Move {
  addr: string
  room: number
  began: number
  ended: number
}

export class Limits {
  /** That of the caller. */
  token = ''
  readonly violations: string[] = []
  #moves: Move[] = []
  readonly #world: World

  constructor(world: World) {
    this.#world = world
  }

  async move(host: VirtualHost, clients: string[], room: number): Promise<Answer> {
    const { time } = this.#world
    const began = time.now
    const moves = clients.map((addr): Move => ({ addr, room, began, ended: Number.POSITIVE_INFINITY }))
    this.#moves.push(...moves)
    const answer = await callHost(this.#world, host, 'POST /client/move', { clients, room })
    if (answer.status === 200) for (const move of moves) move.ended = time.now
    else if (answer.status >= 400 && answer.status < 500)
      this.#moves = this.#moves.filter(move => !moves.includes(move))
    return answer
  }

  /** As the limited caller. */
  async call(host: VirtualHost, route: string, payload: { clients: string[] }): Promise<Answer> {
    const { time } = this.#world
    const began = time.now
    const couldRead = this.#canRead(host)
    const answer = await callHost(this.#world, host, route, payload, this.token)
    if (answer.job === 0 || !couldRead || !this.#canRead(host)) return answer
    const others = payload.clients.filter(addr => !this.#roomsOf(addr, began).includes(rooms[0]))
    this.violations.push(...others.map(addr => `job ${answer.job} of the limited caller was accepted for ${addr}`))
    return answer
  }

  /** What is wrong with the list that this host shows to the limited caller. */
  async checkList(host: VirtualHost, connected: readonly string[]): Promise<string[]> {
    const { status, text } = await callHost(this.#world, host, 'GET /clients', undefined, this.token)
    // `as`: the answer's type is the specification's.
    const clients = status === 200 ? (JSON.parse(text).clients as { addr: string }[]) : []
    const listed = clients.map(({ addr }) => addr)
    return connected.flatMap(addr => {
      const possible = this.#roomsOf(addr, this.#world.time.now)
      const isWrong = possible.length === 1 && listed.includes(addr) !== possible.includes(rooms[0])
      return isWrong
        ? `${host.name} lists ${listed.join(' ')} to the limited caller, and ${addr} is in ${possible}`
        : []
    })
  }

  /** While a host cannot read the store, the limits stay as they were. */
  #canRead({ name }: VirtualHost): boolean {
    const { away, failing } = this.#world.database.faults
    return !away.has(name) && failing === 0
  }

  /** Where it may have been, at some time from then on until now. */
  #roomsOf(addr: string, from: number): number[] {
    const moves = this.#moves.filter(move => move.addr === addr)
    const isReplaced = ({ ended }: { ended: number }) => moves.some(later => later.began > ended && later.ended < from)
    const first = { room: rooms[0], ended: 0 }
    return [...new Set([first, ...moves].filter(move => !isReplaced(move)).map(({ room }) => room))]
  }
}
