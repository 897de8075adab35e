// Power failures at every moment: acknowledged writes of the embedded store are complete after each of them.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import open from '../../stores/lowdb/index.ts'
import { shows, takeStep } from '../conformance/crash-work.ts'
import { addLab } from '../conformance/samples.ts'
import { type Disk, record } from '../harness/recorded-disk.ts'
import { newFolder, openIn, silent } from '../harness/store-folders.ts'

export const runs = { seconds: 23 }

const test = suite('power failures and the embedded store')

/** Enough for all outputs, in several files. */
const limits = { outputs_bytes: 200_000 }

const writers = [0, 1, 2]
const stepsEach = 18
/** Snapshots are taken in the background: on a busy machine writers do more steps until there are two. */
const maxSteps = 10 * stepsEach
const snapshotsOf = ({ steps }: Disk) =>
  steps.filter(step => step.kind === 'name' && step.file && /^snapshot\.\d+$/.test(step.name)).length

test('a power failure at any moment loses no acknowledged write, and no write is stored partially', async () => {
  const folder = await newFolder()
  const disk = record(folder)
  const acknowledged = await write(folder, disk).finally(disk.stop)
  assert.ok(snapshotsOf(disk) > 1, 'snapshots were taken')
  const rest = await newFolder()
  for (let count = acknowledged[0]?.at ?? 0; count <= disk.steps.length; count += 1) {
    // All, nothing, or a random share of the unsynced writes reaches the disk.
    for (const unsyncedShare of [() => 1, () => 0, Math.random]) {
      const path = join(rest, 'data')
      await disk.restore(count, path, unsyncedShare)
      const store = await open({ adapter: 'lowdb', path }, silent)
      for (const writer of writers) {
        const done = acknowledged.filter(step => step.writer === writer && step.at <= count).length
        const matches = [done, done + 1].map(steps => shows(store, writer, steps))
        assert.ok((await Promise.all(matches)).includes(true), `writer ${writer} after ${count} steps of the disk`)
      }
      await store.close()
      await rm(path, { recursive: true })
    }
  }
  for (const path of [folder, rest]) await rm(path, { recursive: true })
})

interface Acknowledged {
  writer: number
  /** The number of disk operations before the acknowledgement. */
  at: number
}

async function write(folder: string, disk: Disk): Promise<Acknowledged[]> {
  const { store } = await openIn(folder, { journal_bytes: 1_500 }, silent, limits)
  await addLab(store)
  const acknowledged = [{ writer: -1, at: disk.steps.length }]
  await Promise.all(
    writers.map(async writer => {
      for (let step = 0; step < stepsEach || (snapshotsOf(disk) < 2 && step < maxSteps); step += 1) {
        await takeStep(store, writer, step)
        acknowledged.push({ writer, at: disk.steps.length })
      }
    }),
  )
  await store.close()
  return acknowledged
}

test.run()
