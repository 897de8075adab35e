// Files and folders that programs of other users read have their modes with any umask of the daemon.
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { is, throws } from 'uvu/assert'
import { openRepository } from '../../host/images/image-folder.ts'
import { makePublicFolder, writePublicFile } from '../../host/system/file-system.ts'

const folder = mkdtempSync(join(tmpdir(), 'public-files-'))
const modeOf = (path: string) => (statSync(join(folder, path)).mode & 0o777).toString(8)
const umask = process.umask(0o077)

const test = suite('public files')
test.after(() => {
  process.umask(umask)
  rmSync(folder, { recursive: true })
})

test('a folder and those above it are created with 755; existing ones keep their mode', () => {
  mkdirSync(join(folder, 'existing'))
  makePublicFolder(join(folder, 'existing/above/new'))
  is(modeOf('existing'), '700')
  is(modeOf('existing/above'), '755')
  is(modeOf('existing/above/new'), '755')
  makePublicFolder(join(folder, 'existing'))
  is(modeOf('existing'), '700')
})

test('a file is created with 644; an existing one is refused', () => {
  writePublicFile(join(folder, 'file'), 'text')
  is(modeOf('file'), '644')
  throws(() => writePublicFile(join(folder, 'file'), 'other'), /EEXIST/)
})

test('the folder of the images is created with 755', () => {
  openRepository(join(folder, 'images'), '10.1.1.1')
  is(modeOf('images'), '755')
})

test.run()
