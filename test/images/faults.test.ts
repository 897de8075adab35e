// Restores in a lab whose clients fail in drawn ways.
import { suite } from 'uvu'
import { is } from 'uvu/assert'
import { runFaultLab } from './fault-lab.ts'

const test = suite('faults of restores')

test('every outcome is right and has its reason, a retry finishes the rest, and no slot is lost', async () => {
  const clients = 16
  const { succeeded = 0, failed = 0 } = await runFaultLab({ seed: 7, clients, slots: 3, network: '127.81' })
  is(succeeded + failed, clients)
})

test.run()
