// An options file that cannot be read.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { instance, match, unreachable } from 'uvu/assert'
import { loadOptions, OptionsError } from '../../host/config/options.ts'

const folder = mkdtempSync(join(tmpdir(), 'fleet-options-'))

const test = suite('options file')
test.after(() => rmSync(folder, { recursive: true }))

test('a file that is missing or a folder causes a one-line error with its path', () => {
  for (const [path, reason] of [
    [join(folder, 'none.json'), 'ENOENT'],
    [folder, 'EISDIR'],
  ] as const) {
    try {
      loadOptions(path)
      unreachable()
    } catch (error) {
      instance(error, OptionsError)
      match(String(error), new RegExp(`${path}: expected a file that can be read, got ${reason}`))
    }
  }
})

test.run()
