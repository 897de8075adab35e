// GET /backup: the store as a file that `fleet store restore` loads.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match, not, ok } from 'uvu/assert'
import { readBackup } from '../../host/cli/commands/backup-file.ts'
import type { Entry } from '../../stores/store.ts'
import { openShell } from '../harness/cli-shell.ts'
import { inside, startLab } from '../harness/lab.ts'
import { token as apiToken } from '../harness/test-host.ts'

export const runs = { postgres: false }

const lab = await startLab({ scope: true, options: { store: { adapter: 'lowdb', path: './data' } } })
const { addToken } = lab
const [addr = ''] = inside
await lab.call('POST /client/update', { ip: addr, place: { row: 2, column: 3 } })
const download = join(lab.folder, 'download.jsonl')

async function entriesIn(file: string): Promise<Entry[]> {
  const entries: Entry[] = []
  for await (const entry of readBackup(file)) entries.push(entry)
  return entries
}

const test = suite('GET /backup')
test.after(() => lab.stop())

test('the response is a file with the day in its name, which nothing keeps a copy of', async () => {
  const { status, headers, text } = await lab.call('GET /backup')
  writeFileSync(download, text)
  equal([status, headers['content-type'], headers['cache-control']], [200, 'application/jsonl', 'no-store'])
  match(String(headers['content-disposition']), /^attachment; filename="fleet-\d{4}-\d{2}-\d{2}\.jsonl"$/)
  await lab.logged(/backup\.ts: backup for admin at 127\.0\.0\.1/)
})

test('it has the bytes that fleet store backup writes, apart from the time', async () => {
  const shell = openShell()
  const config = shell.write('options.json', JSON.stringify({ store: { path: join(lab.folder, 'data') } }))
  const file = join(shell.folder, 'own.jsonl')
  is((await shell.fleet('store', 'backup', file, '--config', config)).code, 0)
  const linesOf = (path: string) => readFileSync(path, 'utf8').split('\n').slice(1, -2)
  equal(linesOf(download), linesOf(file))
  shell.remove()
})

test('fleet store restore loads it into an empty store, places included', async () => {
  const shell = openShell()
  const config = shell.write('options.json', JSON.stringify({ store: { path: './data' } }))
  equal(await shell.fleet('store', 'restore', download, '--config', config), {
    code: 0,
    out: `${download} is restored\n`,
    error: '',
  })
  const copy = join(shell.folder, 'copy.jsonl')
  await shell.fleet('store', 'backup', copy, '--config', config)
  equal(await entriesIn(copy), await entriesIn(download))
  const places = (await entriesIn(copy)).flatMap(([name, row]) =>
    name === 'computers' && typeof row !== 'number' && 'place' in row ? [row.place] : [],
  )
  equal(places, [{ row: 2, column: 3 }])
  shell.remove()
})

test('it has hashes and no tokens, and a download that was cut is refused', async () => {
  const { token } = await addToken('lab', 'read')
  const { text } = await lab.call('GET /backup')
  match(text, /"hash":"[0-9a-f]{64}"/)
  not.match(text, token.slice(-43))
  not.match(text, apiToken)
  const cut = join(lab.folder, 'cut.jsonl')
  writeFileSync(cut, text.slice(0, text.length / 2))
  const refused = await entriesIn(cut).catch(error => error.message)
  match(String(refused), 'cut.jsonl: ')
})

test('only an admin without limits gets it', async () => {
  const statuses = []
  for (const [role, more] of [
    ['read', {}],
    ['operate', {}],
    ['admin', { rooms: [1] }],
    ['admin', {}],
  ] as const) {
    statuses.push(await (await addToken(`${role} ${statuses.length}`, role, more)).status('GET /backup'))
  }
  equal(statuses, [403, 403, 403, 200])
})

test('a store that fails while it is read ends the download without its last line', async () => {
  const { backupBlocks } = await import('../../host/store/backup-lines.ts')
  async function* broken(): AsyncGenerator<Entry> {
    yield ['centers', { id: 1, name: 'x'.repeat(100_000), comment: '' }]
    throw new Error('disk gone')
  }
  const blocks: string[] = []
  const reason = await (async () => {
    for await (const block of backupBlocks(broken())) blocks.push(block)
  })().catch(error => error.message)
  is(reason, 'disk gone')
  ok(blocks.length === 1 && !blocks.join('').includes('sha256'))
})

test.run()
