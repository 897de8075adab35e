// Why a part waits, in words.
import { suite } from 'uvu'
import { equal } from 'uvu/assert'
import { formatWait } from '../../host/cli/terminal/progress-bar.ts'

const test = suite('words for waiting parts')

test('the place, what for, and about how long', () => {
  equal(formatWait({ for: 'slot', place: 7, seconds: 1200 }), '7th for a slot, about 20 min')
  equal(formatWait({ for: 'batch', place: 1 }), '1st for the batch')
  equal(formatWait({ for: 'slot', place: 12, seconds: 20 }), '12th for a slot, about 1 min')
  equal(formatWait({ for: 'slot', place: 103, seconds: 36_000 }), '103rd for a slot, about 10 h')
  equal(formatWait({ for: 'slot' }), 'waits for a slot')
  equal(formatWait({ for: 'logout' }), 'waits for the logout')
})

test.run()
