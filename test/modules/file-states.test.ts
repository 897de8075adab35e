// The quick look at command folders: nothing is scanned while nothing has changed, and a change without an event is found.
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { createLog } from '../../host/log/log.ts'
import { FolderScanner } from '../../host/modules/folder-scanner.ts'
import { Registry } from '../../host/modules/registry.ts'
import { createEvents } from '../../host/system/events.ts'
import { FileStates } from '../../host/system/file-states.ts'
import { textCommand } from '../harness/site-folder.ts'

const parent = mkdtempSync(join(tmpdir(), 'fleet-states-'))
/** Seconds since 1970; what was written just now counts as changed. */
const longAgo = 1_000_000_000

function age(...paths: string[]): void {
  for (const path of paths) utimesSync(path, longAgo, longAgo)
}

function write(path: string, text: string): string {
  writeFileSync(path, text)
  age(path)
  return path
}

const test = suite('quick look')
test.after(() => rmSync(parent, { recursive: true }))

test('a file that is written, replaced, deleted or created has changed once, and one that stays has not', () => {
  const [first, second] = [write(join(parent, 'first'), 'a'), join(parent, 'second')]
  const paths = [first, second]
  const states = new FileStates()
  const look = (change = () => {}) => {
    change()
    return [states.haveChanged(paths), states.haveChanged(paths)]
  }
  equal(look(), [true, false])
  equal(look(), [false, false])
  equal(
    look(() => void write(first, 'longer')),
    [true, false],
  )
  equal(
    look(() => renameSync(write(join(parent, 'third'), 'LONGER'), first)),
    [true, false],
  )
  equal(
    look(() => void write(second, 'b')),
    [true, false],
  )
  equal(
    look(() => rmSync(second)),
    [true, false],
  )
})

test('other paths than before, a file that was written just now, and too many files count as changed', () => {
  const [old, fresh] = [write(join(parent, 'old'), 'a'), join(parent, 'fresh')]
  const states = new FileStates()
  const look = (...paths: string[]) => states.haveChanged(paths)
  equal([look(old), look(old), look(old, parent), look(old), look(old)], [true, false, true, true, false])
  writeFileSync(fresh, 'b')
  equal([look(fresh), look(fresh), look(fresh)], [true, true, true])
  const many = Array.from({ length: 1001 }, (_, index) => join(parent, `missing-${index}`))
  equal([look(...many), look(...many)], [true, true])
})

interface Lab {
  scanner: FolderScanner
  folder: string
  /** Scans that looks have begun. */
  scans: () => number
  paths: () => string[]
}

async function openFolder(name: string): Promise<Lab> {
  const folder = join(parent, name)
  mkdirSync(folder)
  write(join(folder, 'one.ts'), textCommand('one', 'GET /one'))
  age(folder)
  const log = createLog(() => {})
  const registry = new Registry()
  const scanner = new FolderScanner({
    log,
    events: createEvents(log),
    registry,
    folders: [{ path: folder, origin: folder }],
  })
  await scanner.start()
  let scans = 0
  const refresh = scanner.refresh.bind(scanner)
  scanner.refresh = () => {
    scans += 1
    return refresh()
  }
  return { scanner, folder, scans: () => scans, paths: () => registry.commands.map(({ path }) => path) }
}

/** Looks, and waits for the scan if it has begun one. Returns whether it has. */
async function look({ scanner, scans }: Lab): Promise<boolean> {
  const before = scans()
  scanner.look()
  const hasScanned = scans() > before
  if (hasScanned) await scanner.refresh()
  return hasScanned
}

test('looks begin no scan while nothing changes, and each change without an event is found', async () => {
  const lab = await openFolder('commands')
  while (await look(lab));
  is(await look(lab), false)
  write(join(lab.folder, 'two.ts'), textCommand('two', 'GET /two'))
  age(lab.folder)
  is(await look(lab), true)
  equal(lab.paths(), ['/one', '/two'])
  while (await look(lab));
  write(join(lab.folder, 'one.ts'), textCommand('one', 'GET /changed'))
  is(await look(lab), true)
  equal(lab.paths().sort(), ['/changed', '/two'])
})

test('a link that leads to no file is looked at, as it may lead to one later', async () => {
  const lab = await openFolder('links')
  const target = join(parent, 'target.ts')
  symlinkSync(target, join(lab.folder, 'linked.ts'))
  age(lab.folder)
  while (await look(lab));
  write(target, textCommand('linked', 'GET /linked'))
  is(await look(lab), true)
  equal(lab.paths(), ['/one', '/linked'])
})

test.run()
