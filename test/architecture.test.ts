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
const within = (...of: string[]) => imports.filter(({ file }) => of.some(folder => file.startsWith(folder)))
const isOwn = (from: string) => files.includes(from)
const told = (found: Import[]) => found.map(({ file, from }) => `${file} imports ${from}`)

const test = suite('architecture')

test('stores import stores and packages, nothing of host or commands', () => {
  equal(told(within('stores/').filter(({ from }) => isOwn(from) && !from.startsWith('stores/'))), [])
})

test('commands import types only from fleet-host, and built-ins of Node', () => {
  const allowed = ({ from, typeOnly }: Import) => from.startsWith('node:') || (from === 'fleet-host' && typeOnly)
  equal(told(within('commands/').filter(one => !allowed(one))), [])
})

test('the host imports types of the store only, and no adapter or command', () => {
  const allowed = ({ from, typeOnly }: Import) => from.startsWith('host/') || (from === 'stores/store.ts' && typeOnly)
  equal(told(within('host/').filter(one => isOwn(one.from) && !allowed(one))), [])
})

test('rest, modules, work and fleet import downwards only', () => {
  const order = ['host/rest/', 'host/modules/', 'host/work/', 'host/fleet/']
  const rank = (path: string) => order.findIndex(room => path.startsWith(room))
  const upwards = imports.filter(({ file, from }) => rank(file) >= 0 && rank(from) >= 0 && rank(from) < rank(file))
  equal(told(upwards), [])
})

test('site, log, events, metrics, reasons and command are leaves', () => {
  const leaf = /^host\/(site\/|(log|events|metrics|reasons|command)\.ts)/
  const allowed = ({ from, typeOnly }: Import) => leaf.test(from) || (from.startsWith('stores/') && typeOnly)
  equal(told(imports.filter(one => leaf.test(one.file) && isOwn(one.from) && !allowed(one))), [])
})

test('the rooms know neither the composition root nor the program', () => {
  const roots = ['host/main.ts', 'host/host.ts']
  const allowed = ({ file }: Import) => file.startsWith('test/') || roots.includes(file)
  equal(told(imports.filter(one => roots.includes(one.from) && !allowed(one))), [])
})

test('nothing outside test imports test', () => {
  equal(told(imports.filter(({ file, from }) => from.startsWith('test/') && !file.startsWith('test/'))), [])
})

test('no file imports itself in a circle', () => {
  const reaches = new Map<string, string[]>()
  for (const { file, from, typeOnly } of imports) {
    if (isOwn(from) && !typeOnly) reaches.set(file, [...(reaches.get(file) ?? []), from])
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
