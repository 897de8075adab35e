// Loading a store's adapter: the built-in adapters, a site's own file, and modules that are not adapters.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { instance, is, unreachable } from 'uvu/assert'
import { OptionsError } from '../../host/config/options.ts'
import { loadAdapter } from '../../host/store/open-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'adapter-'))

const test = suite('store adapter')
test.after(() => rmSync(folder, { recursive: true }))

function writeAdapter(name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

async function rejectsAdapter(adapter: string): Promise<void> {
  try {
    await loadAdapter({ adapter })
  } catch (error) {
    instance(error, OptionsError)
    const expected = 'expected lowdb, memory or the path of an adapter'
    return is(error instanceof Error && error.message, `store.adapter: ${expected}, got ${adapter}`)
  }
  unreachable()
}

for (const adapter of ['lowdb', 'memory']) {
  test(`${adapter} is a built-in adapter`, async () => {
    is(typeof (await loadAdapter({ adapter })).default, 'function')
  })
}

test("a site's own adapter is a file by its absolute path", async () => {
  const adapter = writeAdapter('own.ts', 'export default async function open() {}\n')
  is(typeof (await loadAdapter({ adapter })).default, 'function')
})

for (const name of ['store', 'types', 'check-options']) {
  test(`${name} is a file of stores/ but not an adapter`, () => rejectsAdapter(name))
}

test('an unknown name is not an adapter', () => rejectsAdapter('nosql'))

test("a site's file without a default function is not an adapter", async () => {
  await rejectsAdapter(writeAdapter('named.ts', 'export async function open() {}\n'))
  await rejectsAdapter(writeAdapter('object.ts', 'export default { open() {} }\n'))
  await rejectsAdapter(join(folder, 'missing.ts'))
})

test.run()
