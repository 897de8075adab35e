// Work in slices and in turns: the order of what is given, and turns for others between; what goes out in one piece.
import { suite } from 'uvu'
import { equal, is, ok, throws } from 'uvu/assert'
import { createWriteBatch } from '../../host/agents/write-batch.ts'
import { batchPerTick, createLog } from '../../host/system/log.ts'
import { createTickBatch, createTimeSlicer } from '../../host/system/time-slices.ts'

const turn = () => new Promise(setImmediate)
const slices = suite('slices')

slices('all is done in the order in which it was given, and others have turns between', async () => {
  const inSlices = createTimeSlicer()
  const done: number[] = []
  const counts: number[] = []
  const given = Array.from({ length: 1000 }, (_, index) => index)
  const told = given.map(index => inSlices(() => done.push(index)))
  is(told[0], true)
  is(told.at(-1), false)
  equal(
    told,
    given.map(index => index < done.length),
  )
  while (done.length < given.length && counts.length < given.length) {
    counts.push(done.length)
    await turn()
  }
  equal(done, given)
  ok(counts.length > 2)
  ok(counts.every((count, at) => count - (counts[at - 1] ?? 0) <= (counts[0] ?? 0)))
  await turn()
  is(
    inSlices(() => {}),
    true,
  )
})

slices('a large piece counts as several', () => {
  const inSlices = createTimeSlicer()
  is(
    inSlices(() => {}, 1_000_000),
    true,
  )
  is(
    inSlices(() => {}),
    false,
  )
})

slices('what comes while others wait goes behind them', async () => {
  const inSlices = createTimeSlicer()
  const done: string[] = []
  const fill = (name: string) => {
    for (let count = 0; inSlices(() => done.push(name)); count += 1) ok(count < 10_000)
  }
  fill('early')
  inSlices(() => {
    done.push('second')
    inSlices(() => done.push('third'))
  })
  for (let turns = 0; !done.includes('third') && turns < 10; turns += 1) await turn()
  equal([...new Set(done)], ['early', 'second', 'third'])
})

slices('work that throws keeps nobody else from their turn', async () => {
  const inSlices = createTimeSlicer()
  const done: number[] = []
  for (let count = 0; inSlices(() => {}); count += 1) ok(count < 10_000)
  const thrown = new Promise(resolve => process.once('uncaughtException', resolve))
  inSlices(() => done.push(1))
  inSlices(() => {
    throw new Error('of this piece alone')
  })
  inSlices(() => done.push(2))
  is(Object(await thrown).message, 'of this piece alone')
  for (let turns = 0; done.length < 2 && turns < 10; turns += 1) await turn()
  equal(done, [1, 2])
})

slices.run()

const outbox = suite('outbox')

outbox('what is written together goes out after the work, in its order, also when that throws', () => {
  const { write, run: together } = createWriteBatch()
  const written: string[] = []
  const to = (name: string) => ({ write: (bytes: Buffer) => written.push(`${name} ${bytes}`) })
  const [one, two] = [to('one'), to('two')]
  write(one, Buffer.from('a'))
  equal(written.splice(0), ['one a'])
  together(() => {
    write(two, Buffer.from('b'))
    write(one, Buffer.from('c'))
    write(two, Buffer.from('d'))
    equal(written, [])
  })
  equal(written.splice(0), ['two b', 'one c', 'two d'])
  throws(
    () =>
      together(() => {
        write(one, Buffer.from('e'))
        throw new Error('of this work alone')
      }),
    /of this work alone/,
  )
  equal(written.splice(0), ['one e'])
  write(two, Buffer.from('f'))
  equal(written, ['two f'])
})

outbox.run()

const turns = suite('the end of a turn')

turns('is the same for all in it, and comes after what is ready', async () => {
  const turnEnd = createTickBatch()
  const said: string[] = []
  const first = turnEnd().then(() => said.push('first'))
  process.nextTick(() => said.push('ready'))
  is(turnEnd(), turnEnd())
  const second = turnEnd().then(() => said.push('second'))
  await Promise.all([first, second])
  equal(said, ['ready', 'first', 'second'])
  await turnEnd()
})

turns.run()

const lines = suite('log lines of one turn')

lines('go out together but for the first, a warning with all before it at once', async () => {
  const written: string[] = []
  const log = createLog(
    batchPerTick(text => written.push(text)),
    { format: 'json' },
  )
  const said = () => written.map(text => text.match(/(?<="what":")\w+/g)?.join())
  log.info('a', 'one')
  equal(said(), ['one'])
  log.info('a', 'two')
  log.info('a', 'three')
  equal(said(), ['one'])
  await turn()
  equal(said(), ['one', 'two,three'])
  log.info('a', 'four')
  log.info('a', 'five')
  log.warn('a', 'six')
  equal(said(), ['one', 'two,three', 'four', 'five,six'])
  log.error('a', 'seven')
  equal(said().at(-1), 'seven')
  await turn()
  equal(said().length, 5)
})

lines.run()
