// The house rules: who may import whom, and what every file keeps to.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { suite } from 'uvu'
import { equal } from 'uvu/assert'

const root = resolve(import.meta.dirname, '..')
const folders = ['host', 'commands', 'stores', 'test']
const files = folders
  .flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(name => join(folder, name)),
  )
  .filter(name => name.endsWith('.ts'))

interface Import {
  file: string
  /** A path from the root for a relative import, the name of a package otherwise. */
  from: string
  typeOnly: boolean
}

const statement = /^(?:import|export) (type )?(?:[^'"]*? from )?['"]([^'"]+)['"]/gm

function importsOf(file: string): Import[] {
  return [...read(file).matchAll(statement)].map(([, type, from = '']) => ({
    file,
    from: from.startsWith('.') ? relative(root, resolve(root, dirname(file), from)) : from,
    typeOnly: type !== undefined,
  }))
}

const read = (file: string) => readFileSync(join(root, file), 'utf8')
const imports = files.flatMap(importsOf)
const importsBelow = (folder: string) => imports.filter(({ file }) => file.startsWith(folder))
const isOwn = (from: string) => files.includes(from)
const list = (entries: Import[]) => entries.map(({ file, from }) => `${file} imports ${from}`)

const test = suite('architecture')

test('stores import stores and packages, nothing of host or commands', () => {
  equal(list(importsBelow('stores/').filter(({ from }) => isOwn(from) && !from.startsWith('stores/'))), [])
})

test('commands import types only from fleet-host, their own _name.ts and built-ins of Node', () => {
  const allowed = ({ from, typeOnly }: Import) =>
    from.startsWith('node:') || /^commands\/_[^/]+\.ts$/.test(from) || (from === 'fleet-host' && typeOnly)
  equal(list(importsBelow('commands/').filter(one => !allowed(one))), [])
})

test('the host imports types of the store only, and no adapter or command', () => {
  const allowed = ({ from, typeOnly }: Import) => from.startsWith('host/') || (from === 'stores/store.ts' && typeOnly)
  equal(list(importsBelow('host/').filter(one => isOwn(one.from) && !allowed(one))), [])
})

// From the top down: a department imports itself and what stands in a lower row.
const rows = [
  ['host/main.ts'],
  ['host/host.ts'],
  ['host/cli/', 'host/http/', 'host/api-docs/', 'host/console/'],
  ['host/assemble.ts'],
  ['host/modules/'],
  ['host/jobs/', 'host/computers/', 'host/access/'],
  ['host/schedules/', 'host/boot/', 'host/event-stream/', 'host/agents/', 'host/cluster/'],
  ['host/config/', 'host/images/', 'host/system/'],
  ['host/loaded-command.ts', 'host/refusal.ts'],
  ['host/command.ts'],
  ['host/services.ts'],
]
const rowOf = (file: string) => rows.findIndex(row => row.some(department => file.startsWith(department)))
const departmentOf = (file: string) => rows.flat().find(department => file.startsWith(department))

test('every file of the host belongs to a department', () => {
  equal(
    files.filter(file => file.startsWith('host/') && departmentOf(file) === undefined),
    [],
  )
})

test('departments import downwards only, types included', () => {
  const upwards = importsBelow('host/').filter(
    ({ file, from }) => from.startsWith('host/') && rowOf(from) < rowOf(file),
  )
  equal(list(upwards), [])
})

test('nothing imports the program', () => {
  equal(list(imports.filter(({ from }) => from === 'host/main.ts')), [])
})

test('nothing outside test imports test', () => {
  equal(list(imports.filter(({ file, from }) => from.startsWith('test/') && !file.startsWith('test/'))), [])
})

test('no file imports itself in a circle', () => {
  const reaches = new Map<string, string[]>()
  for (const { file, from } of imports) {
    if (isOwn(from)) reaches.set(file, [...(reaches.get(file) ?? []), from])
  }
  const circles = files.filter(file => {
    const seen = new Set<string>()
    const ahead = [...(reaches.get(file) ?? [])]
    for (let next = ahead.pop(); next; next = ahead.pop()) {
      if (next === file) return true
      if (!seen.has(next)) ahead.push(...(reaches.get(next) ?? []))
      seen.add(next)
    }
    return false
  })
  equal(circles, [])
})

test('every file says in its first line what it is for', () => {
  equal(
    files.filter(file => !/^(#!.*\n)?\/\/ .+/.test(read(file))),
    [],
  )
})

test('a command file has fewer than 60 lines', () => {
  const long = files.filter(file => file.startsWith('commands/') && read(file).split('\n').length > 60)
  equal(long, [])
})

test('the host knows no command by name', () => {
  const names = files
    .filter(file => file.startsWith('commands/'))
    .map(file => file.slice('commands/'.length, -'.ts'.length))
  const compared = new RegExp(`\\b(command|name|module) [!=]== '(${names.join('|')})'`)
  equal(
    files.filter(file => file.startsWith('host/') && compared.test(read(file))),
    [],
  )
})

test('types are narrowed, not asserted', () => {
  // Comments, text and imports have the word too, and so has a type that renames its keys.
  const other = /^\s*(\/\/|\*|\/\*\*|import|export (type )?\{)|['"`/].*\bas |\bin [\w ]+ as /
  const assertion = /\bas (?!const\b)[\w{([]/
  const found = files.flatMap(file =>
    read(file)
      .split('\n')
      .flatMap((line, index) => (assertion.test(line) && !other.test(line) ? [`${file}:${index + 1}`] : [])),
  )
  equal(found, [])
})

test.run()
