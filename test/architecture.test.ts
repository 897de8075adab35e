// Checks which file may import which, as the departments of the host allow it.
import { dirname, relative, resolve } from 'node:path'
import { suite } from 'uvu'
import { equal } from 'uvu/assert'
import { readSource, root, sourceFiles } from './harness/source-files.ts'

interface Import {
  file: string
  /** A path relative to the root for a relative import, otherwise the name of a package. */
  from: string
  typeOnly: boolean
}

const statement = /^(?:import|export) (type )?(?:[^'"]*? from )?['"]([^'"]+)['"]/gm

function importsOf(file: string): Import[] {
  return [...readSource(file).matchAll(statement)].map(([, type, from = '']) => ({
    file,
    from: from.startsWith('.') ? relative(root, resolve(root, dirname(file), from)) : from,
    typeOnly: type !== undefined,
  }))
}

const imports = sourceFiles.flatMap(importsOf)
const importsBelow = (folder: string) => imports.filter(({ file }) => file.startsWith(folder))
const isOwn = (from: string) => sourceFiles.includes(from)
const list = (entries: Import[]) => entries.map(({ file, from }) => `${file} imports ${from}`)

const schemas = 'commands/_schemas/'

/** The shapes of the API's answers, for the programs that call it. */
const answers = 'host/contract/answers.ts'
/** The table of events, for the stream and the console. */
const events = 'host/contract/fleet-events.ts'
/** The states of parts, for commands' schemas and browsers too: the file imports nothing. */
const partStates = 'stores/rules/part-states.ts'
/** The API document, for what writes it and for the programs that read it. */
const apiDocument = 'host/contract/api-document.ts'

/** What can be written in a query, for the programs in which it is typed. */
const completeQuery = 'host/contract/complete-query.ts'
/** The times of schedules in words, for the console and the CLI. */
const recurrenceWords = 'host/contract/recurrence-words.ts'

const test = suite('architecture')

test('stores import only stores and packages', () => {
  equal(list(importsBelow('stores/').filter(({ from }) => isOwn(from) && !from.startsWith('stores/'))), [])
})

const packs = 'commands/packs/'

test('commands import only types of fleet-host, schemas of commands/_schemas/ and built-ins of Node; schemas also the states of parts', () => {
  const allowed = ({ from, typeOnly }: Import) =>
    from.startsWith('node:') || from.startsWith(schemas) || (from === 'fleet-host' && typeOnly)
  const [ofSchemas, others] = [
    importsBelow(schemas),
    importsBelow('commands/').filter(({ file }) => !file.startsWith(schemas) && !file.startsWith(packs)),
  ]
  equal(list(others.filter(each => !allowed(each))), [])
  equal(list(ofSchemas.filter(({ from }) => !from.startsWith(schemas) && from !== partStates)), [])
})

test('packs import only types of fleet-host, their own files, built-ins of Node, and their libraries', () => {
  const libraries = ['nodemailer']
  const allowed = ({ file, from, typeOnly }: Import) =>
    from.startsWith(`${packs}${file.split('/')[2]}/`) ||
    from.startsWith('node:') ||
    libraries.includes(from) ||
    (from === 'fleet-host' && typeOnly)
  equal(list(importsBelow(packs).filter(each => !allowed(each))), [])
  const loadedLater = /\b(?:import|require)\((?!'(?:nodemailer)'\))/
  const ofPacks = sourceFiles.filter(file => file.startsWith(packs))
  equal(
    ofPacks.filter(file => loadedLater.test(readSource(file))),
    [],
  )
})

test('commands/ has one file for each operation, schemas, and packs', () => {
  const isAllowed = (file: string) => /^commands\/(_schemas\/|packs\/[a-z-]+\/_?)?[a-z-]+\.ts$/.test(file)
  equal(
    sourceFiles.filter(file => file.startsWith('commands/') && !isAllowed(file)),
    [],
  )
})

test('the host imports only types and rules of the store, and no adapter or command', () => {
  const allowed = ({ from, typeOnly }: Import) =>
    from.startsWith('host/') || from.startsWith('stores/rules/') || (from === 'stores/store.ts' && typeOnly)
  const isContract = ({ file, from, typeOnly }: Import) =>
    file.startsWith('host/contract/') && from.startsWith(schemas) && typeOnly
  const others = importsBelow('host/').filter(each => each.file !== answers && !isContract(each))
  equal(list(others.filter(each => isOwn(each.from) && !allowed(each))), [])
})

test('the table of the states of parts imports nothing, as schemas of commands and browsers get it', () => {
  equal(list(importsBelow(partStates)), [])
})

test('only the table of the states of parts says which ones are unfinished', () => {
  const isSpelt =
    /'queued', 'sent'(?!, 'ended')|'sent', 'queued'|queued \+ (\w+\.)*sent|sent \+ (\w+\.)*queued|'sent' \|\| state === '/
  const product = sourceFiles.filter(file => !file.startsWith('test/'))
  equal(
    product.filter(file => isSpelt.test(readSource(file))),
    [],
  )
})

const forPrograms = [answers, events, apiDocument, completeQuery, recurrenceWords]

test('the shapes of answers, events, the API document, completion and times in words import only types, as browsers get them', () => {
  equal(list(imports.filter(({ file, typeOnly }) => forPrograms.includes(file) && !typeOnly)), [])
})

// From top to bottom: a department may import its own row and the rows below.
const rows = [
  ['host/main.ts', 'host/agent-program/', 'host/linux-agent/program/', 'host/windows-agent/program/', 'host/test-kit/'],
  ['host/host.ts'],
  ['host/cli/', 'host/http/', 'host/api-docs/', 'host/console/'],
  ['host/assemble.ts'],
  ['host/hooks/', 'host/views/', 'host/diagnosis/'],
  ['host/modules/'],
  ['host/jobs/', 'host/computers/', 'host/access/', 'host/search/', 'host/undo/', 'host/history/'],
  ['host/schedules/', 'host/boot/', 'host/event-stream/', 'host/agents/', 'host/cluster/'],
  ['host/linux-agent/', 'host/windows-agent/'],
  ['host/config/', 'host/store/', 'host/images/', 'host/live-system/', 'host/log/', 'host/system/'],
  ['host/contract/'],
]
const rowOf = (file: string) => rows.findIndex(row => row.some(department => file.startsWith(department)))

test('every file of the host belongs to a department', () => {
  equal(
    sourceFiles.filter(file => file.startsWith('host/') && rowOf(file) < 0),
    [],
  )
})

test('departments import only downwards, types included', () => {
  const upwards = importsBelow('host/').filter(
    ({ file, from }) => from.startsWith('host/') && rowOf(from) < rowOf(file),
  )
  equal(list(upwards), [])
})

const browserCode = 'host/console/app/'

test('the browser code of the console imports only itself, the types of answers, the events, the API document, completion, times in words, the states of parts and what runs in browsers', () => {
  const packages = ['preact', 'preact/hooks', '@preact/signals']
  const allowed = ({ from, typeOnly }: Import) =>
    from.startsWith(browserCode) ||
    [...packages, events, apiDocument, completeQuery, recurrenceWords, partStates].includes(from) ||
    (from === answers && typeOnly)
  equal(list(importsBelow(browserCode).filter(each => !allowed(each))), [])
})

test('nothing else of the host imports browser code', () => {
  const others = importsBelow('host/').filter(({ file }) => !file.startsWith(browserCode))
  equal(list(others.filter(({ from }) => from.startsWith(browserCode))), [])
})

/** What the agents of all systems have in common. */
const commonProgram = 'host/agent-program/'
const agentPrograms = ['host/linux-agent/program/', 'host/windows-agent/program/']
/** Chooses the one for the system on which it runs. */
const agentMain = `${commonProgram}main.ts`

for (const program of [commonProgram, ...agentPrograms]) {
  test(`${program} imports only itself, what all agents have in common, and built-ins of Node`, () => {
    const folders = [program, commonProgram, 'node:']
    const allowed = ({ from }: Import) => folders.some(folder => from.startsWith(folder))
    equal(list(importsBelow(program).filter(each => each.file !== agentMain && !allowed(each))), [])
  })

  test(`nothing of the host but agents imports ${program}`, () => {
    const importers = program === commonProgram ? [program, ...agentPrograms] : [program, agentMain]
    const others = importsBelow('host/').filter(({ file }) => !importers.some(folder => file.startsWith(folder)))
    equal(list(others.filter(({ from }) => from.startsWith(program))), [])
  })
}

test('no file imports host/main.ts', () => {
  equal(list(imports.filter(({ from }) => from === 'host/main.ts')), [])
})

test('no file outside test/ imports a file of test/', () => {
  equal(list(imports.filter(({ file, from }) => from.startsWith('test/') && !file.startsWith('test/'))), [])
})

test('no imports form a circle', () => {
  const importedBy = new Map<string, string[]>()
  for (const { file, from } of imports) {
    if (isOwn(from)) importedBy.set(file, [...(importedBy.get(file) ?? []), from])
  }
  const circles = sourceFiles.filter(file => {
    const visited = new Set<string>()
    const pending = [...(importedBy.get(file) ?? [])]
    for (let next = pending.pop(); next; next = pending.pop()) {
      if (next === file) return true
      if (!visited.has(next)) pending.push(...(importedBy.get(next) ?? []))
      visited.add(next)
    }
    return false
  })
  equal(circles, [])
})

test('the host does not compare names of commands', () => {
  const names = sourceFiles
    .filter(file => file.startsWith('commands/') && !file.startsWith(schemas))
    .map(file => file.slice('commands/'.length, -'.ts'.length))
  const comparison = new RegExp(`\\b(command|name|module) [!=]== '(${names.join('|')})'`)
  equal(
    sourceFiles.filter(file => file.startsWith('host/') && comparison.test(readSource(file))),
    [],
  )
})

test.run()
