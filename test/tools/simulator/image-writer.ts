// Writes the files of images that simulated computers create, into the repository's folder of a daemon on this machine.
import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const bytes = 1 << 20

/** A tool that fails leaves half of the file, and no checksum. */
export function writeImage(folder: string, name: string, fails: boolean): void {
  if (!/^[\w.-]+$/.test(name)) return
  mkdirSync(folder, { recursive: true })
  const content = randomBytes(fails ? bytes / 2 : bytes)
  writeFileSync(join(folder, `${name}.img`), content)
  if (!fails) writeFileSync(join(folder, `${name}.img.full.sum`), createHash('md5').update(content).digest('hex'))
}
