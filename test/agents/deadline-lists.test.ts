// The deadlines of requests: each is reported once, in its order, with one timer for those that are equally long.
import { suite } from 'uvu'
import { equal, ok } from 'uvu/assert'
import { Deadline, Deadlines } from '../../host/agents/deadlines.ts'

const test = suite('deadline lists')

/** Deadlines by name, and the names of those that were reported. */
function setUp() {
  const deadlines = new Deadlines()
  const reported: string[] = []
  let resolve = () => {}
  const ended = new Promise<void>(resolved => {
    resolve = resolved
  })
  class Named extends Deadline {
    readonly #name: string
    constructor(name: string) {
      super()
      this.#name = name
    }
    onDue(): void {
      reported.push(this.#name)
      ok(performance.now() >= this.due)
      if (this.#name === 'last') resolve()
    }
  }
  return { deadlines, reported, ended, named: (name: string) => new Named(name) }
}

test('those that have not ended are reported, the first one to be due first', async () => {
  const { deadlines, reported, ended, named } = setUp()
  const [first, second, third, fourth] = [named('first'), named('second'), named('third'), named('fourth')]
  for (const deadline of [first, second, third, fourth]) deadlines.set(deadline, 20)
  deadlines.set(named('shorter'), 5)
  deadlines.end(first)
  deadlines.end(third)
  deadlines.end(third)
  deadlines.set(named('last'), 40)
  await ended
  equal(reported, ['shorter', 'second', 'fourth', 'last'])
})

test('a deadline that is set again has only its new time', async () => {
  const { deadlines, reported, ended, named } = setUp()
  const [moved, other] = [named('moved'), named('other')]
  deadlines.set(moved, 10)
  deadlines.set(other, 10)
  deadlines.set(moved, 10)
  deadlines.set(named('last'), 30)
  await ended
  equal(reported, ['other', 'moved', 'last'])
})

test('one that is reported may set another one, and one that throws does not keep the others from it', async () => {
  const { deadlines, reported, ended, named } = setUp()
  class Throwing extends Deadline {
    onDue(): void {
      deadlines.set(named('last'), 10)
      throw new Error('thrown by a deadline')
    }
  }
  const thrown = new Promise<Error>(resolve => process.once('uncaughtException', resolve))
  deadlines.set(new Throwing(), 10)
  deadlines.set(named('other'), 10)
  equal((await thrown).message, 'thrown by a deadline')
  await ended
  equal(reported, ['other', 'last'])
})

test.run()
