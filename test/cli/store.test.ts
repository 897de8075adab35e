// `fleet store`: backup, restore, check, repair and copy.
import { spawnSync } from 'node:child_process'
import { createHash, randomBytes, scryptSync } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readBackup } from '../../host/cli/commands/backup-file.ts'
import openMemory from '../../stores/memory/index.ts'
import { entriesOf, everything, fill } from '../conformance/fill.ts'
import { token, user } from '../conformance/token-samples.ts'
import { openShell } from '../harness/cli-shell.ts'
import { failure, openIn, silent, takeSnapshot } from '../harness/store-folders.ts'

export const runs = { seconds: 8 }

const root = resolve(import.meta.dirname, '../..')

/** A folder with an options file whose store is in `data`; `fleet store` in this process, and as a program. */
function createSite() {
  const { folder, write, fleet, program, remove } = openShell()
  const config = write('options/options.json', JSON.stringify({ store: { path: '../data' } }))
  const file = (name: string) => join(folder, name)
  return {
    config,
    file,
    data: file('data'),
    run: (...args: string[]) => fleet('store', ...args, '--config', config),
    runProgram: (...args: string[]) => program('store', ...args, '--config', config),
    remove,
  }
}

const test = suite('store command')

test('--help lists the tasks, and --help of a task its options', async () => {
  const { run, remove } = createSite()
  const [store, restore] = await Promise.all([run('--help'), run('restore', '--help')])
  assert.equal([store.code, restore.code], [0, 0])
  assert.match(store.out, /^Usage: fleet store .*restore \[options\] <file>/s)
  assert.match(restore.out, /^Usage: fleet store restore \[options\] <file>.*--force.*--config <file>/s)
  remove()
})

test('a backup of a running store can be restored into an empty store', async () => {
  const [from, into] = [createSite(), createSite()]
  const running = await openIn(from.data)
  await fill(running.store, 'first')
  const before = await everything(running.store)
  const count = (await entriesOf(running.store)).length
  for (const name of ['plain.jsonl', 'packed.gz']) {
    const file = from.file(`backups-${name}`)
    const result = await from.runProgram('backup', file)
    assert.equal(result, { code: 0, out: `${count} entries are in ${file}\n`, error: '' })
    const { code, out } = await into.run('restore', file, '--force')
    assert.equal([code, out], [0, `${file} is restored\n`])
    const restored = await openIn(into.data)
    assert.equal(await everything(restored.store), before)
    await restored.store.close()
  }
  const files = (await readdir(from.file('.'))).filter(name => name.startsWith('backups'))
  assert.equal(files.sort(), ['backups-packed.gz', 'backups-plain.jsonl'])
  await running.store.close()
  for (const { remove } of [from, into]) remove()
})

test('a store that is not empty is only replaced with --force', async () => {
  const { file, run, data, remove } = createSite()
  const opened = await openIn(data)
  await fill(opened.store, 'first')
  await opened.store.close()
  await run('backup', file('backup.jsonl'))
  const { code, error } = await run('restore', file('backup.jsonl'))
  assert.is(code, 1)
  assert.is(error, `fleet: store lowdb in ${data}: not empty; --force replaces everything in it\n`)
  assert.is((await run('restore', file('backup.jsonl'), '--force')).code, 0)
  remove()
})

test('an incomplete or changed backup is refused and changes nothing', async () => {
  const { file, run, data, remove } = createSite()
  const opened = await openIn(data)
  await fill(opened.store, 'first')
  await opened.store.close()
  await run('backup', file('backup.jsonl'))
  const backup = await readFile(file('backup.jsonl'), 'utf8')
  const lines = backup.trimEnd().split('\n')
  await writeFile(file('short'), lines.slice(0, -1).join('\n'))
  await writeFile(file('changed'), backup.replace('first', 'other'))
  await writeFile(file('without'), lines.toSpliced(3, 1).join('\n'))
  await writeFile(file('none'), 'nonsense\n')
  const { code, error } = await run('restore', file('changed'), '--force')
  assert.is(code, 1)
  assert.is(error, `fleet: ${file('changed')}: backup incomplete or corrupt (checksum)\n`)
  const store = await opened.reopen()
  const before = await everything(store)
  for (const name of ['short', 'changed', 'without', 'none', 'missing']) {
    assert.match(await failure(store.backup.load(readBackup(file(name)))), name, name)
  }
  assert.equal(await everything(store), before)
  await store.close()
  remove()
})

