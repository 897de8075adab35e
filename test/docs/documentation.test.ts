// Compares README.md and docs/ with the code: tables of commands and options, scripts, and links.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { suite } from 'uvu'
import { equal, ok } from 'uvu/assert'
import { loadOptions } from '../../host/config/options.ts'
import { compareCommands, tableRow } from '../harness/command-table.ts'
import { root } from '../harness/source-files.ts'
import { startTestHost } from '../harness/test-host.ts'

const docs = readdirSync(join(root, 'docs')).filter(name => name.endsWith('.md'))
const files = ['README.md', ...docs.map(name => join('docs', name))]
const readText = (file: string) => readFileSync(join(root, file), 'utf8')
const maxReadmeLines = 200
const lab = await startTestHost()

const test = suite('documentation')
test.after(() => lab.stop())

test('the table of docs/api.md lists every built-in command as the code declares it', () => {
  const rows = readText('docs/api.md')
    .split('\n')
    .filter(line => /^\| `(GET|POST) \//.test(line))
  equal(rows, [...lab.host.registry.commands].sort(compareCommands).map(tableRow))
})

test('the table of docs/modules.md lists every event with its fields, as the contract declares them', () => {
  const common = ['id', 'time', 'clients', 'rooms', 'clients_total', 'type']
  const [, union = ''] = /type StreamEvent =\n([\s\S]*?\n) {2}export /.exec(readText('docs/fleet-host.d.ts')) ?? []
  const declared = union.split(/^ *\| \{$/m).flatMap(text => {
    const keys = [...text.matchAll(/^ {8}(\w+\??):/gm)].map(([, key = '']) => key)
    const type = /type: '([\w-]+)'/.exec(text)?.[1]
    return type === undefined ? [] : `${type} ${keys.filter(key => !common.includes(key.replace('?', ''))).sort()}`
  })
  const cells = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
  const [, section = ''] = readText('docs/modules.md').split('\n## Events\n')
  const rows = (section.split('\n## ')[0] ?? '').split('\n').filter(line => line.startsWith('| `'))
  const documented = rows.flatMap(row => {
    const [, types = '', fields = ''] = row.split('|')
    return cells(types).map(
      type =>
        `${type} ${cells(fields)
          .concat(type.startsWith('host-') ? [] : 'host?')
          .sort()}`,
    )
  })
  ok(declared.length > 30)
  equal(documented.filter(row => !row.startsWith('events-missing ')).sort(), declared.sort())
})

test('the table of docs/options.md lists every option', () => {
  const { options } = loadOptions()
  const keys = Object.entries(options).flatMap(([section, value]) =>
    value instanceof Object && !Array.isArray(value) ? Object.keys(value).map(key => `${section}.${key}`) : [section],
  )
  const text = readText('docs/options.md')
  equal(
    keys.filter(key => !text.includes(`\`${key}\``)),
    [],
  )
})

test('every npm script that a page names exists', () => {
  const { scripts } = JSON.parse(readText('package.json'))
  const missing = files.flatMap(file =>
    [...readText(file).matchAll(/npm run (?:-s |--silent )?([\w:-]+)/g)]
      .filter(([, name = '']) => !(name in scripts))
      .map(([, name]) => `${file}: ${name}`),
  )
  equal(missing, [])
})

test('every file that a page links to or runs exists', () => {
  const paths = files.flatMap(file => {
    const text = readText(file)
    const links = [...text.matchAll(/\]\(((?!http|#)[^)#]+)/g)].map(([, path = '']) => join(dirname(file), path))
    const programs = [...text.matchAll(/\b(test\/[\w/-]+\.ts)/g)].map(([, path = '']) => path)
    return [...links, ...programs].map(path => ({ file, path }))
  })
  ok(paths.length > 20)
  equal(
    paths.filter(({ path }) => !existsSync(join(root, path))),
    [],
  )
})

test('every link to a section of a page names a heading of that page', () => {
  const links = files.flatMap(file =>
    [...readText(file).matchAll(/\]\(((?!http)[^)#]*)#([^)]+)\)/g)].map(([, path = '', anchor = '']) => ({
      file,
      page: path === '' ? file : join(dirname(file), path),
      anchor,
    })),
  )
  ok(links.length > 0)
  equal(
    links.filter(({ page, anchor }) => !anchorsOf(readText(page)).includes(anchor)),
    [],
  )
})

test('the README links to every page of docs/', () => {
  const readme = readText('README.md')
  equal(
    docs.filter(name => !readme.includes(`(docs/${name})`)),
    [],
  )
})

test(`the README has at most ${maxReadmeLines} lines`, () => {
  ok(readText('README.md').split('\n').length <= maxReadmeLines)
})

test('lines of prose have at most 120 columns', () => {
  const isProse = (line: string) => !/^\s*[|#<]/.test(line) && /\s\S+\s/.test(line)
  const long = [...files, 'CHANGELOG.md'].flatMap(file => {
    const prose = readText(file).replaceAll(/^ *```[\s\S]*?^ *```$/gm, '')
    const lines = prose.split('\n').filter(line => line.length > 120 && isProse(line))
    return lines.map(line => `${file}: ${line}`)
  })
  equal(long, [])
})

test('every path of the source tree in docs/development.md exists', () => {
  const [, tree = ''] = /```\n(host\/\n[\s\S]*?)```/.exec(readText('docs/development.md')) ?? []
  let folder = ''
  const paths = tree.split('\n').flatMap(line => {
    const [, indent = '', name = ''] = /^( *)([\w./-]+)/.exec(line) ?? []
    if (name === '') return []
    if (indent === '') folder = name
    return [indent === '' ? name : join(folder, name)]
  })
  ok(paths.length > 20)
  equal(
    paths.filter(path => !existsSync(join(root, path))),
    [],
  )
})

/** The anchors of the headings, as GitHub generates them. */
const anchorsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )

test.run()
