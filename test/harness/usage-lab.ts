// A lab with the built-in pack usage, whose clients run Linux.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pack from '../../commands/packs/usage/pack.ts'
import type { LabOptions } from '../../host/contract/test-lab.ts'
import { createLab } from '../../host/test-kit/lab.ts'
import { linux } from './remote-labs.ts'

export type UsageLab = Awaited<ReturnType<typeof startUsage>>

/** The pack is enabled and counts: the minutes in which it waits for agents are over. */
export async function startUsage(options: Partial<LabOptions<typeof pack>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-usage-'))
  const lab = await createLab<typeof pack>({ clients: 2, ...options, folder, pack: 'usage' })
  const accepted = async (path: string, payload?: object) => {
    const response = await lab.post(path, payload)
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${response.reason}`)
    return response
  }
  await accepted('/pack/enable', { pack: 'usage' })
  for (const client of lab.clients) client.replyTo('GET /refresh', linux)
  if (lab.addresses.length > 0) await accepted('/refresh', { clients: lab.addresses })
  await lab.advance('1 minute')
  return {
    ...lab,
    accepted,
    /** As a daemon that ends and starts so much later: nothing of what the files of the pack knew remains. */
    async pauseFor(time: string | number) {
      await accepted('/pack/disable', { pack: 'usage' })
      await lab.advance(time)
      await accepted('/pack/enable', { pack: 'usage' })
      await accepted('/hook/run', { hook: 'keep-usage' })
      await lab.settle()
    },
    usage: async (query: string) => (await lab.get(`/usage?${query}`)).json.usage,
    /** With a token for room 1 alone. */
    async limitedCaller() {
      const { json } = await accepted('/token/add', { name: 'room 1', role: 'read', rooms: [1] })
      return { Authorization: json.token }
    },
    async stop() {
      await lab.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export async function withUsage(
  options: Partial<LabOptions<typeof pack>>,
  use: (lab: UsageLab) => Promise<void>,
): Promise<void> {
  const lab = await startUsage(options)
  try {
    await use(lab)
  } finally {
    await lab.stop()
  }
}
