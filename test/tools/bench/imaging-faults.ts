// Restores an image in a lab whose clients fail in drawn ways, for many seeds: see test/images/fault-lab.ts.
//
// `node --import tsx test/tools/bench/imaging-faults.ts [--seeds 20] [--clients 100] [--slots 10]`
import { parseArgs } from 'node:util'
import { runFaultLab } from '../../images/fault-lab.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '20' },
    clients: { type: 'string', default: '100' },
    slots: { type: 'string', default: '10' },
  },
})
for (let seed = 1; seed <= Number(values.seeds); seed += 1) {
  const lab = { seed, clients: Number(values.clients), slots: Number(values.slots), network: '127.82' }
  const { succeeded, failed } = await runFaultLab(lab)
  console.log(`seed ${seed}: ${succeeded} succeeded at once, ${failed} after a retry, all slots free`)
}
