// The folder of the embedded store: its lock and snapshots, unused rows, and errors when it cannot be used.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Folder } from '../../stores/lowdb/adapter.ts'
import { addLab, software } from '../conformance/samples.ts'
import { contents, failure, lowdb, newFolder, openIn } from '../harness/store-folders.ts'

const test = suite('folder of the embedded store')

test('a second store is refused with one line that names the process of the first', async () => {
  const opened = await openIn(await newFolder())
  const { path } = opened.options
  assert.is(
    await failure(openIn(path)),
    `store: ${path} is in use by process ${process.pid}; stop it, or choose another path`,
  )
  await opened.reopen()
  await opened.remove()
})

test('a folder can be opened as soon as its process was killed', async () => {
  const path = await newFolder()
  const program = `const { default: open } = await import('${lowdb}')
    const store = await open({ adapter: 'lowdb', path: '${path}' }, console)
    await store.centers.add({ name: 'first', comment: '' })
    console.log('open')
    process.stdin.resume()`
  const holder = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', program])
  await once(holder.stdout, 'data')
  assert.match(await failure(openIn(path)), `in use by process ${holder.pid};`)
  holder.kill('SIGKILL')
  await once(holder, 'exit')
  const opened = await openIn(path)
  assert.is((await opened.store.scopes())[0]?.name, 'first')
  await opened.remove()
})

test('two generations of files are kept, and the snapshots contain everything older', async () => {
  const opened = await openIn(await newFolder(), { journal_bytes: 2000 })
  for (let at = 0; at < 500; at += 1) await opened.store.centers.add({ name: `center ${at}`, comment: '' })
  const again = await opened.reopen()
  assert.is((await again.scopes()).length, 500)
  const files = [...(await contents(opened.options.path)).keys()]
  const numbers = (kind: string) => files.filter(name => name.startsWith(kind)).map(name => Number(name.split('.')[1]))
  const snapshots = numbers('snapshot').sort((a, b) => a - b)
  assert.is(snapshots.length, 2)
  assert.is(Math.min(...numbers('journal')), snapshots[0])
  assert.ok((snapshots[1] ?? 0) > 2)
  await opened.remove()
})

test('ids of deleted rows are not assigned again after snapshots', async () => {
  const opened = await openIn(await newFolder(), { journal_bytes: 500 })
  let last = 0
  for (let at = 0; at < 30; at += 1) {
    const id = (await opened.store.centers.add({ name: 'again', comment: '' })) ?? 0
    assert.ok(id > last)
    last = id
    await opened.store.centers.delete(id)
    if (at % 10 === 0) await opened.reopen()
  }
  await opened.remove()
})

test('lists and strings without users are deleted', async () => {
  const opened = await openIn(await newFolder())
  await addLab(opened.store, '10.0.0.1', '10.0.0.2')
  await opened.store.inventory.setSoftware('10.0.0.1', 1, 1, software('Debian', 'vim', 'gcc'))
  await opened.store.inventory.setSoftware('10.0.0.2', 1, 1, software('Debian', 'vim', 'git'))
  await opened.store.inventory.setHardware('10.0.0.2', [{ type: 'disk', description: 'one' }])
  const sizes = async () => {
    await opened.store.close()
    const files = new Folder(opened.options, { info() {}, warn() {} })
    const { software, hardware, strings } = (await files.read()).all
    await files.close()
    await opened.reopen()
    return [software.size, hardware.size, strings.size]
  }
  assert.equal(await sizes(), [2, 1, 6])
  await opened.store.computers.delete(['10.0.0.2'])
  assert.equal(await sizes(), [1, 0, 3])
  await opened.store.computers.delete(['10.0.0.1'])
  assert.equal(await sizes(), [0, 0, 0])
  await opened.remove()
})

test('a path that is not a folder, or is not writable, is refused with one line', async () => {
  const path = await newFolder()
  const file = join(path, 'file')
  await writeFile(file, '')
  assert.match(await failure(openIn(file)), `store: cannot use ${file}: EEXIST`)
  assert.match(await failure(openIn(join(file, 'data'))), 'ENOTDIR')
  // Root may write everywhere except on a read-only file system.
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', path]).status === 0) {
    assert.match(await failure(openIn(path)), /^store: cannot use .*: EROFS: read-only file system/)
    spawnSync('umount', [path])
  }
  await rm(path, { recursive: true })
})

test('unknown and invalid options are refused', async () => {
  const path = await newFolder()
  const reason = await failure(openIn(path, { journal: 5 }))
  assert.is(reason, 'store: expected adapter, path, journal_bytes, got unknown key "journal"')
  assert.match(
    await failure(openIn(path, { journal_bytes: 'x' })),
    'store.journal_bytes: expected a number of bytes, got "x"',
  )
  await rm(path, { recursive: true })
})

test.run()
