// Reads the results of jobs through the REST API and waits for job events, past or future.
import { type CallResponse, withTimeout } from './rest-call.ts'
import type { TestHost } from './test-host.ts'

/** A part in `GET /jobs/<id>`. */
export interface PartJson {
  client: string
  command: string
  state: string
  reason?: string
  output?: string
  output_dropped?: true
  sent?: string
  ended?: string
}

export const jobIdOf = ({ headers }: CallResponse): number => Number(headers['x-job-id'])

export type JobResults = ReturnType<typeof followJobs>

/** Only jobs that finish after this call can be waited for. */
export function followJobs({ call, host: { events } }: TestHost) {
  const finishedJobs = new Set<number>()
  const waiters = new Set<() => void>()
  events.on(event => {
    if (event.type !== 'job-finished') return
    finishedJobs.add(event.job)
    for (const check of waiters) check()
  })

  /** `query` begins with `?`. */
  const parts = async (job: number, query = ''): Promise<PartJson[]> =>
    (await call(`GET /jobs/${job}${query}`)).json.parts
  const waitUntilFinished = (job: number) =>
    withTimeout<void>(`the end of job ${job}`, resolve => {
      const check = () => {
        if (!finishedJobs.has(job)) return
        waiters.delete(check)
        resolve()
      }
      waiters.add(check)
      check()
    })
  return {
    parts,
    states: async (job: number) => (await parts(job)).map(({ state }) => state),
    /** State and reason of each part. */
    outcomes: async (job: number): Promise<[string, string | undefined][]> =>
      (await parts(job)).map(({ state, reason }) => [state, reason]),
    /** Resolves with the parts when all of them have ended and are stored. */
    async finished(job: number): Promise<PartJson[]> {
      await waitUntilFinished(job)
      return parts(job)
    },
  }
}
