// Several lives of an embedded store on one virtual disk: writers at work, operations that fail, kills and power cuts.
// After each cut that is tried the store must open and show all that was acknowledged, and nothing by half.
import type { Store } from '../../../stores/store.ts'
import { recordedTypes, shows, takeStep } from '../../conformance/crash-work.ts'
import { addCenter, addRoom } from '../../conformance/samples.ts'
import { silent } from '../../harness/store-folders.ts'
import { type Chance, createChance } from '../virtual-world/chance.ts'
import type { Program } from './build-program.ts'
import { Completions } from './completions.ts'
import { type Files, VirtualDisk } from './virtual-disk.ts'
import type { FileSystem } from './virtual-files.ts'

/** Enough for all outputs, in several files. */
const limits = { outputs_bytes: 500_000 }
const cutsPerLife = 6

/** A writer has done all steps below `step`, as it learned after `at` steps of the disk. */
interface Acknowledgement {
  writer: number
  step: number
  at: number
}

interface Run {
  evaluate(system: FileSystem): Program
  chance: Chance
  options: { adapter: string; path: string; journal_bytes: number }
  violations: string[]
  /** Of the disks, altogether. */
  steps: number
}

/** What the next life begins with. */
interface Beginning {
  disk: VirtualDisk
  /** By writer: the steps that were acknowledged, and those that the store shows. */
  acknowledged: number[]
  visible: number[]
}

export async function runSeed(seed: number, evaluate: Run['evaluate']): Promise<Pick<Run, 'violations' | 'steps'>> {
  const chance = createChance(seed)
  const options = { adapter: 'lowdb', path: '/data', journal_bytes: chance.between(300, 6000) }
  const run: Run = { evaluate, chance, options, violations: [], steps: 0 }
  const none = Array.from({ length: chance.between(1, 4) }, () => 0)
  let next: Beginning | undefined = { disk: new VirtualDisk(), acknowledged: none, visible: none }
  for (let lives = chance.between(1, 4); lives > 0 && next; lives -= 1) next = await liveAndDie(run, next)
  return run
}

/** Undefined when something was broken. */
async function liveAndDie(run: Run, beginning: Beginning): Promise<Beginning | undefined> {
  const { chance, violations } = run
  const { disk } = beginning
  const first = disk.steps.length
  const acknowledgements = await live(run, beginning)
  run.steps += disk.steps.length - first
  const acknowledgedAt = (count: number) =>
    beginning.acknowledged.map((before, writer) =>
      Math.max(
        before,
        ...acknowledgements.filter(done => done.writer === writer && done.at <= count).map(({ step }) => step),
      ),
    )
  let next: Beginning | undefined
  for (let cuts = 0; cuts < cutsPerLife && violations.length === 0; cuts += 1) {
    const count = chance.between(first, disk.steps.length)
    const files = disk.cutPower(count, chance)
    const acknowledged = acknowledgedAt(count)
    const visible = await lookAt(run, files, acknowledged, `power cut after step ${count} of ${disk.steps.length}`)
    next = { disk: new VirtualDisk(files), acknowledged, visible }
  }
  if (violations.length > 0) return undefined
  if (chance.isTrue(0.6)) return next
  // Only the process ends: what was not synced can be read, and is still not synced.
  const acknowledged = acknowledgedAt(disk.steps.length)
  const visible = await lookAt(run, disk.files, acknowledged, `kill after step ${disk.steps.length}`)
  return violations.length > 0 ? undefined : { disk, acknowledged, visible }
}

/** Opens the store and lets the writers go on, for a while. */
async function live(run: Run, { disk, visible }: Beginning): Promise<Acknowledgement[]> {
  const { chance, options, violations } = run
  const completions = new Completions(chance.fork())
  const fails = createFailure(chance)
  const program = run.evaluate({ disk, completions, failure: fails.next })
  const acknowledgements: Acknowledgement[] = []
  const acknowledge = (writer: number, step: number) => acknowledgements.push({ writer, step, at: disk.steps.length })
  let left = chance.between(1, 400)
  const closes = chance.isTrue(0.3)

  async function write(store: Store, writer: number, from: number): Promise<void> {
    for (let step = from, refusals = 0; refusals < 3 && left > 0; ) {
      try {
        await takeStep(store, writer, step)
        step += 1
        acknowledge(writer, step)
      } catch (error) {
        if (!fails.hasFailed()) throw error
        refusals += 1
        await completions.wait()
      }
    }
  }

  async function work(): Promise<void> {
    // As a daemon does whose API token is in the folder.
    if (chance.isTrue(0.5)) program.createDataFolder(options.path)
    const store = await program.open(options, silent, limits)
    await ensureLab(store)
    store.storedEvents.record(recordedTypes)
    for (const [writer, step] of visible.entries()) acknowledge(writer, step)
    await Promise.all(visible.map((step, writer) => write(store, writer, step)))
    if (closes) await store.close()
  }

  work().catch(error => {
    if (!fails.hasFailed()) violations.push(`a life of the store: ${error.stack}`)
  })
  await completions.run(() => {
    left -= 1
    return left > (closes ? -200 : 0)
  })
  return acknowledgements
}

/** In one life of three some operations fail, one after the other, of all or of one kind. */
function createFailure(chance: Chance) {
  const kind = chance.pick(['', '', 'open', 'write', 'sync'])
  const last = chance.pick([0, 0, -3])
  let left = chance.isTrue(0.3) ? chance.between(1, kind === '' ? 300 : 60) : last
  const first = left
  const codes: Record<string, string[]> = { open: ['EMFILE', 'ENOSPC'], write: ['EIO', 'ENOSPC'] }
  return {
    hasFailed: () => left <= 0 && left < first,
    next(operation: string): string | undefined {
      if (left === last || ![operation, ''].includes(kind)) return undefined
      left -= 1
      return left > 0 ? undefined : chance.pick(codes[operation] ?? ['EIO'])
    },
  }
}

/** What the first of two writes left may be all of it. */
async function ensureLab(store: Store): Promise<void> {
  const [center] = await store.scopes()
  if (center?.scope[0]) return
  await addRoom(store, center?.id ?? (await addCenter(store)))
}

/** Returns how many steps of each writer the store shows. */
async function lookAt(run: Run, files: Files, acknowledged: readonly number[], when: string): Promise<number[]> {
  const { chance, options, violations } = run
  const completions = new Completions(chance.fork())
  const program = run.evaluate({ disk: new VirtualDisk(files), completions, failure: () => undefined })

  async function look(): Promise<number[]> {
    const store = await program.open(options, silent, limits)
    const visible: number[] = []
    for (const [writer, done] of acknowledged.entries()) {
      if (await shows(store, writer, done + 1)) visible.push(done + 1)
      else if (await shows(store, writer, done)) visible.push(done)
      else throw new Error(`the store does not show the ${done} or ${done + 1} steps of writer ${writer}`)
    }
    await store.close()
    for (const { ok, message } of await program.check(options)) if (!ok) throw new Error(message)
    return visible
  }

  let visible: number[] | undefined
  look().then(
    value => {
      visible = value
    },
    error => violations.push(`${when}: ${error.message}`),
  )
  await completions.run(() => true)
  if (!visible && violations.length === 0) violations.push(`${when}: the store waits for ever`)
  return visible ?? []
}
