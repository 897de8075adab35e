// How several hosts do the work of one fleet: for any store that they can share.
import { suite } from 'uvu'
import { createManualClock } from '../../host/test-kit/manual-clock.ts'
import { startJobsLab } from '../harness/jobs-lab.ts'
import type { LabStore } from '../harness/lab-host.ts'
import { sharedQueues } from './cluster-queues.ts'
import { lostHosts } from './lost-hosts.ts'
import { queueRaces } from './queue-races.ts'
import { relayedWork } from './relayed-work.ts'
import { computer, room } from './samples.ts'
import { type HostsContext, one, three, two } from './several-hosts-context.ts'

export interface SharedStores {
  open(name: string): Promise<LabStore>
  close(): Promise<void>
}

/** `openStores` makes an empty store. */
export function testSeveralHosts(name: string, openStores: () => Promise<SharedStores>): void {
  const test = suite<HostsContext & { stores: SharedStores }>(`several hosts: ${name}`)

  test.before.each(async context => {
    context.stores = await openStores()
    context.clock = createManualClock(new Date())
    const lab = await startJobsLab(['a', 'b', 'c'], context.stores.open, context.clock)
    await lab.store.centers.add({ name: 'Center', comment: '' })
    await lab.store.rooms.add(room(1, 'Room'))
    await lab.store.computers.add([one, two, three].map(ip => computer(1, ip)))
    const [a, b, c] = lab.hosts
    if (!a || !b || !c) throw new Error('expected three hosts')
    Object.assign(context, { lab, a, b, c })
  })

  test.after.each(async ({ lab, stores }) => {
    await lab.close()
    await stores.close()
  })

  for (const [sentence, run] of Object.entries({ ...relayedWork, ...sharedQueues, ...lostHosts, ...queueRaces }))
    test(sentence, run)

  test.run()
}
