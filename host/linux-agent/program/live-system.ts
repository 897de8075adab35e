// What the agent reads and runs in a live system: as on Linux, but what it lists is on the disks of the computer.
import { networkInterfaces } from 'node:os'
import type { AgentSystem } from '../../agent-program/agent-system.ts'
import { listDisks } from './disk-list.ts'
import { createImage } from './images/create-image.ts'
import { restoreImage } from './images/restore-image.ts'
import { startSession } from './images/start-session.ts'
import { createLinuxSystem } from './linux-system.ts'
import { Screen } from './live-screen/screen.ts'
import { screenText } from './live-screen/screen-text.ts'
import { computerName, createSystemFiles, macOf, type SystemFiles, settleDevices } from './machine.ts'
import { readInstalled } from './partition-contents.ts'
import { setUpDisk } from './set-up-disk.ts'

export function createLiveSystem(root: string): AgentSystem {
  const files = createSystemFiles(root)
  const screen = new Screen(files.path('dev/tty1'))
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
    show(state) {
      screen.draw(screenText({ ...state, name: recordedName(files), addresses: ownAddresses(files) }))
    },
    // The packages of the live system are not those of the computer.
    listSoftware: async () => {
      throw new Error('expected an installed system, got a live system')
    },
  }
}

/** The boot file has it for computers with a record. */
const recordedName = (files: SystemFiles): string =>
  files.read('proc/cmdline').includes('systemd.hostname=') ? computerName(files) : ''

/** Each with the hardware address of its interface. */
const ownAddresses = (files: SystemFiles): string[] =>
  Object.entries(networkInterfaces()).flatMap(([name, addresses = []]) =>
    addresses
      .filter(({ family, internal }) => family === 'IPv4' && !internal)
      .map(({ address }) => `${address} ${macOf(name, files)}`),
  )
