// The README tells the truth: every command in its table, every option in its table, every script that it names.
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { suite } from 'uvu'
import { equal, ok } from 'uvu/assert'
import { loadOptions } from '../../host/config/options.ts'
import { inTableOrder, tableRow } from '../harness/command-table.ts'
import { startLab } from '../harness/test-host.ts'

const root = resolve(import.meta.dirname, '../..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const lab = await startLab()

const test = suite('README')
test.after(() => lab.stop())

test('the table of commands has every built-in command, as it is', () => {
  const rows = readme.split('\n').filter(line => /^\| `(GET|POST) \//.test(line))
  equal(rows, [...lab.host.commands()].sort(inTableOrder).map(tableRow))
})

test('the table of options has every option', () => {
  const { options } = loadOptions()
  const keys = Object.entries(options).flatMap(([section, value]) =>
    value instanceof Object && !Array.isArray(value) ? Object.keys(value).map(key => `${section}.${key}`) : [section],
  )
  equal(
    keys.filter(key => !readme.includes(`\`${key}\``)),
    [],
  )
})

test('every script that it names is there', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const named = [...readme.matchAll(/npm run (?:-s )?([\w-]+)/g)].map(([, name = '']) => name)
  equal(
    named.filter(name => !(name in scripts)),
    [],
  )
})

test('every file that it links to or runs is there', () => {
  const linked = [...readme.matchAll(/\]\(((?!http)[^)#]+)\)/g), ...readme.matchAll(/\b(test\/bench\/[\w-]+\.ts)/g)]
  ok(linked.length > 5)
  equal(
    linked.map(([, path = '']) => path).filter(path => !existsSync(join(root, path))),
    [],
  )
})

test.run()
