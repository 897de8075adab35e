// Mounts a partition for as long as something is done in it.
import { mkdtemp, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runProgram } from '../machine.ts'

/** Resolves to what `work` does with the folder; the partition is not mounted any more then. */
export async function whileMounted<Result>(
  device: string,
  mode: 'ro' | 'rw',
  signal: AbortSignal,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'fleet-partition-'))
  try {
    await runProgram('mount', ['-o', mode, device, folder], signal)
    try {
      return await work(folder)
    } finally {
      await runProgram('umount', [folder])
    }
  } finally {
    await rmdir(folder)
  }
}
