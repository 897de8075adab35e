// A lab with the built-in pack disk-health, whose clients report what a test sets.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pack from '../../commands/packs/disk-health/pack.ts'
import type { LabOptions, TestLab } from '../../host/contract/test-lab.ts'
import { createLab } from '../../host/test-kit/lab.ts'
import { reported } from './smart-disks.ts'

export type DiskLab = TestLab<typeof pack> & {
  /** What a client replies from now on: its disks by name. */
  report(at: number, disks: Record<string, object>, more?: object): void
  /** Asks clients now; resolves to the parts of the job. */
  ask(...at: number[]): Promise<Record<string, string>[]>
}

/** The pack is enabled. */
export async function withDisks(options: Partial<LabOptions<typeof pack>>, use: (lab: DiskLab) => Promise<void>) {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-disks-'))
  const lab = await createLab<typeof pack>({ ...options, folder, pack: 'disk-health' })
  await lab.post('/pack/enable', { pack: 'disk-health' })
  try {
    await use({
      ...lab,
      report(at, disks, more = {}) {
        const all = Object.entries(disks).map(([name, smartctl]) => reported(name, smartctl))
        lab.clients[at]?.replyTo('GET /disk/health', { disks: all, filesystems: [], ...more })
      },
      async ask(...at) {
        const clients = at.map(each => lab.addresses[each])
        const { headers } = await lab.post('/disk-health/refresh', { clients })
        return (await lab.get(`/jobs/${headers['x-job-id']}`)).json.parts
      },
    })
  } finally {
    await lab.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
