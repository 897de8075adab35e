// A small version of the program slot-faults.ts.
import { suite } from 'uvu'
import { equal } from 'uvu/assert'
import { runSlotFaults } from './slot-faults.ts'

const test = suite('slots while agents fail')

test('40 restores with 4 slots, while agents die, reboot and answer late: never more than 4 run, none is lost', async () => {
  const { most, free, unfinished } = await runSlotFaults({ clients: 40, slots: 4, seed: 1 })
  equal({ most, free, unfinished }, { most: 4, free: 4, unfinished: 0 })
})

test.run()
