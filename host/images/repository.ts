// The image repository: the image files in a folder of this server, and the disk that holds them.
import type { Stats } from 'node:fs'
import { stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { ImageFile, RepositoryService } from '../contract/services.ts'
import { isNotFound } from '../system/fs-errors.ts'
import { makePublicFolder } from '../system/public-files.ts'
import { SharedRead } from '../system/shared-read.ts'

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Linux limits a file name to 255 bytes; `.img` takes four. */
const nameBytes = 251

/** Local time in the format of C's `ctime`, the day padded with a space: `Fri Nov  6 09:05:00 2026`. */
function ctime(time: Date): string {
  const pad = (value: number, fill = '0') => String(value).padStart(2, fill)
  const date = `${days[time.getDay()]} ${months[time.getMonth()]} ${pad(time.getDate(), ' ')}`
  return `${date} ${pad(time.getHours())}:${pad(time.getMinutes())}:${pad(time.getSeconds())} ${time.getFullYear()}`
}

/** Whether `<name>.img` can be the name of a file. */
export const isImageName = (name: string): boolean =>
  !/[/\\\0]/.test(name) && !['', '.', '..'].includes(name) && Buffer.byteLength(name) <= nameBytes

/** Of the file of an image, undefined when it does not exist or is not a regular file. */
export async function statsOf(directory: string, name: string): Promise<Stats | undefined> {
  const stats = await stat(join(directory, `${name}.img`)).catch(error => {
    if (isNotFound(error, ['ELOOP', 'ENAMETOOLONG'])) return undefined
    throw error
  })
  return stats?.isFile() ? stats : undefined
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
