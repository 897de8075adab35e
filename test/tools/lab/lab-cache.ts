// The cache of the computers of the lab: what they restore goes there, and comes from there.
import { type Api, outputsOf } from './lab-api.ts'
import { compareFiles, linux, restoreOf, type Stage, second, third } from './lab-images.ts'
import { address } from './lab-network.ts'

const [kept, used] = ['the image is in the cache now\n', 'the image came from the cache\n']

async function expectOutputs(
  api: Api,
  expected: string[],
  route: string,
  payload: Parameters<typeof outputsOf>[2],
): Promise<void> {
  const outputs = await outputsOf(api, route, payload)
  const isSame = outputs.length === expected.length && outputs.every((output, index) => output === expected[index])
  if (!isSame) throw new Error(`expected ${JSON.stringify(expected)}, got ${JSON.stringify(outputs)}`)
}

async function expectImage(api: Api): Promise<void> {
  const [list = ''] = await outputsOf(api, 'POST /cache/list', { clients: [second] })
  if (!/KiB free\n\d+ debian$/.test(list)) throw new Error(`expected debian in the cache, got ${list}`)
}

export const cache: Stage = {
  computers: [2, 3],
  async run(lab) {
    const { api, step } = lab
    const clients = [second]
    await step('both computers report their cache', async () => {
      for (const [client, code] of [
        [second, 0xca00],
        [third, 0xca],
      ] as const) {
        const { partitions } = await api(`GET /client/setup?client=${client}`)
        const row = partitions.find((each: { partition: number }) => each.partition === 4)
        if (row?.code !== code || row?.filesystem !== 2) throw new Error(`${client}: got ${JSON.stringify(row)}`)
      }
    })
    await step('a restore by unicast fills the cache of the second one', () =>
      expectOutputs(api, [kept], 'POST /image/restore', restoreOf(clients, linux, 'UNICAST-CACHE')),
    )
    await step('the next one comes from there: all files are the same', async () => {
      await expectOutputs(api, [used], 'POST /image/restore', restoreOf(clients, linux, 'UNICAST-CACHE'))
      await compareFiles(lab, second, linux)
    })
    await step('the cache is listed, emptied, and filled by its own command', async () => {
      await expectImage(api)
      await expectOutputs(api, ['deleted: debian'], 'POST /cache/delete', { clients, images: ['debian'] })
      await expectOutputs(api, [''], 'POST /cache/fetch', { clients, name: 'debian', repository: address })
      await expectImage(api)
      await expectOutputs(api, ['deleted: debian'], 'POST /cache/delete', { clients, images: ['debian'] })
    })
    await step('multicast fills the caches of both', async () => {
      const both = restoreOf([second, third], linux, 'MULTICAST-CACHE')
      await expectOutputs(api, [kept, kept], 'POST /image/restore', both)
      if (!/image debian to 2 computers at once: sent in/.test(lab.log())) throw new Error(lab.log())
      await expectOutputs(api, [used], 'POST /image/restore', restoreOf([third], linux, 'UNICAST-CACHE'))
      await compareFiles(lab, third, linux)
    })
  },
}
