// Makes an image of a partition: partclone reads what is in use, zstd compresses it, and the daemon gets it.
import { createHash } from 'node:crypto'
import type { ActionContext } from '../../../agent-program/agent-system.ts'
import { cutLines } from '../../../agent-program/inventory-limits.ts'
import type { AgentReply } from '../../../agent-program/messages.ts'
import { filesystemName } from '../disk-list.ts'
import { readInstalled, readPackages } from '../partition-contents.ts'
import { checkFilesystem } from './check-filesystem.ts'
import { CopyReport } from './copy-report.ts'
import { findPartition, readCopyRequest } from './copy-request.ts'
import { partcloneArguments, startPair } from './program-pair.ts'
import { TransferClient } from './transfer-client.ts'

/** The programs that know what of a file system is in use, by its name. */
const cloners: Record<string, string> = {
  ...{ ext2: 'partclone.extfs', ext3: 'partclone.extfs', ext4: 'partclone.extfs', ntfs: 'partclone.ntfs' },
  ...{ vfat: 'partclone.vfat', xfs: 'partclone.xfs', btrfs: 'partclone.btrfs', f2fs: 'partclone.f2fs' },
}

/** Rejects with the reason; the daemon then has nothing of the image. */
export async function createImage(body: unknown, context: ActionContext): Promise<AgentReply> {
  const { signal } = context
  const { disk, partition, id, name, repository, transfer } = readCopyRequest(body)
  const { device, filesystem, size } = await findPartition({ disk, partition }, signal)
  const cloner = cloners[filesystem]
  if (!cloner) {
    const expected = `${device}: expected a file system of ${Object.keys(cloners).join(', ')}`
    throw new Error(`${expected}, got ${filesystem || 'none'}`)
  }
  const client = new TransferClient(context, transfer)
  await client.describe()
  await checkFilesystem(device, filesystem, signal)
  const { os } = await readInstalled(device, filesystem, signal)
  const sha256 = await sendImage([cloner, device], client, context)
  // Inventories have whole KiB, with which the daemon compares it.
  const datasize = Math.floor(size / 1024) * 1024
  const copied = { datasize, clonator: 'PARTCLONE', compressor: 'ZSTD', filesystem: filesystemName(filesystem) }
  await client.publish({ sha256, system: os, ...copied })
  const software = cutLines([os, ...(await readPackages(device, filesystem, signal))])
  return { status: 200, body: { disk, partition, id, name, repository, software, ...copied } }
}

/** Resolves to the digest of what the daemon has. */
async function sendImage([cloner, device]: [string, string], client: TransferClient, context: ActionContext) {
  const { signal, onProgress } = context
  const report = new CopyReport(onProgress)
  const pair = startPair(
    [cloner, '--clone', '--source', device, '--output', '-', ...partcloneArguments],
    ['zstd', '--quiet', '-3', '--threads=0', '--stdout'],
    {
      signal,
      onErrors(text) {
        const percent = /Completed: {0,4}([\d.]{1,6})%/.exec(text)?.[1]
        if (percent !== undefined) report.percent = Number(percent)
      },
    },
  )
  pair.input.end()
  const hash = createHash('sha256')
  async function* slices(): AsyncGenerator<Buffer> {
    for await (const slice of pair.output) {
      hash.update(slice)
      report.add(slice.length)
      yield slice
    }
  }
  const arrived = await client.upload(slices()).catch(async error => {
    // Else they read on, and report how far they are.
    pair.output.destroy()
    await pair.ended.catch(() => {})
    throw error
  })
  await pair.ended
  const sha256 = hash.digest('hex')
  if (arrived.sha256 !== sha256)
    throw new Error(`the image was damaged on its way: expected SHA-256 ${sha256}, the daemon has ${arrived.sha256}`)
  return sha256
}
