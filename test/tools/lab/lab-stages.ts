// The stages of the lab, in their order: the first computer's system is copied to the others, which start it.
import { outputOf, succeed, untilLinux } from './lab-api.ts'
import { cache } from './lab-cache.ts'
import { faults, files } from './lab-faults.ts'
import { http } from './lab-http.ts'
import {
  compareFiles,
  fillWindows,
  first,
  keepFiles,
  linux,
  restoreOf,
  type Stage,
  second,
  third,
  windows,
} from './lab-images.ts'
import { clientOf } from './lab-network.ts'

const create: Stage = {
  computers: [1],
  async run(lab) {
    const { api, step } = lab
    await step('an image is made of the first computer', () =>
      succeed(api, 'POST /image/create', { clients: [first], ...linux, code: '131', description: 'Debian' }),
    )
    await step('what is in it is listed', () => keepFiles(lab, first, linux))
    await step('the first computer powers off', () => succeed(api, 'POST /poweroff', { clients: [first] }))
  },
}

const unicast: Stage = {
  computers: [2],
  async run(lab) {
    const { api, step } = lab
    await step('it is restored to the second one, with UEFI, whose partition is larger', () =>
      succeed(api, 'POST /image/restore', restoreOf([second], linux)),
    )
    await step('all files but those of the computer itself are the same', () => compareFiles(lab, second, linux))
  },
}

const multicast: Stage = {
  computers: [2, 3],
  async run(lab) {
    const { api, step } = lab
    await step('it is sent once to both others, with UEFI and with BIOS', async () => {
      await succeed(api, 'POST /image/restore', restoreOf([second, third], linux, 'MULTICAST'))
      if (!/image debian to 2 computers at once: sent in/.test(lab.log())) throw new Error(lab.log())
    })
    await step('all files are the same on both', async () => {
      for (const client of [second, third]) await compareFiles(lab, client, linux)
    })
  },
}

const ntfs: Stage = {
  computers: [2, 3],
  async run(lab) {
    const { api, step } = lab
    await step('an image is made of an NTFS of the second one', async () => {
      await outputOf(api, second, fillWindows)
      await keepFiles(lab, second, windows)
      await succeed(api, 'POST /image/create', { clients: [second], ...windows, code: '7', description: 'Windows' })
    })
    await step('it is restored to the third one: all files are the same', async () => {
      await succeed(api, 'POST /image/restore', restoreOf([third], windows))
      await compareFiles(lab, third, windows)
    })
  },
}

/** It starts what was restored, and powers off. */
const sessionOf = (number: number): Stage => ({
  computers: [number],
  async run({ api, step }) {
    const client = clientOf(number)
    await step(`pc-${number} starts the restored system, with the name of its record`, async () => {
      await api('POST /session', { clients: [client], disk: '1', partition: '2' })
      await untilLinux(api, client)
      const text = await outputOf(api, client, 'hostname; findmnt -no SOURCE /; cat /etc/machine-id')
      const [name, root, id = ''] = text.trim().split('\n')
      if (name !== `pc-${number}` || root !== '/dev/vda2' || !/^[0-9a-f]{32}$/.test(id) || id.startsWith('0123'))
        throw new Error(`expected pc-${number} on /dev/vda2 with a new id, got ${text}`)
    })
    await step(`pc-${number} powers off`, () => succeed(api, 'POST /poweroff', { clients: [client] }))
  },
})

export const stages: Record<string, Stage> = {
  create,
  unicast,
  multicast,
  cache,
  ntfs,
  bios: sessionOf(3),
  files,
  faults,
  uefi: sessionOf(2),
  http,
}
