// Gives connected clients records: names and hardware addresses are those that the caller, the agents, or the neighbour
// table of the server say.
import type { Computer, New, Room, Store } from '../../stores/store.ts'
import { onlyOne } from '../agents/client-reports.ts'
import type { ComputerFiles } from '../boot/computer-files.ts'
import { refuse } from '../contract/refusal.ts'
import type { Adoption, Hello, NewComputer, Refusal } from '../contract/services.ts'
import { completeRecord, macDigits } from './new-record.ts'

export interface AdoptDeps {
  store: Store
  computerFiles: ComputerFiles
  reports: {
    hasRecord(addr: string): boolean
    find(addr: string): Hello | undefined
    neighbours(): Promise<Map<string, string[]>>
  }
  /** Called with the addresses of the clients that have a record now. */
  onAdopted(addrs: string[]): void
}

/** Why a client gets no record. */
export interface AdoptionProblem {
  client: string
  reason: string
}

/** `all or none`: a client with a problem keeps the others from getting a record, too. */
export type Adopt = (adoption: Adoption, mode: 'all or none' | 'all without problems') => Promise<AdoptionProblem[]>

export function createAdopt(deps: AdoptDeps): Adopt {
  const { store, computerFiles, onAdopted } = deps

  async function adopt(adoption: Adoption, isPartial: boolean): Promise<AdoptionProblem[]> {
    const { clients, room: id } = adoption
    const room = await store.rooms.find(id)
    if (!room) return clients.map(client => ({ client, reason: `there is no room ${id}` }))
    const { records, problems } = await createRecords(deps, adoption, room)
    if (records.length === 0 || (problems.length > 0 && !isPartial)) return problems
    const refusal = await computerFiles.saveWithFiles(records, async () => {
      const [conflict] = await store.computers.add(records)
      return conflict && `${records[conflict.index]?.ip}: ${conflict.reason}`
    })
    const addrs = records.map(({ ip }) => ip)
    if (refusal) return [...problems, ...addrs.map(client => ({ client, reason: refusal.refused }))]
    onAdopted(addrs)
    return problems
  }

  return (adoption, mode) => computerFiles.exclusive(() => adopt(adoption, mode === 'all without problems'))
}

/** The refusal of a caller's adoption, which names the first problem. */
export function refusalOf([problem, ...others]: AdoptionProblem[]): Refusal | undefined {
  if (!problem) return undefined
  return refuse(`${problem.client}: ${problem.reason}${others.length === 0 ? '' : `; and ${others.length} more`}`)
}

async function createRecords({ store, reports }: AdoptDeps, adoption: Adoption, room: Room) {
  const known = new KnownComputers(await store.computers.list())
  const neighbours = await reports.neighbours()
  const problems: AdoptionProblem[] = []
  const records: New<Computer>[] = []
  for (const client of adoption.clients) {
    const hello = reports.find(client)
    const values = hello
      ? valuesOf(adoption, client, hello, onlyOne(neighbours.get(client)))
      : { problem: `it ${reports.hasRecord(client) ? 'has a record' : 'is not connected'}` }
    const problem = 'problem' in values ? values.problem : known.conflictOf(values)
    if (problem !== undefined) problems.push({ client, reason: problem })
    else if ('name' in values) {
      known.add(values)
      records.push(completeRecord({ ...values, room: room.id }, room))
    }
  }
  return { records, problems }
}

type Values = Pick<NewComputer, 'ip' | 'name' | 'mac' | 'serial_number'>

/** What the caller says precedes what the agent says. */
function valuesOf(
  { names, macs }: Adoption,
  ip: string,
  hello: Hello,
  neighbour: string | undefined,
): Values | { problem: string } {
  const name = names?.[ip] ?? hello.name
  const mac = macs?.[ip] ?? hello.mac ?? neighbour
  if (name === undefined) return { problem: 'expected a name from its agent or in names, got none' }
  if (mac === undefined) {
    return { problem: 'expected a hardware address from its agent, in the neighbour table or in macs, got none' }
  }
  return { ip, name, mac: macDigits(mac).toLowerCase(), serial_number: hello.serial ?? '' }
}

type Identity = Pick<Computer, 'ip' | 'name' | 'mac'>

/** For finding out whether a new computer is one that has a record. */
class KnownComputers {
  /** Addresses by name and by hardware address. */
  readonly #names = new Map<string, string>()
  readonly #macs = new Map<string, string>()

  constructor(computers: readonly Identity[]) {
    for (const computer of computers) this.add(computer)
  }

  add({ ip, name, mac }: Identity): void {
    this.#names.set(name.toLowerCase(), ip)
    this.#macs.set(mac.toLowerCase(), ip)
  }

  /** Why a new computer cannot have these values; undefined when no other one has them. */
  conflictOf({ name, mac }: Identity): string | undefined {
    const sameMac = this.#macs.get(mac.toLowerCase())
    if (sameMac !== undefined) return `the hardware address ${mac} is that of ${sameMac}`
    const sameName = this.#names.get(name.toLowerCase())
    return sameName === undefined ? undefined : `the name ${name} is that of ${sameName}`
  }
}
