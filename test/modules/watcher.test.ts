// Watching of command folders, however many files they have.
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { createLog } from '../../host/log/log.ts'
import { createLoader } from '../../host/modules/loader.ts'
import { Registry } from '../../host/modules/registry.ts'
import { FolderWatcher } from '../../host/modules/watcher.ts'
import { createEvents } from '../../host/system/events.ts'
import { pollUntil } from '../harness/poll.ts'

const manyFiles = 600
/** Seconds: an hour, so that only events cause scans. */
const never = 3600

const parent = mkdtempSync(join(tmpdir(), 'fleet-watcher-'))
const watchers: FolderWatcher[] = []
let folders = 0

interface Options {
  files: number
  inputs?: string[]
  lookInterval?: number
}

async function startWatching({ files, inputs = [], lookInterval = never }: Options) {
  folders += 1
  const folder = join(parent, `folder-${folders}`)
  mkdirSync(folder)
  for (let index = 0; index < files; index += 1) writeFileSync(join(folder, `command-${index}.ts`), '')
  const changes: string[] = []
  const lines: string[] = []
  let scans = 0
  let looks = 0
  const watcher = new FolderWatcher({
    directories: () => [folder, ...inputs],
    changed: file => changes.push(file),
    scan: () => {
      scans += 1
    },
    look: () => {
      looks += 1
      watcher.renew()
    },
    log: createLog(text => lines.push(text)),
    lookInterval,
  })
  watchers.push(watcher)
  await pollUntil(() => looks > 0)
  return { folder, changes, lines, scans: () => scans, looks: () => looks }
}

const test = suite('watcher')
test.after(() => {
  for (const watcher of watchers) watcher.close()
  rmSync(parent, { recursive: true, force: true })
})

for (const files of [1, manyFiles]) {
  test(`among ${files} files, a change and a new file cause scans`, async () => {
    const { folder, changes, scans } = await startWatching({ files })
    for (const name of ['command-0.ts', 'new.ts']) {
      const before = scans()
      writeFileSync(join(folder, name), 'changed')
      await pollUntil(() => changes.includes(join(folder, name)) && scans() > before)
    }
  })
}

test('after thousands of files were added to a small folder, a change of one of them is noticed', async () => {
  const { folder, changes, scans } = await startWatching({ files: 1 })
  for (let index = 0; index < 4 * manyFiles; index += 1) writeFileSync(join(folder, `added-${index}.ts`), '')
  await pollUntil(() => scans() > 0)
  writeFileSync(join(folder, 'command-0.ts'), 'changed')
  await pollUntil(() => changes.includes(join(folder, 'command-0.ts')))
})

test('the directories of helper files are watched too', async () => {
  const helpers = join(parent, 'helpers')
  mkdirSync(helpers)
  const { changes, lines } = await startWatching({ files: manyFiles, inputs: [helpers, join(parent, 'missing')] })
  writeFileSync(join(helpers, '_helper.ts'), 'changed')
  await pollUntil(() => changes.includes(join(helpers, '_helper.ts')))
  equal(lines, [])
})

test('a large folder that is replaced by another one is watched after the next look', async () => {
  const { folder, changes } = await startWatching({ files: manyFiles, lookInterval: 0.05 })
  renameSync(folder, `${folder}-old`)
  mkdirSync(folder)
  const file = join(folder, 'replaced.ts')
  await pollUntil(() => {
    writeFileSync(file, 'changed')
    return changes.includes(file)
  })
})

test('a directory that cannot be watched is one line in the log, however often it is tried', async () => {
  const { lines, looks } = await startWatching({ files: manyFiles, inputs: ['\0'], lookInterval: 0.01 })
  await pollUntil(() => looks() > 5)
  is(lines.filter(line => line.includes('modules: watching failed, changes are seen late: ')).length, 1)
})

test('a scan that ends after the loader was closed watches no folder again', async () => {
  const watches = () => process.getActiveResourcesInfo().filter(name => name === 'FSEventWrap').length
  const before = watches()
  const folder = join(parent, 'closed')
  mkdirSync(folder)
  const log = createLog(() => {})
  const folders = [{ path: folder, origin: folder }]
  const loader = createLoader({ log, registry: new Registry(), folders, events: createEvents(log) })
  await loader.start()
  await pollUntil(() => watches() === before + 1)
  const scan = loader.refresh()
  loader.close()
  await scan
  await pollUntil(() => watches() === before)
})

test.run()
