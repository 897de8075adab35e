// Which files a loaded command depends on, and when a change of them makes it outdated.
import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { TrackedFile } from '../../host/modules/tracked-file.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fleet-inputs-')))
const path = (name: string) => join(folder, name)
const write = (name: string, source: string) => writeFileSync(path(name), source)

async function load(name: string): Promise<TrackedFile> {
  const tracked = new TrackedFile({ file: path(name), origin: folder, sequence: 0, pass: 0 })
  is(await tracked.load(), 'changed')
  is(tracked.problem, undefined)
  return tracked
}

const exporting = (text: string) =>
  `export default { summary: 'x', route: 'GET /x', answer: () => ({ text: ${text} }) }\n`

const test = suite('inputs')
test.after(() => rmSync(folder, { recursive: true, force: true }))

test('one load of a file and its imports is enough, and a change of an import makes it outdated', async () => {
  write('_word.ts', "export { word } from './_deeper.ts'\n")
  write('_deeper.ts', "export const word = 'one'\n")
  write('importing.ts', `import { word } from './_word.ts'\n${exporting('word')}`)
  const tracked = await load('importing.ts')
  equal([...tracked.inputs].sort(), [path('_deeper.ts'), path('_word.ts'), path('importing.ts')])
  is(tracked.isOutdated(), false)
  write('_deeper.ts', "export const word = 'two'\n")
  is(tracked.isOutdated(), true)
  is(await tracked.load(), 'changed')
  is(tracked.isOutdated(), false)
})

test('an import that changes between its reading and the end of the load makes the file outdated', async () => {
  write('_later.ts', "export const word = 'one'\n")
  const change = `import { writeFileSync } from 'node:fs'\nwriteFileSync('${path('_later.ts')}', "export const word = 'second'")\n`
  write('changing.ts', `import { word } from './_later.ts'\n${change}${exporting('word')}`)
  is((await load('changing.ts')).isOutdated(), true)
})

test('a file that imports only types depends on itself alone, even if the file of the types is missing', async () => {
  write('types.ts', `import type { Word } from './_missing.ts'\nconst word: Word = 'x'\n${exporting('word')}`)
  const tracked = await load('types.ts')
  equal(tracked.inputs, [path('types.ts')])
  is(tracked.isOutdated(), false)
})

test('a link depends on the file that it leads to', async () => {
  write('_target.ts', exporting("'x'"))
  symlinkSync(path('_target.ts'), path('link.ts'))
  const tracked = await load('link.ts')
  equal(tracked.inputs, [path('link.ts'), path('_target.ts')])
  is(tracked.isOutdated(), false)
  write('_target.ts', exporting("'y', more: 1"))
  is(tracked.isOutdated(), true)
})

test.run()
