// The console judges by the clock when its event stream has to be opened again.
import { suite } from 'uvu'
import { equal } from 'uvu/assert'
import { isOverdue } from '../../host/console/app/state/overdue-stream.ts'

const second = 1000
const now = 1_790_000_000_000

const cases: [string, Parameters<typeof isOverdue>[0], number, boolean][] = [
  ['a heartbeat has just come', 'live', 0, false],
  ['the next heartbeat is due', 'live', 15, false],
  ['one heartbeat was late or lost', 'live', 34, false],
  ['two heartbeats did not come', 'live', 35, true],
  ['the machine has slept', 'live', 3600, true],
  ['the clock was corrected a little', 'live', -2, false],
  ['the clock was set back', 'live', -3600, true],
  ['a slow line is being opened', 'connecting', 14, false],
  ['nothing answers', 'connecting', 15, true],
]

const test = suite('when the event stream is overdue')

for (const [name, state, seconds, isSo] of cases) {
  test(`${name}: it is ${isSo ? 'opened again' : 'kept'}`, () => {
    equal(isOverdue(state, now - seconds * second, now), isSo)
  })
}

test.run()
