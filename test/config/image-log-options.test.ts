// The options of the logs of clients that copy images.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { loadOptions } from '../../host/config/options.ts'

const folder = mkdtempSync(join(tmpdir(), 'image-log-'))
const file = join(folder, 'options.json')

function load(log: object): object {
  writeFileSync(file, JSON.stringify({ images: { log } }))
  return loadOptions(file).options.images.log
}

function errorOf(log: object): string {
  try {
    load(log)
  } catch (error) {
    return String(error).slice(`Error: ${file}: images.log`.length)
  }
  return 'accepted'
}

const test = suite('options images.log')
test.after(() => rmSync(folder, { recursive: true }))

test('logs are read every 5 s on port 80, unless the options say otherwise', () => {
  const defaults = { off: false, port: 80, path: '/cgi-bin/LogCommand.sh', period_seconds: 5, patterns: [] }
  equal(load({}), defaults)
  const own = {
    off: true,
    port: 8890,
    path: '/log?last=1',
    period_seconds: 1.5,
    patterns: [{ means: 'progress', pattern: '(?<percent>\\d+) of 100' }],
  }
  equal(load(own), own)
})

test('an invalid value is an error of one line that names the key', () => {
  const pattern = (means: string, text: string) => errorOf({ patterns: [{ means, pattern: text }] })
  is(pattern('error', '('), '.patterns[0].pattern: expected a regular expression, got "("')
  is(pattern('progress', 'copied'), '.patterns[0].pattern: expected a group (?<percent>…), got "copied"')
  is(pattern('bad', 'x'), '.patterns[0].means: expected "error" or "done" or "progress" or "ignore", got "bad"')
  is(errorOf({ path: 'log' }), '.path: expected a path, got "log"')
  is(errorOf({ port: 0 }), '.port: expected a number >= 1, got 0')
  is(errorOf({ period_seconds: 0.5 }), '.period_seconds: expected a number >= 1, got 0.5')
  is(errorOf({ of: true }), ': expected off, got unknown key "of"')
})

test.run()
