// Stores in folders whose disk a test can fill: a simulated quota, and a small disk where the test may mount one.
import { spawnSync } from 'node:child_process'
import { type FileHandle, open, rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newFolder, openIn } from '../harness/store-folders.ts'

const size = 16 << 20

export async function openOnSmallDisk() {
  const disk = await newFolder()
  spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', disk])
  const opened = await openIn(join(disk, 'data'))
  const ballast = join(disk, 'ballast')
  return Object.assign(opened, {
    async fill(bytes = 0) {
      const { bavail, bsize } = await statfs(disk)
      await writeFile(ballast, Buffer.alloc(bavail * bsize - bytes))
    },
    free: () => rm(ballast),
    async remove() {
      await opened.store.close()
      spawnSync('umount', [disk])
      await rm(disk, { recursive: true })
    },
  })
}

/** Makes file handles write only as many bytes as are left, like a quota. */
export async function openWithQuota() {
  const opened = await openIn(await newFolder())
  let left = Number.POSITIVE_INFINITY
  const handle = await open(opened.options.path, 'r')
  const prototype: FileHandle = Object.getPrototypeOf(handle)
  await handle.close()
  const { write, truncate } = prototype
  const replaced = {
    async write(this: FileHandle, data: Buffer, from: number, length: number, at: number) {
      if (left === 0) throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
      const count = Math.min(left, length)
      left -= count
      return Reflect.apply(write, this, [data, from, count, at])
    },
    async truncate(this: FileHandle, at = 0) {
      left += (await this.stat()).size - at
      return Reflect.apply(truncate, this, [at])
    },
  }
  return Object.assign(opened, { fill, free, remove: opened.remove })

  async function fill(bytes = 0) {
    left = bytes
    Object.assign(prototype, replaced)
  }
  async function free() {
    left = Number.POSITIVE_INFINITY
    Object.assign(prototype, { write, truncate })
  }
}

const disk = await newFolder()
export const mayMount = spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', disk]).status === 0
if (mayMount) spawnSync('umount', [disk])
await rm(disk, { recursive: true })
