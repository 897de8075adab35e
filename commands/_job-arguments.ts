// What was asked with jobs: the arguments of their commands.
import type { Job } from 'fleet-host'
import { listedCommands } from './_job-entries.ts'

/** Bytes of the arguments of a response, so that a list, or one job with 500 parts, stays within its limit. */
const argumentBytes = 65_536

/** Characters of one text in the arguments. */
const textCharacters = 4096

type StepArguments = (object | null)[]

/**
 * Returns a function to be called for each job of a response: the arguments of the same steps as in `commands`, with texts
 * cut. Of many long ones only the first: those that follow are null.
 */
export function jobArguments(): (job: Pick<Job, 'steps'>) => StepArguments {
  let bytes = 0
  return ({ steps }) =>
    steps.slice(0, listedCommands).map(({ payload }) => {
      if (bytes > argumentBytes) return null
      const json = JSON.stringify(payload, (_, value: unknown) => (typeof value === 'string' ? cut(value) : value))
      bytes += Buffer.byteLength(json)
      return bytes > argumentBytes ? null : JSON.parse(json)
    })
}

const cut = (text: string) => (text.length > textCharacters ? `${text.slice(0, textCharacters)}…` : text)
