// Checks a file system before it is copied or grows, and makes it as large as its partition.
import { runProgram } from '../machine.ts'

const isExt = (filesystem: string) => /^ext[234]$/.test(filesystem)

/** Rejects when it has errors that only a person can mend. Others need no check, or partclone refuses them. */
export async function checkFilesystem(device: string, filesystem: string, signal: AbortSignal): Promise<void> {
  if (!isExt(filesystem)) return
  try {
    await runProgram('e2fsck', ['-f', '-p', device], signal, 0)
  } catch (error) {
    // It has mended something, which is no failure.
    if (error instanceof Error && 'code' in error && error.code === 1) return
    throw error
  }
}

/** After a restore into a larger partition. Those of other file systems keep their size. */
export async function growFilesystem(device: string, filesystem: string, signal: AbortSignal): Promise<void> {
  if (isExt(filesystem)) {
    await checkFilesystem(device, filesystem, signal)
    await runProgram('resize2fs', [device], signal, 0)
  }
  // Twice: it asks nothing, and does not mind that Windows has not checked it yet.
  if (filesystem === 'ntfs')
    await runProgram('ntfsresize', ['--force', '--force', '--no-progress-bar', device], signal, 0)
}
