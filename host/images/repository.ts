// The image repository: files of this server's file system, and the disk that holds them.
import { mkdirSync } from 'node:fs'
import { rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { RepositoryService } from '../services.ts'

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** A file name has 255 bytes on the file systems of Linux, four of them are `.img`. */
const nameBytes = 251

/** What `stat` says of a name that no file has; a link that leads nowhere is no file. */
const absent = ['ENOENT', 'ELOOP', 'ENAMETOOLONG']

/** Local time in the C library's form, the day padded with a space: `Fri Nov  6 09:05:00 2026`. */
export function ctime(time: Date): string {
  const two = (value: number, fill = '0') => String(value).padStart(2, fill)
  const date = `${days[time.getDay()]} ${months[time.getMonth()]} ${two(time.getDate(), ' ')}`
  return `${date} ${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())} ${time.getFullYear()}`
}

/** `address` is this server's. The directory is created; throws when it cannot be. */
export function openRepository(directory: string, address: string): RepositoryService {
  mkdirSync(directory, { recursive: true })
  return {
    address,
    isValidName: name =>
      !/[/\\\0]/.test(name) && !['', '.', '..'].includes(name) && Buffer.byteLength(name) <= nameBytes,
    async file(name) {
      const found = await stat(join(directory, `${name}.img`)).catch(error => {
        if (absent.includes(error.code)) return undefined
        throw error
      })
      if (!found?.isFile()) return undefined
      return { size: found.size, modified: ctime(found.mtime), permissions: (found.mode & 0o777).toString(8) }
    },
    remove: name => rm(join(directory, `${name}.img`), { force: true }),
    async disk() {
      const { bsize, blocks, bavail } = await statfs(directory)
      return { total: bsize * blocks, free: bsize * bavail }
    },
  }
}
