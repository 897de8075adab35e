// Jobs and what became of their parts.
import type { IndexedPart, Job, JobFilter, Part, PartUpdate, Store } from '../store.ts'
import { deleteParts, mostParts, numberOf, partsOf, putParts, putStretch, readStretch, stretchOf } from './parts.ts'
import type { Records } from './store.ts'
import { hasLive, isLive, mayName } from './tables/part-columns.ts'
import type { Rows } from './tables/row-types.ts'
import type { Tables } from './tables/tables.ts'

export function jobs({ tables, mutate }: Records): Store['jobs'] {
  const { all, tally } = tables
  const withCounts = (row: Rows['jobs']) => ({ ...toJob(row), counts: tally.of(row.id) })
  return {
    add: ({ created, origin, name, steps }, parts) =>
      mutate(edit => {
        const id = all.jobs.next()
        edit.put('jobs', fromJob({ id, created, origin, name, steps }))
        putParts(tables, edit, id, parts)
        return id
      }),
    update: marks =>
      mutate(edit => {
        for (const [stretch, given] of byStretch(tables, marks)) {
          const parts = readStretch(tables, stretch)
          const changed = [...parts]
          for (const mark of given) {
            const at = mark.index - numberOf({ id: stretch })
            const part = changed[at]
            if (part) changed[at] = marked(part, mark)
          }
          const changes = changed.filter((part, at) => part !== parts[at]).length
          if (changes > 0) putStretch(tables, edit, stretch, changed, changes)
        }
      }),

    async list(filter) {
      const found: Rows['jobs'][] = []
      for (const row of all.jobs.sorted().reverse()) {
        if (found.length >= filter.limit) break
        if (fits(tables, row, filter)) found.push(row)
      }
      return found.map(withCounts)
    },
    async find(id) {
      const row = all.jobs.get(id)
      return row && withCounts(row)
    },
    async parts(id, { after = -1, limit, client }) {
      const found: IndexedPart[] = []
      for (const part of partsOf(tables, id, after + 1, client === undefined ? undefined : mayName(client))) {
        if (found.length >= limit) break
        if (client === undefined || part.client === client) found.push(part)
      }
      return found
    },
    async unfinished() {
      return [...tally.unfinished]
        .sort((a, b) => a - b)
        .flatMap(id => {
          const row = all.jobs.get(id)
          return row ? [{ job: toJob(row), parts: [...partsOf(tables, id, 0, hasLive)].filter(isLive) }] : []
        })
    },

    trim: ({ before, keep }) =>
      mutate(edit => {
        const finished = all.jobs.sorted().filter(({ id }) => !tally.unfinished.has(id))
        const beyond = finished.length - keep
        const gone = finished.filter(({ created }, at) => created < before || at < beyond)
        for (const { id } of gone) {
          deleteParts(tables, edit, id)
          edit.delete('jobs', id)
        }
        return gone.length
      }),
  }
}

/** A step's text is small beside its objects, and a reader's copy is made from it. */
export const fromJob = ({ id, created, origin, name, steps }: Job): Rows['jobs'] => ({
  ...{ id, created, origin, name },
  steps: JSON.stringify(steps.map(({ command, payload }) => ({ command, payload }))),
})

export const toJob = ({ steps, ...row }: Rows['jobs']): Job => ({ ...row, steps: JSON.parse(steps) })

function fits(tables: Tables, row: Rows['jobs'], { state, command, client }: JobFilter): boolean {
  if (command !== undefined && !hasCommand(row, command)) return false
  if (state !== undefined && tables.tally.of(row.id)[state] === 0) return false
  if (client === undefined) return true
  for (const part of partsOf(tables, row.id, 0, mayName(client))) {
    if (part.client === client && (state === undefined || part.state === state)) return true
  }
  return false
}

/** Only a job whose text has the words is worth parsing. */
function hasCommand(row: Rows['jobs'], command: string): boolean {
  return row.steps.includes(JSON.stringify(command)) && toJob(row).steps.some(step => step.command === command)
}

/** Marks of unknown jobs are left out, and numbers that would be ids of another job's parts. */
function byStretch({ all }: Tables, marks: PartUpdate[]): Map<number, PartUpdate[]> {
  const found = new Map<number, PartUpdate[]>()
  for (const mark of marks) {
    const { job, index } = mark
    if (!all.jobs.get(job) || !(index >= 0 && index < mostParts)) continue
    const stretch = stretchOf(job, index)
    const before = found.get(stretch)
    if (before) before.push(mark)
    else found.set(stretch, [mark])
  }
  return found
}

const marked = (part: Readonly<Part>, mark: PartUpdate): Part => ({
  client: part.client,
  step: part.step,
  state: mark.state ?? part.state,
  reason: mark.reason ?? part.reason,
  queued: part.queued,
  sent: mark.sent ?? part.sent,
  ended: mark.ended ?? part.ended,
  expires: mark.expires ?? part.expires,
  output: mark.output ?? part.output,
})
