// The parts of several hosts in memory.
import { isUnfinished, noParts } from '../../stores/rules/part-states.ts'
import type {
  Assigned,
  AssignedPart,
  Change,
  EndedParts,
  HostKey,
  Job,
  NewClusterJob,
  Part,
  PartUpdate,
  Store,
} from '../../stores/store.ts'

/** A part with what only several hosts have of it. */
export interface Row extends AssignedPart {
  host: string | undefined
  epoch: number
  work: number
  direct: boolean
}

export class WorkRows {
  readonly members = new Map<string, number>()
  readonly versions = new Map<string, number>()
  readonly onNotice: ((host: string) => void)[] = []
  readonly #store: Store['jobs']
  readonly #jobs = new Map<number, Job>()
  readonly #rows = new Map<number, Row[]>()
  /** Most rows have ended: what is asked is mostly about the others. */
  #unfinished: Row[] = []

  constructor(store: Store['jobs']) {
    this.#store = store
  }

  /** Those of parts that have not ended. */
  filter(condition: (row: Row) => boolean): Row[] {
    this.#unfinished = this.#unfinished.filter(isUnfinished)
    return this.#unfinished.filter(condition)
  }

  find({ job, index }: Pick<Row, 'job' | 'index'>): Row | undefined {
    return this.#rows.get(job)?.[index]
  }

  async store(updates: PartUpdate[]): Promise<void> {
    await this.#store.update(updates)
  }

  ensureMember({ name, epoch }: HostKey): void {
    if (this.members.get(name) !== epoch) throw new Error(`host ${name} is no member`)
  }

  assign(rows: Row[], host: string): void {
    const version = (this.versions.get(host) ?? 0) + 1
    this.versions.set(host, version)
    for (const row of rows) Object.assign(row, { host, work: version })
    for (const listener of this.onNotice) setImmediate(listener, host)
  }

  async add(key: HostKey, { job, parts, direct, hosts }: NewClusterJob): Promise<{ id: number; unassigned: number[] }> {
    const id = await this.#store.add(job, structuredClone(parts))
    this.#jobs.set(id, { ...structuredClone(job), id })
    const rows: Row[] = []
    this.#rows.set(id, rows)
    const unassigned: number[] = []
    const byHost = new Map<string, Row[]>()
    for (const [index, part] of parts.entries()) {
      const host = hosts[index]
      const isKnown = host !== undefined && this.members.has(host)
      const epoch = part.state === 'sent' ? key.epoch : 0
      const values = {
        job: id,
        index,
        host: key.name,
        epoch,
        work: 0,
        claimed: false,
        direct: isKnown && direct.has(index),
      }
      const row: Row = { ...structuredClone(part), ...values }
      rows.push(row)
      if (isKnown) byHost.set(host, [...(byHost.get(host) ?? []), row])
      else if (host !== undefined) unassigned.push(index)
    }
    for (const [host, rows] of byHost) this.assign(rows, host)
    this.#unfinished.push(...rows)
    return { id, unassigned }
  }

  /** Whether a claim is beyond its limits; the sequence of claims does not count here. */
  isFull({ job, limits }: Change): boolean {
    if (!limits) return false
    const { repository, batch } = limits
    const sent = this.filter(({ state }) => state === 'sent')
    const repositoryOf = (row: Row) => this.#jobs.get(row.job)?.steps[row.step]?.payload.repository
    const copies = sent.filter(row => repository && repositoryOf(row) === repository.address)
    const isBatch = batch !== undefined && sent.filter(row => row.job === job).length >= batch
    return isBatch || (repository !== undefined && copies.length >= repository.slots)
  }

  /** Whether the change has taken effect. */
  change({ name, epoch }: HostKey, { from, limits: _, ...update }: Change): boolean {
    const row = this.find(update)
    if (!row) return false
    const isOwn = row.host === name && row.epoch === epoch
    const isRepeated = isOwn && row.state === update.state && row.ended === update.ended
    const isValid = from === 'queued' ? row.state === 'queued' : row.state === 'sent' && isOwn
    if (isValid || isRepeated) Object.assign(row, update, { host: name, epoch, work: 0, direct: false })
    return isValid || isRepeated
  }

  end(ended: Row[], values: Pick<Part, 'state' | 'reason' | 'ended'>): EndedParts[] {
    for (const row of ended) Object.assign(row, values)
    void this.store(ended.map(({ job, index }) => ({ job, index, ...values })))
    return [...new Set(ended.map(({ job }) => job))].flatMap(id => {
      const job = this.#jobs.get(id)
      const finished = this.finishedOf(id)
      const parts = structuredClone(ended.filter(row => row.job === id))
      return job ? [{ job, parts, ...(finished && { finished }) }] : []
    })
  }

  remove({ name, epoch }: HostKey, reason: string): EndedParts[] {
    if (this.members.get(name) === epoch) this.members.delete(name)
    const own = this.filter(row => row.host === name)
    const isSent = (row: Row) => (row.state === 'sent' && row.epoch === epoch) || (row.state === 'queued' && row.direct)
    const ended = this.end(own.filter(isSent), { state: 'failure', reason, ended: Date.now() })
    for (const row of own) if (row.state === 'queued') row.host = undefined
    return ended
  }

  finishedOf(id: number): EndedParts['finished'] {
    const parts = this.#rows.get(id) ?? []
    if (parts.some(isUnfinished)) return undefined
    const counts = noParts()
    for (const { state } of parts) counts[state] += 1
    const { name = '', by = '' } = this.#jobs.get(id) ?? {}
    return { job: id, name, by, counts, clients: [...new Set(parts.map(({ client }) => client))] }
  }

  toAssigned(selected: Row[], claimed: ReadonlySet<Row> = new Set()): Assigned {
    const ids = new Set(selected.map(({ job }) => job))
    return structuredClone({
      jobs: [...this.#jobs.values()].filter(({ id }) => ids.has(id)),
      parts: selected.map(row => ({ ...row, claimed: claimed.has(row) })),
    })
  }
}