test('check and repair exit with 0 only when no damage was found', async () => {
  const { run, runProgram, data, remove } = createSite()
  const opened = await openIn(data)
  await fill(opened.store, 'first')
  assert.match((await runProgram('check')).error, `in use by process ${process.pid};`)
  await opened.store.close()
  assert.is((await run('check')).code, 0)
  const journal = join(data, 'journal.0')
  const bytes = await readFile(journal)
  bytes[100] = 0
  await writeFile(journal, bytes)
  const checked = await runProgram('check')
  assert.is(checked.code, 1)
  assert.match(checked.out, `BAD   store: ${journal} is damaged at byte`)
  assert.is((await run('repair')).code, 1)
  assert.is((await run('check')).code, 0)
  remove()
})

test('copy writes everything to another adapter', async () => {
  const { file, run, data, remove } = createSite()
  const opened = await openIn(data)
  await fill(opened.store, 'first')
  const other = { adapter: 'lowdb', path: file('other') }
  const copied = await run('copy', '--to', JSON.stringify(other))
  assert.match(copied.out, `copied: lowdb in ${data}, to lowdb in ${other.path}: `)
  const count = (await opened.store.computers.list()).length
  assert.match(copied.out, new RegExp(` ${count} computers, .* \\d+ parts`))
  assert.match(
    copied.error,
    `fleet: warning: lowdb in ${data} is in use by process ${process.pid}: its writes from now`,
  )
  assert.match((await run('copy', '--to', JSON.stringify(other))).error, 'not empty')
  const target = await openIn(other.path)
  assert.equal(await everything(target.store), await everything(opened.store))
  const memory = await openMemory({ adapter: 'memory', path: '' }, silent)
  await memory.backup.load(target.store.backup.dump())
  assert.equal(await entriesOf(memory), await entriesOf(opened.store))
  await Promise.all([opened.store.close(), target.store.close()])
  remove()
})

test('files, backups and copies have the hashes of tokens and passwords, and no secret that was passed by mistake', async () => {
  const { file, run, data, remove } = createSite()
  const opened = await openIn(data)
  const [secret, password] = [randomBytes(32).toString('base64url'), randomBytes(12).toString('base64url')]
  const hash = createHash('sha256').update(secret).digest('hex')
  const salt = randomBytes(16)
  const passwordHash = `scrypt$${salt.toString('hex')}$${scryptSync(password, salt, 32).toString('hex')}`
  const secrets = { token: secret, password }
  await opened.store.tokens.add({ ...token('lab', { hash }), ...secrets })
  await opened.store.users.add({ ...user('anna', { hash: passwordHash }), ...secrets })
  assert.is((await run('backup', file('backup.jsonl'))).code, 0)
  await opened.store.close()
  await takeSnapshot(data)
  assert.is((await run('copy', '--to', JSON.stringify({ adapter: 'lowdb', path: file('other') }))).code, 0)
  const names = ['backup.jsonl', 'data/journal.0', 'data/snapshot.1', 'other/journal.0']
  for (const name of names) {
    const text = await readFile(file(name), 'latin1')
    for (const known of [hash, passwordHash]) assert.ok(text.includes(known), name)
  }
  for (const entry of await readdir(file('.'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const text = await readFile(join(entry.parentPath, entry.name), 'latin1')
    for (const unknown of [secret, password]) assert.not.ok(text.includes(unknown), entry.name)
  }
  remove()
})

test('a wrong call exits with 2, a failure with 1, and both print an error of one line', async () => {
  const { run, remove } = createSite()
  const wrongCalls = [['list'], ['backup'], ['copy'], ['copy', '--to', '{'], ['check', '--unknown']]
  const calls = [...wrongCalls, ['backup', '/x/y']]
  const results = await Promise.all(calls.map(args => run(...args)))
  for (const [index, { code, out, error }] of results.entries()) {
    assert.equal([code, out], [index < wrongCalls.length ? 2 : 1, ''])
    assert.match(error, /^fleet: .+\n$/)
  }
  const { code, out, error } = await run()
  assert.equal([code, out], [2, ''])
  assert.match(error, /^Usage: fleet store /)
  remove()
})

test('the npm script has the exit codes of the subcommand, with --config at either end', async () => {
  const { config, file, data, remove } = createSite()
  await (await openIn(data)).store.close()
  const npm = (...args: string[]) => spawnSync('npm', ['run', '--silent', 'store', '--', ...args], { cwd: root })
  const results = [npm('--config', config, 'backup', file('backup.gz')), npm('list', '--config', config)]
  const codes = results.map(({ status }) => status)
  assert.equal(codes, [0, 2], String(results[0]?.stderr))
  remove()
})

test.run()
