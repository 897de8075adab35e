// Functions that divide long work over several event-loop ticks.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { setImmediate as nextTick } from 'node:timers/promises'
import { suite } from 'uvu'
import { equal, is, ok } from 'uvu/assert'
import { requestPause } from '../../host/system/request-slices.ts'
import {
  createPause,
  createTickBatch,
  createTimeSlicer,
  endOfTick,
  forEachChunk,
  forEachTimeSliced,
  perTick,
} from '../../host/system/time-slices.ts'
import { readPause } from '../../stores/memory/job-lists.ts'

const slicer = suite('time slicer')

const nothing = () => {}

slicer('work runs in its order, divided over ticks', async () => {
  const schedule = createTimeSlicer()
  const done: number[] = []
  const counts: number[] = []
  const indexes = Array.from({ length: 1000 }, (_, index) => index)
  const ranAtOnce = indexes.map(index => schedule(() => done.push(index)))
  is(ranAtOnce[0], true)
  is(ranAtOnce.at(-1), false)
  equal(
    ranAtOnce,
    indexes.map(index => index < done.length),
  )
  while (done.length < indexes.length && counts.length < indexes.length) {
    counts.push(done.length)
    await nextTick()
  }
  equal(done, indexes)
  ok(counts.length > 2)
  ok(counts.every((count, index) => count - (counts[index - 1] ?? 0) <= (counts[0] ?? 0)))
  await nextTick()
  is(schedule(nothing), true)
})

slicer('the work of one caller does not wait for all that of another', async () => {
  const schedule = createTimeSlicer()
  let done = 0
  for (let count = 0; count < 1000; count += 1) schedule(() => (done += 1), 10_000, 'many')
  let others: number | undefined
  schedule(() => (others = done), 0, 'one')
  for (let ticks = 0; others === undefined && ticks < 100; ticks += 1) await nextTick()
  ok(others !== undefined && others < 100, `${others} were done before`)
})

slicer('large work uses up the tick', () => {
  const schedule = createTimeSlicer()
  is(schedule(nothing, 1_000_000), true)
  is(schedule(nothing), false)
})

slicer('work that is added while other work waits runs after it', async () => {
  const schedule = createTimeSlicer()
  const done: string[] = []
  for (let count = 0; schedule(() => done.push('early')); count += 1) ok(count < 10_000)
  schedule(() => {
    done.push('second')
    schedule(() => done.push('third'))
  })
  for (let ticks = 0; !done.includes('third') && ticks < 10; ticks += 1) await nextTick()
  equal([...new Set(done)], ['early', 'second', 'third'])
})

slicer('work that throws does not keep later work from running', async () => {
  const schedule = createTimeSlicer()
  const done: number[] = []
  for (let count = 0; schedule(nothing); count += 1) ok(count < 10_000)
  const thrown = new Promise<Error>(resolve => process.once('uncaughtException', resolve))
  schedule(() => done.push(1))
  schedule(() => {
    throw new Error('thrown by the work')
  })
  schedule(() => done.push(2))
  is((await thrown).message, 'thrown by the work')
  for (let ticks = 0; done.length < 2 && ticks < 10; ticks += 1) await nextTick()
  equal(done, [1, 2])
})

slicer.run()

const ticks = suite('end of tick')

ticks('all calls in one tick share a promise, which resolves after what is ready in the tick', async () => {
  const endOfBatch = createTickBatch()
  const steps: string[] = []
  const first = endOfBatch().then(() => steps.push('first'))
  process.nextTick(() => steps.push('ready'))
  is(endOfBatch(), endOfBatch())
  const second = endOfBatch().then(() => steps.push('second'))
  await Promise.all([first, second])
  equal(steps, ['ready', 'first', 'second'])
  await endOfBatch()
})

ticks('work per tick runs once at the end of each tick in which it is requested', async () => {
  let runs = 0
  const request = perTick(() => {
    runs += 1
  })
  equal([request(), request(), runs], [true, false, 0])
  await endOfTick()
  is(runs, 1)
  await endOfTick()
  is(runs, 1)
  is(request(), true)
  await endOfTick()
  is(runs, 2)
})

ticks.run()

const lists = suite('lists over several ticks')

/** Runs `work` and returns how many ticks passed until it resolved. */
async function countTicks(work: () => Promise<void>): Promise<number> {
  let count = 0
  let isDone = false
  const finished = work().then(() => {
    isDone = true
  })
  // Promises settle before the tick ends: a list without a tick is done by then.
  await Promise.resolve()
  while (!isDone) {
    await nextTick()
    count += 1
  }
  await finished
  return count
}

lists('chunks have at most their size, with one tick between two of them', async () => {
  const chunks: (readonly number[])[] = []
  const ticksBetween = await countTicks(() => forEachChunk([1, 2, 3, 4, 5], 2, chunk => chunks.push(chunk)))
  equal(chunks, [[1, 2], [3, 4], [5]])
  ok(ticksBetween >= 2)
  is(await countTicks(() => forEachChunk([1, 2], 2, chunk => chunks.push(chunk))), 0)
  equal(chunks.at(-1), [1, 2])
  await forEachChunk([], 2, () => ok(false))
})

lists('an error of a chunk ends the list', async () => {
  const chunks: (readonly number[])[] = []
  const work = forEachChunk([1, 2, 3], 1, chunk => {
    chunks.push(chunk)
    if (chunks.length === 2) throw new Error('thrown by the chunk')
  })
  is(await work.catch(error => error.message), 'thrown by the chunk')
  equal(chunks, [[1], [2]])
})

lists('a time-sliced list runs in order, with a tick whenever the time has passed', async () => {
  const done: number[] = []
  is(await countTicks(() => forEachTimeSliced([1, 2, 3], 60_000, item => done.push(item))), 0)
  equal(done.splice(0), [1, 2, 3])
  const ticksBetween = await countTicks(() => forEachTimeSliced([1, 2, 3], 0, item => done.push(item)))
  equal(done, [1, 2, 3])
  ok(ticksBetween >= 2)
})

lists.run()

const pauses = suite('pauses of long work')

/** How often the work pauses until the server has all of these connections. */
async function pausesFor(connections: number, pause: () => Promise<void> | undefined): Promise<number> {
  let accepted = 0
  const server = createServer(socket => {
    accepted += 1
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  // `as`: the server listens on a port, not on a path.
  const { port } = server.address() as AddressInfo
  for (let index = 0; index < connections; index += 1) connect({ port, host: '127.0.0.1' }).on('error', nothing)
  let count = 0
  while (accepted < connections) {
    const paused = pause()
    if (!paused) continue
    count += 1
    await paused
  }
  server.close()
  return count
}

for (const [name, pause] of Object.entries({ requestPause, readPause, createPause: createPause(5) })) {
  pauses(`callers that connect do not wait for a slice of long work each: ${name}`, async () => {
    const count = await pausesFor(64, pause)
    ok(count < 40, `${count} slices for 64 connections`)
  })
}

pauses.run()
