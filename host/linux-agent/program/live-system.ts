// What the agent reads and runs in a live system: as on Linux, but what it lists is on the disks of the computer.
import type { AgentSystem } from '../../agent-program/agent-system.ts'
import { listDisks } from './disk-list.ts'
import { createLinuxSystem } from './linux-system.ts'
import { createSystemFiles } from './machine.ts'
import { readInstalled } from './partition-contents.ts'
import { setUpDisk } from './set-up-disk.ts'

const noImages = 'this live system makes and restores no images'

export function createLiveSystem(root: string): AgentSystem {
  const files = createSystemFiles(root)
  return {
    ...createLinuxSystem(root),
    word: 'OPG',
    actions: { 'POST /setup': setUpDisk },
    refusals: { 'POST /image/create': noImages, 'POST /image/restore': noImages },
    listDisks: signal => listDisks(files, signal, readInstalled),
    // The packages of the live system are not those of the computer.
    listSoftware: async () => {
      throw new Error('expected an installed system, got a live system')
    },
  }
}
