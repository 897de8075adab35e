// Why queued parts of a job wait that could be sent otherwise, and about how long yet.

import type { IndexedPart, Job } from '../../../stores/store.ts'
import type { PartWait } from '../../contract/services.ts'
import type { JobsDeps } from '../deps.ts'
import type { StartGate } from './start-gate.ts'
import type { Wait } from './start-groups.ts'

/** Jobs whose ended parts are read for the mean time of one. */
const readJobs = 10
const readParts = 500

/** Milliseconds that a mean time is used. */
const meanAge = 10_000

/** Of a job, by the indexes of its parts. */
type ReadWaits = (job: number) => Promise<ReadonlyMap<number, PartWait>>

export function createReadWaits({ store, clock }: JobsDeps, gate: StartGate): ReadWaits {
  const means = new Map<string, { time: number; mean: Promise<number | undefined> }>()

  function cachedMean(key: string, read: () => Promise<number | undefined>): Promise<number | undefined> {
    const cached = means.get(key)
    const now = clock.now()
    if (cached && now - cached.time < meanAge) return cached.mean
    const mean = read()
    for (const [old, { time }] of means) if (now - time >= meanAge) means.delete(old)
    means.set(key, { time: now, mean })
    return mean
  }

  const partsOf = (id: number) => store.jobs.parts(id, { limit: readParts, outputs: false })

  /** Of parts that copied the same image, else of those with the same repository. */
  async function readMean({ command, payload }: Job['steps'][number]): Promise<number | undefined> {
    const jobs = await store.jobs.list({ command, state: 'success', limit: readJobs })
    const sameImage: number[] = []
    const sameRepository: number[] = []
    for (const job of jobs) {
      const isRepository = job.steps.map(step => step.payload.repository === payload.repository)
      if (!isRepository.includes(true)) continue
      for (const part of await partsOf(job.id)) {
        if (part.state !== 'success' || !isRepository[part.step]) continue
        const isImage = job.steps[part.step]?.payload.name === payload.name
        if (isImage) sameImage.push(durationOf(part))
        else sameRepository.push(durationOf(part))
      }
    }
    return meanOf(sameImage) ?? meanOf(sameRepository)
  }

  async function secondsOf({ place, limit, part }: Wait): Promise<number | undefined> {
    if (place === undefined || !limit) return undefined
    const { job, command, payload } = part
    const key = JSON.stringify([command, payload.repository, payload.name])
    const isCopy = payload.repository !== undefined
    const copies = isCopy ? await cachedMean(key, () => readMean(part)) : undefined
    const mean = copies ?? (await cachedMean(`job ${job}`, async () => meanOf((await partsOf(job)).flatMap(ended))))
    return mean === undefined ? undefined : Math.round((place * mean) / limit / 1000)
  }

  return async job => {
    const waits = new Map<number, PartWait>()
    for (const wait of gate.waitsOf(job)) {
      const seconds = await secondsOf(wait)
      const place = wait.place !== undefined && { place: wait.place }
      waits.set(wait.part.index, { for: wait.for, ...place, ...(seconds !== undefined && { seconds }) })
    }
    return waits
  }
}

const durationOf = ({ sent, ended }: IndexedPart) => ended - sent
const ended = (part: IndexedPart) => (part.state === 'success' ? durationOf(part) : [])
const meanOf = (times: readonly number[]) =>
  times.length === 0 ? undefined : times.reduce((sum, time) => sum + time, 0) / times.length
