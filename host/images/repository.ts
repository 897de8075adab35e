// The image repository: the image files in a folder of this server, and the disk that holds them.
import type { Stats } from 'node:fs'
import { statfs } from 'node:fs/promises'
import type { ImageFile, RepositoryService } from '../contract/services.ts'
import { makePublicFolder } from '../system/public-files.ts'
import { SharedRead } from '../system/shared-read.ts'
import { isImageName, statsOf } from './image-folder.ts'

/** Local time in the format of C's `ctime`, the day padded with a space: `Fri Nov  6 09:05:00 2026`. */
function ctime(time: Date): string {
  const [weekday, month, day, year, clock] = time.toString().split(' ')
  return `${weekday} ${month} ${String(Number(day)).padStart(2)} ${clock} ${year}`
}

export const describe = ({ size, mtime, mode }: Stats): ImageFile => ({
  size,
  modified: ctime(mtime),
  permissions: (mode & 0o777).toString(8),
})

/** `address` is the address of this server. Creates the directory; throws when that fails. */
export function openRepository(directory: string, address: string): RepositoryService {
  makePublicFolder(directory)
  const disk = new SharedRead(async () => {
    const { bsize, blocks, bavail } = await statfs(directory)
    return { total: bsize * blocks, free: bsize * bavail }
  })
  return {
    address,
    isValidName: isImageName,
    async file(name) {
      const stats = await statsOf(directory, name)
      return stats && describe(stats)
    },
    disk: () => disk.get(),
  }
}
