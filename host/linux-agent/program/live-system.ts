// What the agent reads and runs in a live system: as on Linux, but what it lists is on the disks of the computer.
import type { AgentSystem } from '../../agent-program/agent-system.ts'
import { listDisks } from './disk-list.ts'
import { createImage } from './images/create-image.ts'
import { restoreImage } from './images/restore-image.ts'
import { startSession } from './images/start-session.ts'
import { createLinuxSystem } from './linux-system.ts'
import { createSystemFiles, settleDevices } from './machine.ts'
import { readInstalled } from './partition-contents.ts'
import { setUpDisk } from './set-up-disk.ts'

export function createLiveSystem(root: string): AgentSystem {
  const files = createSystemFiles(root)
  const list = (signal: AbortSignal) => listDisks(files, signal, readInstalled)
  return {
    ...createLinuxSystem(root),
    word: 'OPG',
    keys: ['transfer'],
    actions: {
      async 'POST /setup'(body, { signal }) {
        await setUpDisk(body, signal)
        return undefined
      },
      'POST /image/create': createImage,
      async 'POST /image/restore'(body, context) {
        const { disk, partition, id } = await restoreImage(body, context)
        await settleDevices(context.signal)
        return { status: 200, body: { disk, partition, image_id: id, inventory: await list(context.signal) } }
      },
      'POST /session': startSession,
    },
    listDisks: list,
    // The packages of the live system are not those of the computer.
    listSoftware: async () => {
      throw new Error('expected an installed system, got a live system')
    },
  }
}
