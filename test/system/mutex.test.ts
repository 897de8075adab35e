// The mutex and the timeout of promises.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { createMutex } from '../../host/system/mutex.ts'
import { withTimeout } from '../../host/system/timeout.ts'

const test = suite('mutex and timeout')

test('work of one mutex runs one at a time, in the order of the calls, also after an error', async () => {
  const exclusive = createMutex()
  const steps: string[] = []
  const work = (name: string) => async () => {
    steps.push(`${name} starts`)
    await new Promise(setImmediate)
    steps.push(`${name} ends`)
    if (name === 'two') throw new Error('thrown by two')
    return name
  }
  const results = await Promise.all([
    exclusive(work('one')),
    exclusive(work('two')).catch(error => error.message),
    exclusive(work('three')),
  ])
  equal(results, ['one', 'thrown by two', 'three'])
  equal(steps, ['one starts', 'one ends', 'two starts', 'two ends', 'three starts', 'three ends'])
})

test('a timeout rejects with its message, and passes on a result or an error that comes in time', async () => {
  const never = new Promise<string>(() => {})
  is(await withTimeout(never, 1, 'too late').catch(error => error.message), 'too late')
  is(await withTimeout(Promise.resolve('result'), 60_000, 'too late'), 'result')
  is(await withTimeout(Promise.reject(new Error('failed')), 60_000, 'too late').catch(error => error.message), 'failed')
})

test.run()
