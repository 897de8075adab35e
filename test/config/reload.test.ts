// The program's log and what SIGHUP changes.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { createLog } from '../../host/system/log.ts'
import { endPrograms, newFolder, removeFolder, startProgram } from '../harness/daemon-process.ts'

const folder = newFolder()
const test = suite('log and SIGHUP')

const said = (options: Parameters<typeof createLog>[1], speak: (log: ReturnType<typeof createLog>) => void): string => {
  let text = ''
  speak(createLog(more => (text += more), options))
  return text
}

test('a line is one line whatever it says, a stack follows indented', () => {
  const text = said({}, log => log.error('a\nb', 'c\u2028d', new Error('e\nf')))
  match(text, /^\S+Z error a\\u000ab: c\\u2028d: e\\u000af\n( {2}.*\n)+$/)
})

test('as JSON a line is an object', () => {
  const lines = said({ format: 'json' }, log => {
    log.info('rest', 'x\ny')
    log.error('rest', 'broke', new Error('why'))
  })
  const [first, second] = lines
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  match(first.time, /Z$/)
  equal({ ...first, time: '' }, { time: '', level: 'info', where: 'rest', what: 'x\ny' })
  equal([second.level, second.what, second.stack.startsWith('Error: why')], ['error', 'broke: why', true])
})

test('events below the level are left out', () => {
  const speak = (log: ReturnType<typeof createLog>) => {
    log.info('x', 'info')
    log.warn('x', 'warn')
  }
  match(said({ level: 'warn' }, speak), /^\S+ warn {2}x: warn\n$/)
  is(said({ level: 'error' }, speak), '')
})

test('SIGHUP puts limits and deadlines in force, names what needs a restart, and refuses a broken file', async () => {
  const program = startProgram(folder, { args: ['--log', 'json', '--log-level', 'info'] })
  await program.says(/agents are awaited/)
  const file = join(folder, 'options.json')
  const options = JSON.parse(readFileSync(file, 'utf8'))
  const next = {
    ...options,
    limits: { response: 20 },
    deadlines: { probe: 3 },
    rest: { ...options.rest, os_states: true },
  }
  writeFileSync(file, JSON.stringify(next))
  process.kill(program.pid, 'SIGHUP')
  is(await program.says(/now in force: ([^"]*)"/), 'deadlines.probe, limits.response')
  is(await program.says(/with the next start: ([^"]*)"/), 'rest.os_states')
  writeFileSync(file, '{')
  process.kill(program.pid, 'SIGHUP')
  match(await program.says(/read again, nothing changes: ([^"]*)/), /cannot be read as JSON/)
  program.kill('SIGTERM')
  is((await program.ended).code, 0)
})

test('an unknown form of the log is refused with one line', async () => {
  const program = startProgram(folder, { args: ['--log', 'xml'] })
  is((await program.ended).code, 1)
  is(program.errors(), 'fleet-host: --log: expected text or json, got xml\n')
})

test.after(async () => {
  await endPrograms()
  removeFolder(folder)
})
test.run()
