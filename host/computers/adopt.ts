// Gives connected clients records: names and hardware addresses are those that the caller, the agents, or the neighbour
// table of the server say. Then their inventory is asked for.
import type { Computer, New, Room, Store } from '../../stores/store.ts'
import { onlyOne } from '../agents/client-reports.ts'
import { describeSameMac } from '../agents/likely-record.ts'
import type { ComputerFiles } from '../boot/computer-files.ts'
import { refuse } from '../contract/refusal.ts'
import type { Adoption, Cause, Hello, NewComputer, Refusal } from '../contract/services.ts'
import { type Log, message } from '../log/log.ts'
import type { Events, FleetEvent } from '../system/events.ts'
import { Counts } from '../system/throttle.ts'
import { completeRecord, macDigits } from './new-record.ts'

interface AdoptDeps {
  store: Store
  computerFiles: ComputerFiles
  reports: {
    hasRecord(addr: string): boolean
    find(addr: string): Hello | undefined
    connectedSince(addr: string): number | undefined
    neighbours(): Promise<Map<string, string[]>>
  }
  refusals: { find(addr: string): { reason: string } | undefined }
  /** Called with the addresses of the clients that have a record now. */
  onAdopted(addrs: string[]): void
}

interface Problem {
  reason: string
  /** With the client and how many others have one, in the refusal. */
  cause?: Cause | undefined
}

interface AdoptionProblem extends Problem {
  client: string
}

const problem = (code: string, reason: string, values: Omit<Cause, 'code'> = {}): Problem => ({
  reason,
  cause: { ...values, code: `adopt-${code}` },
})

/** `all or none`: a client with a problem keeps the others from getting a record, too. */
export type Adopt = (adoption: Adoption, mode: 'all or none' | 'all without problems') => Promise<AdoptionProblem[]>

export function createAdopt(deps: AdoptDeps): Adopt {
  const { store, computerFiles, onAdopted } = deps
  return (adoption, mode) =>
    computerFiles.exclusive(async () => {
      const { clients, room: id } = adoption
      const room = await store.rooms.find(id)
      if (!room) return clients.map(client => ({ client, ...problem('no-room', `there is no room ${id}`) }))
      const { records, problems } = await createRecords(deps, adoption, room)
      if (records.length === 0 || (problems.length > 0 && mode === 'all or none')) return problems
      const refusal = await computerFiles.add(records)
      const addrs = records.map(({ ip }) => ip)
      if (refusal) return [...problems, ...addrs.map(client => ({ client, reason: refusal.refused }))]
      onAdopted(addrs)
      return problems
    })
}

/** The refusal of a caller's adoption, which names the first problem. */
export function refusalOf([first, ...others]: AdoptionProblem[]): Refusal | undefined {
  if (!first) return undefined
  const { client, reason, cause } = first
  const text = `${client}: ${reason}${others.length === 0 ? '' : `; and ${others.length} more`}`
  return refuse(text, 400, cause && { ...cause, client, more: others.length })
}

async function createRecords({ store, reports, refusals }: AdoptDeps, adoption: Adoption, room: Room) {
  const neighbours = await reports.neighbours()
  // By what two computers must not have in common.
  const [names, macs] = [new Map<string, string>(), new Map<string, Identity>()]
  const note = ({ ip, name, mac }: Identity) => {
    names.set(name.toLowerCase(), ip)
    macs.set(mac.toLowerCase(), { ip, name, mac })
  }
  for (const computer of await store.computers.list()) note(computer)
  const conflictOf = ({ ip, name, mac }: Values) => {
    const [sameMac, sameName] = [macs.get(mac), names.get(name.toLowerCase())]
    if (sameMac) {
      const { text, advice } = describeSameMac(ip, sameMac, reports.connectedSince(sameMac.ip) !== undefined)
      return problem('same-mac', `${text}; ${advice}`, { mac, name: sameMac.name, ip: sameMac.ip })
    }
    const reason = `the name ${name} is that of ${sameName}`
    return sameName === undefined ? undefined : problem('same-name', reason, { name, ip: sameName })
  }
  const problems: AdoptionProblem[] = []
  const records: New<Computer>[] = []
  for (const client of adoption.clients) {
    const hello = reports.find(client)
    const refused = refusals.find(client)
    const absent = refused
      ? problem('refused', `its connections are refused: ${refused.reason}; see fleet doctor ${client}`)
      : problem('away', 'it is not connected')
    const values = hello
      ? valuesOf(adoption, client, hello, onlyOne(neighbours.get(client)))
      : (reports.hasRecord(client) && problem('has-record', 'it has a record')) || absent
    const found = 'reason' in values ? values : conflictOf(values)
    if (found) problems.push({ client, ...found })
    else if ('ip' in values) {
      note(values)
      records.push(completeRecord({ ...values, room: room.id }, room))
    }
  }
  return { records, problems }
}

