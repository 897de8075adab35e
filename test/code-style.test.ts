// Checks what every source file must keep to besides the rules of the linter: names, first lines and type assertions.
import { basename } from 'node:path'
import { suite } from 'uvu'
import { equal } from 'uvu/assert'
import { linesOf, readSource, sourceFiles } from './harness/source-files.ts'

const test = suite('code style')

test('every file begins with a comment that names its purpose', () => {
  equal(
    sourceFiles.filter(file => !/^(#!.*\n)?\/\/ .+/.test(readSource(file))),
    [],
  )
})

test('no file has more than 220 lines, with its comments and empty lines', () => {
  equal(
    sourceFiles.filter(file => linesOf(file).length > 220),
    [],
  )
})

/** Files of host/ and stores/ that deal with the same thing in two layers. */
const sharedBasenames = [
  'service.ts',
  'index.ts',
  // Where a program starts: the daemon and the agent for Linux.
  'main.ts',
  // The inventory of computers, in the host and in the store.
  'inventory.ts',
  // Jobs: subcommands of the CLI, and the table.
  'jobs.ts',
  // The store: subcommands of the CLI, its interface, and its implementation in memory.
  'store.ts',
]

const isBrowserCode = (file: string) => file.startsWith('host/console/app/')

/** The two implementations of the store's interface: files for the same part of it have the same name. */
const isOf = (adapter: string) => (file: string) => file.startsWith(`stores/${adapter}/`)

test('no two files of host/ and stores/ have the same name, nor two files of the browser code', () => {
  const repeatedOf = (files: string[]) => {
    const names = files.map(file => basename(file))
    return names.filter((name, index) => names.indexOf(name) !== index && !sharedBasenames.includes(name))
  }
  // Of what `fleet new-…` writes, each kind has files of one name.
  const files = sourceFiles.filter(file => /^(host(?!\/cli\/templates)|stores)\//.test(file))
  for (const other of ['memory', 'postgres'].map(isOf)) {
    equal(repeatedOf(files.filter(file => !isBrowserCode(file) && !other(file))), [])
  }
  equal(repeatedOf(files.filter(isBrowserCode)), [])
})

const retiredWords =
  'Parts|Rooms|Room|News|Order|Orders|Outbox|Errand|Plan|Plans|Turn|Turns|Slice|Slices|Performable|Ready|Known|' +
  'Attempt|Claim|Stamp|Mark|Tally|Whole|Edit|Upkeep|Silence|Within|Misfit|Misuse|Given|Told|Wanted'

test('no type has a retired word as its name or at the end of it', () => {
  const declaration = new RegExp(
    `^\\s*(?:export )?(?:type|interface|class) ((?:[A-Z]\\w*)?(?:${retiredWords}))\\b`,
    'gm',
  )
  // A room of a center is a word of the domain, and so are the parts of a job.
  const domainNames = [
    'Room',
    'NewRoom',
    'RunningParts',
    'AssignedParts',
    'UnfinishedParts',
    'WaitingParts',
    'EndedParts',
  ]
  const names = sourceFiles.flatMap(file => [...readSource(file).matchAll(declaration)].map(([, name = '']) => name))
  equal(
    names.filter(name => !domainNames.includes(name)),
    [],
  )
})

/** For what is held, told or found the thing itself has a name; what is of this host is local, and not its own. */
const retiredProperties =
  'news|bells?|errands?|mirrors?|tonight|outbox|strangers?|introductions?|hello|turns?|slices?|performable|stamp|tally|' +
  'whole|upkeep|silence|misfit|misuse|given|told|wanted|found|made|kept|held|own|shared|beside'

/** Names that others have written down: in messages, options, files of a site, answers or stored data. */
const writtenProperties: Record<string, string> = {
  hello: 'the event of an agent, and its option',
  slices: 'a service of site commands',
  errands: 'a collection in journals and backups',
  kept: 'an answer of `fleet store import-ogadmbd --json`, and the records of interrupted creations',
}

/** A key of an object, of an interface or a class, with its value, type or body; or a parameter with its type. */
function propertiesOf(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*/g, '')
  const field = "(?:^\\s*|[{,(] ?)(?:readonly |static |async |get )*#?'?(\\w+)'?(?:[!?]?: | = |,$)"
  const method = '^\\s*(?:readonly |static |async |get )*#?(\\w+)(?:<[^>\\n]*>)?\\([^()\\n]*\\)(?:: [^{\\n]+| \\{$)'
  return [...code.matchAll(new RegExp(`${field}|${method}`, 'gm'))].map(([, one, other]) => one ?? other ?? '')
}

/** The last word of a name; none of `isHeld`, which is no name of a thing. */
const lastWordOf = (name: string): string =>
  /^(?:is|why|has)[A-Z]/.test(name) ? '' : (/[A-Z]?[a-z]+$/.exec(name)?.[0].toLowerCase() ?? '')

test('no property has a retired word as its name or at the end of it', () => {
  const isRetired = (name: string) => new RegExp(`^(?:${retiredProperties})$`).test(lastWordOf(name))
  const retired = sourceFiles.flatMap(file =>
    propertiesOf(readSource(file))
      .filter(isRetired)
      .map(name => ({ name, file })),
  )
  equal(
    retired.filter(({ name }) => !Object.hasOwn(writtenProperties, lastWordOf(name))),
    [],
  )
  const used = new Set(retired.map(({ name }) => lastWordOf(name)))
  equal(
    Object.keys(writtenProperties).filter(name => !used.has(name)),
    [],
  )
})

/** `as` in imports, in comments, in texts, and in mapped types is not an assertion. */
const otherAs = /^\s*(\/\/|\*|\/\*\*|import|export (type )?\{)|['"`/].*\bas |\bin [\w ]+ as /
const assertion = /\bas (?:(?:string|number|boolean|unknown|object|undefined|never|keyof|typeof|readonly)\b|[A-Z{([])/
const comment = /^\s*(\/\/|\*|\/\*\*)|\s\/\/ |\*\/$/

/** The source without what stands between the quotes of SQL, where `as` names a column. */
const withoutSql = (source: string) =>
  source.replace(/\bsql(?:<[^`]*?>)?`(?:[^`\\]|\\.)*`/gs, text => text.replace(/[^\n]/g, ' '))

test('a type assertion has its reason in a comment on the same line or the line before', () => {
  const lacking = sourceFiles.flatMap(file =>
    withoutSql(readSource(file))
      .split('\n')
      .flatMap((line, index, lines) => {
        if (!assertion.test(line.replace(/ \/\/ .*$/, '')) || otherAs.test(line)) return []
        return comment.test(line) || comment.test(lines[index - 1] ?? '') ? [] : [`${file}:${index + 1}`]
      }),
  )
  equal(lacking, [])
})

test('no value becomes `any` by a call of Object()', () => {
  const hiddenAny = /[}\]] = Object\(|(?<![\w.])Object\([^()]*(?:\([^()]*\))?\)(?:\.|\[)/
  const lines = sourceFiles
    .filter(file => file !== 'test/code-style.test.ts')
    .flatMap(file => linesOf(file).flatMap((line, index) => (hiddenAny.test(line) ? [`${file}:${index + 1}`] : [])))
  equal(lines, [])
})

test.run()
