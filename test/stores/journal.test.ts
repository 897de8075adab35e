// The journal of the default store: which transactions share a record, and what a rotation does.
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { Journal, type JournalDeps } from '../../stores/lowdb/journal/journal.ts'
import { JournalFile } from '../../stores/lowdb/journal/journal-file.ts'
import { encode, scan } from '../../stores/lowdb/journal/record-format.ts'
import type { Transaction } from '../../stores/memory/tables/transaction.ts'

const path = mkdtempSync(join(tmpdir(), 'fleet-journal-'))

const test = suite('journal')
test.after(() => rmSync(path, { recursive: true, force: true }))

const log = { info() {}, warn() {} }
// The journal asks outputs for nothing else.
const outputs = { write: async () => {}, clean: async () => {} } as unknown as JournalDeps['outputs']
const open = async (generation: number) =>
  new Journal(await JournalFile.create(path, generation, 0), 0, { path, log, outputs, onWritten() {} })

// The journal reads nothing else of a transaction.
const adding = (name: string) =>
  ({ changes: [['centers', { id: 1, name }]], outputs: [], rollback() {} }) as unknown as Transaction

/** By record, the names that it adds. */
function namesIn(file: string): (string | undefined)[][] {
  const records: string[] = []
  scan(readFileSync(join(path, file)), json => records.push(json))
  return records.map(record => [...record.matchAll(/"name":"(.)/g)].map(([, name]) => name))
}

/** The files below the folder that this process has open. */
const openFiles = () =>
  readdirSync('/proc/self/fd').flatMap(fd => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)].filter(file => file.startsWith(path))
    } catch {
      // That of the list itself.
      return []
    }
  })

test('a rotation comes after the writes that were asked for before it, and closes their file', async () => {
  const journal = await open(0)
  const [, , , generation] = await Promise.all([
    journal.append(adding('a')),
    journal.append(adding('b')),
    journal.append(adding('c')),
    journal.rotate(),
    journal.append(adding('d')),
  ])
  is(generation, 1)
  equal([namesIn('journal.0'), namesIn('journal.1')], [[['a'], ['b', 'c']], [['d']]])
  equal(openFiles(), [join(path, 'journal.1')])
  await journal.close()
})

test('transactions that wait share a record of about a million characters, a longer one has a record of its own', async () => {
  const journal = await open(2)
  const lengths = [10, 300_000, 300_000, 300_000, 300_000, 2_000_000, 10]
  await Promise.all(lengths.map((length, index) => journal.append(adding('abcdefg'.charAt(index).repeat(length)))))
  equal(namesIn('journal.2'), [['a'], ['b', 'c', 'd'], ['e'], ['f'], ['g']])
  await journal.close()
})

test('of a last record a power cut may leave some sectors only, with NULs between them; other NULs are damage', () => {
  const first = encode('"first"', 0)
  const { record } = encode(JSON.stringify('last'.repeat(400)), first.sum)
  const intact = Buffer.concat([first.record, record])
  const starts = [first.record.length, 512, 1024, 1536]
  const damageOf = (bytes: Buffer) => scan(bytes, () => {}).damage
  for (let lost = 1; lost < 2 ** starts.length; lost += 1) {
    const left = Buffer.from(intact)
    for (const [index, start] of starts.entries()) if (lost & (1 << index)) left.fill(0, start, starts[index + 1])
    equal(damageOf(left), { at: first.record.length, torn: true }, `sectors ${lost.toString(2)} lost`)
  }
  const isTorn = (bytes: Buffer) => damageOf(bytes)?.torn
  is(isTorn(Buffer.from(intact).fill(0, 512, 1000)), false)
  is(isTorn(Buffer.concat([Buffer.from(intact).fill(0, 512, 1024), record])), false)
})

test.run()
