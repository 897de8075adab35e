// The `store` command: backup, restore, check, repair, copy.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readBackup } from '../../host/cli/commands/backup-file.ts'
import { lookAfterStore } from '../../host/cli/commands/store.ts'
import openMemory from '../../stores/memory.ts'
import { entriesOf } from '../conformance/backup.ts'
import { everything, fill } from '../conformance/fill.ts'
import { failure, newFolder, openIn, silent } from '../harness/store-folders.ts'

const command = suite('store command')

const entry = fileURLToPath(new URL('../../host/cli/commands/store.ts', import.meta.url))

/** A folder with an options file whose store lies in `data`, and the command in it: called, and as a program. */
async function site() {
  const folder = await newFolder()
  const config = join(folder, 'options.json')
  await writeFile(config, JSON.stringify({ store: { path: 'data' } }))
  const run = async (...given: string[]) => {
    let [out, error] = ['', '']
    const print = (line: string) => (out += `${line}\n`)
    const complain = (line: string) => (error += `${line}\n`)
    const code = await lookAfterStore([...given, '--config', config], print, complain)
    return { code, out, error }
  }
  const program = async (...given: string[]) => {
    const child = spawn(process.execPath, ['--import', 'tsx', entry, ...given, '--config', config])
    const ended = once(child, 'close')
    const [out, error] = await Promise.all([text(child.stdout), text(child.stderr)])
    const [code] = await ended
    return { code, out, error }
  }
  const file = (name: string) => join(folder, name)
  return { file, run, program, data: file('data'), remove: () => rm(folder, { recursive: true }) }
}

command('asked for help it says what it does', async () => {
  const { run } = await site()
  const { code, out } = await run('--help')
  assert.is(code, 0)
  assert.match(out, /^fleet store <what>.*restore FILE/s)
})

command('backs up beside a running daemon, and restores into an empty store what was there', async () => {
  const [from, into] = [await site(), await site()]
  const running = await openIn(from.data)
  await fill(running.store, 'first')
  const before = await everything(running.store)
  const count = (await entriesOf(running.store)).length
  for (const name of ['plain.jsonl', 'packed.gz']) {
    const file = from.file(name)
    assert.equal(await from.program('backup', file), { code: 0, out: `${count} entries are in ${file}\n`, error: '' })
    const { code } = await into.run('restore', file, '--force')
    assert.is(code, 0)
    const restored = await openIn(into.data)
    assert.equal(await everything(restored.store), before)
    await restored.store.close()
  }
  assert.equal((await readdir(from.file('.'))).sort(), ['data', 'options.json', 'packed.gz', 'plain.jsonl'])
  await running.store.close()
  await Promise.all([from.remove(), into.remove()])
})

command('restores only over a store that is empty, unless it is forced, and only whole backups', async () => {
  const { file, run, data, remove } = await site()
  const opened = await openIn(data)
  await fill(opened.store, 'first')
  await opened.store.close()
  const backup = file('backup.jsonl')
  await run('backup', backup)
  const whole = await readFile(backup, 'utf8')
  const lines = whole.trimEnd().split('\n')
  await writeFile(file('short'), lines.slice(0, -1).join('\n'))
  await writeFile(file('changed'), whole.replace('first', 'other'))
  await writeFile(file('without'), lines.toSpliced(3, 1).join('\n'))
  await writeFile(file('none'), 'nonsense\n')
  const full = await run('restore', backup)
  assert.is(full.error, `store: the store in ${data} is not empty; --force replaces all that is there\n`)
  const { code, error } = await run('restore', file('changed'), '--force')
  assert.is(code, 1)
  assert.is(error, `store: ${file('changed')}: is not whole\n`)
  const store = await opened.reopen()
  const before = await everything(store)
  for (const name of ['short', 'changed', 'without', 'none', 'missing']) {
    assert.match(await failure(store.backup.load(readBackup(file(name)))), name, name)
  }
  assert.equal(await everything(store), before)
  await store.close()
  await remove()
})

command('checks and repairs, and tells by its code whether all is good', async () => {
  const { run, program, data, remove } = await site()
  const opened = await openIn(data)
  await fill(opened.store, 'first')
  assert.match((await program('check')).error, `in use by process ${process.pid};`)
  await opened.store.close()
  assert.is((await run('check')).code, 0)
  const journal = join(data, 'journal.0')
  const bytes = await readFile(journal)
  bytes[100] = 0
  await writeFile(journal, bytes)
  const checked = await program('check')
  assert.is(checked.code, 1)
  assert.match(checked.out, `BAD   store: ${journal} is damaged at byte`)
  assert.is((await run('repair')).code, 1)
  assert.is((await run('check')).code, 0)
  await remove()
})

command('copies everything to another adapter', async () => {
  const { file, run, data, remove } = await site()
  const opened = await openIn(data)
  await fill(opened.store, 'first')
  const other = { adapter: 'lowdb', path: file('other') }
  assert.is((await run('copy', '--to', JSON.stringify(other))).code, 0)
  assert.match((await run('copy', '--to', JSON.stringify(other))).error, 'is not empty')
  const copied = await openIn(other.path)
  assert.equal(await everything(copied.store), await everything(opened.store))
  const memory = await openMemory({ adapter: 'memory', path: '' }, silent)
  await memory.backup.load(copied.store.backup.dump())
  assert.equal(await entriesOf(memory), await entriesOf(opened.store))
  await Promise.all([opened.store.close(), copied.store.close()])
  await remove()
})

command('says in one line what would be right when it is called wrongly', async () => {
  const { run, remove } = await site()
  const wrong = [[], ['list'], ['backup'], ['copy'], ['copy', '--to', '{'], ['check', '--unknown'], ['backup', '/x/y']]
  const answers = await Promise.all(wrong.map(given => run(...given)))
  for (const { code, out, error } of answers) {
    assert.is(code, 1)
    assert.is(out, '')
    assert.match(error, /^store: .+\n/)
    assert.not.match(error, '    at ')
  }
  await remove()
})

command.run()
