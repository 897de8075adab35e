// The format of the log, and the options that SIGHUP reloads.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { createLog, type Log, type LogOptions } from '../../host/log/log.ts'
import { endPrograms, newFolder, removeFolder, startProgram } from '../harness/daemon-process.ts'

const folder = newFolder()
const test = suite('log and reload')

/** The text that a log with these options writes. */
function logged(options: LogOptions, write: (log: Log) => void): string {
  let text = ''
  write(createLog(more => (text += more), options))
  return text
}

test('line breaks in a text are escaped, and a stack follows indented', () => {
  const text = logged({}, log => log.error('a\nb', 'c\u2028d', new Error('e\nf')))
  match(text, /^\S+Z error a\\u000ab: c\\u2028d: e\\u000af\n( {2}.*\n)+$/)
})

test('in the JSON format each line is an object', () => {
  const lines = logged({ format: 'json' }, log => {
    log.info('rest', 'x\ny')
    log.error('rest', 'broke', new Error('why'))
  })
  const [first, second] = lines
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  match(first.time, /Z$/)
  equal({ ...first, time: '' }, { time: '', level: 'info', where: 'rest', what: 'x\ny', component: 'rest' })
  equal([second.level, second.what, second.stack.startsWith('Error: why')], ['error', 'broke: why', true])
})

test('events below the level are not logged', () => {
  const write = (log: Log) => {
    log.info('x', 'info')
    log.warn('x', 'warn')
  }
  match(logged({ level: 'warn' }, write), /^\S+ warn {2}x: warn\n$/)
  is(logged({ level: 'error' }, write), '')
})

test('SIGHUP applies limits and deadlines, logs the keys that need a restart, and rejects an invalid file', async () => {
  const program = startProgram(folder, { args: ['--log', 'json', '--log-level', 'info'] })
  await program.waitFor(/agent port/)
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
  is(await program.waitFor(/options applied: ([^"]*)"/), 'deadlines.probe, limits.response')
  is(await program.waitFor(/restart required for: ([^"]*)"/), 'rest.os_states')
  writeFileSync(file, '{')
  process.kill(program.pid, 'SIGHUP')
  match(await program.waitFor(/reload failed, options unchanged: ([^"]*)/), /cannot be read as JSON/)
  program.kill('SIGTERM')
  is((await program.ended).code, 0)
})

test('an unknown log format is rejected with one line', async () => {
  const program = startProgram(folder, { args: ['--log', 'xml'] })
  is((await program.ended).code, 1)
  is(program.errors(), 'fleet-host: --log: expected text or json, got xml\n')
})

test.after(async () => {
  await endPrograms()
  removeFolder(folder)
})
test.run()
