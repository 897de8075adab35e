// The work of several hosts in memory, as stores/cluster-types.ts says.
import { endOf } from '../../stores/rules/parts.ts'
import type { AssignedPart, Change, ClusterJobs, EndedParts, Firing, HostKey, Store } from '../../stores/store.ts'
import { type Row, WorkRows } from './work-rows.ts'

export interface MemoryWork {
  work: ClusterJobs
  /** Makes a host a member. */
  join(key: HostKey): void
  /** Ends a membership, as `Members.remove` does. */
  remove(key: HostKey, reason: string): EndedParts[]
  /** Called with the name of a host that has got parts. */
  onNotice(listener: (host: string) => void): void
  /** While true, all methods reject. */
  isAway: boolean
  /** The next call of this method takes effect and rejects all the same; of `take`, the next one that takes parts. */
  losesReplyOf: keyof ClusterJobs | undefined
  /** What happens before that rejects. */
  beforeLoss?(): Promise<void>
}

export function createMemoryWork({ jobs, schedules }: Pick<Store, 'jobs'> & Partial<Store>): MemoryWork {
  const rows = new WorkRows(jobs)
  const methods = createMethods(rows, schedules)
  const memory: MemoryWork = {
    work: new Proxy(methods, {
      get:
        (_, name: keyof ClusterJobs) =>
        async (...args: unknown[]) => {
          await new Promise(setImmediate)
          if (memory.isAway) throw new Error('the database does not respond')
          const result = await Reflect.apply(methods[name], undefined, args)
          if (memory.losesReplyOf !== name || (name === 'take' && result.parts.length === 0)) return result
          memory.losesReplyOf = undefined
          await memory.beforeLoss?.()
          throw new Error('the connection has ended')
        },
    }),
    join: ({ name, epoch }) => void rows.members.set(name, epoch),
    remove: (key, reason) => rows.remove(key, reason),
    onNotice: listener => void rows.onNotice.push(listener),
    isAway: false,
    losesReplyOf: undefined,
  }
  return memory
}

function createMethods(rows: WorkRows, schedules?: Store['schedules']): ClusterJobs {
  const fired = new Map<number, number>()
  const fire = async ({ schedule, time }: Firing) => {
    const isNew = (fired.get(schedule) ?? 0) < time
    if (!isNew) return false
    fired.set(schedule, time)
    await schedules?.setSince(schedule, time)
    return true
  }
  return {
    async add(key, work) {
      rows.ensureMember(key)
      return work.firing && !(await fire(work.firing)) ? undefined : rows.add(key, work)
    },
    claimFiring: fire,
    async take(key, after, now) {
      rows.ensureMember(key)
      const own = rows.filter(row => row.host === key.name && row.work > after)
      const taken = own.filter(row => row.state === 'queued' || (row.state === 'sent' && row.epoch === key.epoch))
      const claimed = new Set(taken.filter(({ direct, state }) => direct || state === 'sent'))
      for (const row of claimed) Object.assign(row, { state: 'sent', sent: now, epoch: key.epoch, direct: false })
      await rows.store([...claimed].map(({ job, index }) => ({ job, index, state: 'sent', sent: now })))
      return { ...rows.toAssigned(taken, claimed), last: rows.versions.get(key.name) ?? 0 }
    },
    async queued(clients, { after = { job: 0, index: -1 }, limit } = {}) {
      const isOf = ({ client }: AssignedPart) => clients === 'all' || clients.includes(client)
      const isNext = ({ job, index }: Row) => job > after.job || (job === after.job && index > after.index)
      const queued = rows.filter(row => row.state === 'queued' && !row.direct && isOf(row) && isNext(row))
      const { jobs, parts } = rows.toAssigned(queued.sort((a, b) => a.job - b.job || a.index - b.index).slice(0, limit))
      return jobs.map(job => ({ job, parts: parts.filter(part => part.job === job.id) }))
    },
    async assign(parts) {
      for (const { host, ...name } of parts) {
        const row = rows.find(name)
        if (row?.state === 'queued' && !row.direct && rows.members.has(host)) rows.assign([row], host)
      }
    },
    unclaimed: async job => rows.filter(row => row.job === job && row.state === 'queued' && row.direct).length,
    change: (key, changes) => change(rows, key, changes),
    async cancel(target, reason, now) {
      const { clients } = target
      const isTarget = ({ state, job, client }: Row) =>
        state === 'queued' && (!('job' in target) || target.job === job) && (!clients || clients.includes(client))
      return rows.end(rows.filter(isTarget), { state: 'cancelled', reason, ended: now })
    },
  }
}

async function change(rows: WorkRows, key: HostKey, changes: Change[]): ReturnType<ClusterJobs['change']> {
  if (changes.some(({ from, state }) => from === 'queued' && state === 'sent')) rows.ensureMember(key)
  const [full, applied]: [Change[], Change[]] = [[], []]
  // One after the other: the first claims of a call may take what the later ones need.
  for (const each of changes) {
    if (rows.isFull(each)) full.push(each)
    else if (rows.change(key, each)) applied.push(each)
  }
  await rows.store(applied.map(({ from: _, limits: _limits, ...update }) => update))
  const ended = applied.flatMap(each => endOf(each, rows.find(each) ?? { client: '', step: 0 }) ?? [])
  const finished = [...new Set(ended.map(({ job }) => job))].flatMap(job => {
    const end = rows.finishedOf(job)
    return end ?? []
  })
  return { applied, full, ended, finished }
}
