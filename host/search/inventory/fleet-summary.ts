// Counts what the computers have that a query finds: models, memory, disks, processors and systems.
import type { HardwareItem } from '../../../stores/store.ts'
import { isRefusal } from '../../contract/refusal.ts'
import type { Rights, SummaryAnswer } from '../../contract/services.ts'
import { slices } from '../../system/request-slices.ts'
import { descriptionsOf, diskSizes, memoryIn, unique } from './computer-columns.ts'
import { computersAtOnce, type SurveyDeps, surveyPages } from './survey-pages.ts'

/** Of each list: a response has a limit. */
const mostValues = 50

class Counts<Value extends string | number> {
  readonly #counts = new Map<Value, number>()

  add(values: readonly Value[], computers: number): void {
    for (const value of values) this.#counts.set(value, (this.#counts.get(value) ?? 0) + computers)
  }

  /** The most frequent ones first. */
  list(): { values: { value: Value; computers: number }[]; omitted?: number } {
    const all = Array.from(this.#counts, ([value, computers]) => ({ value, computers }))
    const sorted = all.sort((one, other) => other.computers - one.computers || (one.value < other.value ? -1 : 1))
    const omitted = all.length - mostValues
    return { values: sorted.slice(0, mostValues), ...(omitted > 0 && { omitted }) }
  }
}

export async function summarize(deps: SurveyDeps, where: string, rights: Rights) {
  const found = await deps.search.find(where, rights)
  if (isRefusal(found)) return found
  const [systems, disks] = [new Counts<string>(), new Counts<number>()]
  const profiles = new Map<number, number>()
  for await (const { hardware, rows } of surveyPages(deps, found)) {
    systems.add(unique(rows.map(({ system }) => system)), 1)
    disks.add(unique(diskSizes(rows).map(toGB)), 1)
    profiles.set(hardware, (profiles.get(hardware) ?? 0) + 1)
  }
  const ofDevices = await countDevices(deps, profiles)
  const answer: SummaryAnswer = {
    computers: found.length,
    ...ofDevices,
    disks: disks.list(),
    systems: systems.list(),
  }
  return answer
}

/** `profiles`: of each list of devices how many computers have it. */
async function countDevices({ store }: SurveyDeps, profiles: ReadonlyMap<number, number>) {
  const [models, processors, memory] = [new Counts<string>(), new Counts<string>(), new Counts<number>()]
  const count = (devices: readonly HardwareItem[], computers: number) => {
    const has = (type: string) => unique(descriptionsOf(devices, type))
    const memorySize = memoryIn(devices)
    models.add(has('computer model'), computers)
    processors.add(has('processor'), computers)
    // What a machine reports is a little less than what its modules have.
    if (memorySize !== undefined) memory.add([Math.ceil(memorySize / 1024)], computers)
  }
  const ids = [...profiles.keys()].filter(Boolean)
  for (let from = 0; from < ids.length; from += computersAtOnce) {
    await slices.pause()
    for (const { id, items } of await store.inventory.devices(ids.slice(from, from + computersAtOnce)))
      count(items, profiles.get(id) ?? 0)
  }
  return { models: models.list(), memory: memory.list(), processors: processors.list() }
}

/** As disks are sold. */
export const toGB = (mebibytes: number): number => Math.round((mebibytes * 1024 ** 2) / 1000 ** 3)
