// The log: which lines of one event-loop tick are written together.
import { setImmediate as nextTick } from 'node:timers/promises'
import { suite } from 'uvu'
import { equal } from 'uvu/assert'
import { batchPerTick, createLog, message } from '../../host/log/log.ts'

const test = suite('log')

test('the first line of a tick is written at once, later ones together; a warning writes all before it', async () => {
  const written: string[] = []
  const log = createLog(
    batchPerTick(text => written.push(text)),
    { format: 'json' },
  )
  const texts = () => written.map(text => text.match(/(?<="what":")\w+/g)?.join())
  log.info('a', 'one')
  equal(texts(), ['one'])
  log.info('a', 'two')
  log.info('a', 'three')
  equal(texts(), ['one'])
  await nextTick()
  equal(texts(), ['one', 'two,three'])
  log.info('a', 'four')
  log.info('a', 'five')
  log.warn('a', 'six')
  equal(texts(), ['one', 'two,three', 'four', 'five,six'])
  log.error('a', 'seven')
  equal(texts().at(-1), 'seven')
  await nextTick()
  equal(texts().length, 5)
})

test('the message of an error names its causes, and the first attempts of several, each once', () => {
  const refused = new Error('connect ECONNREFUSED 127.0.0.1:9')
  equal(message(new TypeError('fetch failed', { cause: refused })), `fetch failed: ${refused.message}`)
  equal(message(new Error(`no answer (${refused.message})`, { cause: refused })), `no answer (${refused.message})`)
  const attempts = [refused, refused, new Error('timed out'), new Error('a fourth')]
  equal(
    message(new TypeError('fetch failed', { cause: new AggregateError(attempts) })),
    `fetch failed: ${refused.message}, timed out`,
  )
  equal(message(new Error('no', { cause: 'a text' })), "no: 'a text'")
  const endless = new Error('a')
  endless.cause = new Error('b', { cause: endless })
  equal(message(endless), 'a: b: a: b: a: b')
})

test.run()