type Identity = Pick<Computer, 'ip' | 'name' | 'mac'>
type Values = Pick<NewComputer, 'ip' | 'name' | 'mac' | 'serial_number'>

/** What the caller says precedes what the agent says. Returns why there are no values. */
function valuesOf(
  { names, macs }: Adoption,
  ip: string,
  hello: Hello,
  neighbour: string | undefined,
): Values | Problem {
  const name = names?.[ip] ?? hello.name
  const mac = macs?.[ip] ?? hello.mac ?? neighbour
  if (name === undefined) return problem('name', 'expected a name, of which its agent says none (fleet adopt --name)')
  if (mac === undefined)
    return problem(
      'mac',
      'expected a hardware address, which neither its agent nor the neighbour table has (fleet adopt --mac)',
    )
  return { ip, name, mac: macDigits(mac).toLowerCase(), serial_number: hello.serial ?? '' }
}

interface AutoAdoptDeps {
  log: Log
  events: Events
  /** Read at each introduction, as the options may be loaded again. */
  options: { adopt: { room: number } | null }
  adopt: Adopt
  reports: { find(addr: string): Hello | undefined }
}

/** Milliseconds in which reports are gathered: each adoption reads all records. */
const gatherTime = 250

/** The option `agents.adopt`: every client that reports itself and has no record gets one in a room. */
export class AutoAdopt {
  readonly #deps: AutoAdoptDeps
  readonly #refusals = new Counts()
  /** Clients whose agents have reported since the last adoption. */
  #waiting = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(deps: AutoAdoptDeps) {
    this.#deps = deps
    const onEvent = (event: FleetEvent) => {
      if (!('addr' in event) || !deps.options.adopt || !deps.reports.find(event.addr)) return
      this.#waiting.add(event.addr)
      this.#start()
    }
    deps.events.on(onEvent, ['client-hello'])
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
  }

  #start(): void {
    if (this.#waiting.size === 0 || this.#isClosed) return
    this.#timer ??= setTimeout(() => void this.#adoptWaiting(), gatherTime)
  }

  async #adoptWaiting(): Promise<void> {
    const { options, log } = this.#deps
    const clients = [...this.#waiting]
    this.#waiting = new Set()
    try {
      if (options.adopt) await this.#adopt(clients, options.adopt.room)
    } catch (error) {
      // The store is closed with the daemon.
      if (!this.#isClosed) log.error('agents', `${clients.length} clients not adopted: ${message(error)}`, error)
    }
    this.#timer = undefined
    this.#start()
  }

  async #adopt(clients: string[], room: number): Promise<void> {
    const { log, events, adopt } = this.#deps
    const reasons = new Map(
      (await adopt({ clients, room }, 'all without problems')).map(({ client, reason }) => [client, reason]),
    )
    for (const addr of clients) {
      const reason = reasons.get(addr)
      if (reason === undefined) log.info(`agent ${addr}`, `adopted in room ${room} (agents.adopt)`)
      // Of an address the first one within a minute.
      else if (this.#refusals.add(addr) === 1) {
        log.warn(`agent ${addr}`, `not adopted (agents.adopt): ${reason}`)
        events.emit({ type: 'adoption-refused', addr, reason })
      }
    }
  }
}
