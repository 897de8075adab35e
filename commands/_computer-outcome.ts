// What became of one computer in a job: the outcome of its first part that did not succeed.
import type { IndexedPart, Job } from 'fleet-host'

const time = (milliseconds: number) => (milliseconds === 0 ? undefined : new Date(milliseconds).toISOString())

/** The command whose success means that the computer has the image. */
const copyCommand = 'image-restore'

/** `parts`: at least one, all of one computer. `has_image` is absent for jobs that restore none. */
export function computerOutcome(job: Job, parts: readonly IndexedPart[]) {
  const inOrder = parts.toSorted((one, other) => one.step - other.step)
  const open = inOrder.find(({ state }) => state === 'sent') ?? inOrder.find(({ state }) => state === 'queued')
  const missed = inOrder.find(({ state }) => state !== 'success' && state !== 'sent' && state !== 'queued')
  const decisive = missed ?? open
  const copies = inOrder.filter(({ step }) => job.steps[step]?.command === copyCommand)
  const unconfirmed = copies.find(({ state, reason }) => state === 'success' && reason !== '')
  const last = missed ?? (open ? undefined : (copies.at(-1) ?? inOrder.at(-1)))
  return {
    state: decisive?.state ?? 'success',
    has_image: copies.length > 0 ? copies.every(({ state }) => state === 'success') : undefined,
    unconfirmed: unconfirmed ? true : undefined,
    reason: decisive?.reason || unconfirmed?.reason || undefined,
    command: decisive && job.steps[decisive.step]?.command,
    started: time(inOrder.find(({ sent }) => sent > 0)?.sent ?? 0),
    ended: time(last?.ended ?? 0),
  }
}

export type ComputerOutcome = ReturnType<typeof computerOutcome>

/** Whether it has the image; in a job that restores none: whether it has succeeded. */
export const hasIt = ({ state, has_image }: ComputerOutcome): boolean => has_image ?? state === 'success'

export function countOutcomes(outcomes: readonly ComputerOutcome[]) {
  const isOpen = ({ state }: ComputerOutcome) => state === 'sent' || state === 'queued'
  const others = outcomes.filter(outcome => !hasIt(outcome))
  return {
    total: outcomes.length,
    has: outcomes.length - others.length,
    unconfirmed: outcomes.filter(({ unconfirmed }) => unconfirmed).length,
    open: others.filter(isOpen).length,
    missing: others.filter(outcome => !isOpen(outcome)).length,
  }
}
