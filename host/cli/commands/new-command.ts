// `fleet new-command|new-hook|new-pack`: files to start from with a test, and for editors the types and a tsconfig.json.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { hasCode } from '../../system/file-system.ts'
import { version } from '../../system/version.ts'
import { CliError, orThrow, usageError } from '../cli-error.ts'
import { builtInFolder, declarationFile } from '../installation.ts'
import { subcommand } from './subcommand.ts'

const nameRule = 'lower-case words with hyphens'

const options = {
  '--folder <folder>': { text: 'where the files are written', default: '.' },
} as const

export const newCommand = subcommand({
  command: 'new-command [name]',
  argument: nameRule,
  description: 'write a command file to start from',
  options: { ...options, '--types': 'write only the types of this version, for the commands that the folder has' },
  run({ environment, print }, { folder: path, types }, name) {
    const folder = resolve(startFolder(environment), path)
    if (types && name !== undefined) throw usageError('new-command: expected NAME or --types, got both')
    if (!types) requireNewName('command', name)
    const write = () => (types ? writeTypes(folder) : writeModule('command', name, folder))
    print(orThrow(write, toError('new-command')))
  },
})

const newModule = (kind: 'hook' | 'pack', description: string) =>
  subcommand({
    command: `new-${kind} [name]`,
    argument: nameRule,
    description,
    options,
    run({ environment, print }, { folder }, name) {
      requireNewName(kind, name)
      const write = () => writeModule(kind, name, resolve(startFolder(environment), folder))
      print(orThrow(write, toError(`new-${kind}`)))
    },
  })

export const newHook = newModule('hook', 'write a hook to start from')
export const newPack = newModule('pack', 'write a pack to start from: settings, a collection, a hook and a page')

const toError = (name: string) => (reason: string) => new CliError(`${name}: ${reason}`)

/** `npm run` changes to the package's folder and passes the folder it was called in. */
function startFolder({ npm_lifecycle_event, INIT_CWD }: NodeJS.ProcessEnv): string {
  return (npm_lifecycle_event === 'new-command' && INIT_CWD) || '.'
}

function requireNewName(kind: string, name = ''): void {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
    throw usageError(`new-${kind}: NAME: expected ${nameRule}, got ${JSON.stringify(name)}`)
  if (kind === 'command' && existsSync(join(builtInFolder, `${name}.ts`)))
    throw usageError(`new-command: NAME: expected a new name, got the built-in command ${name}`)
}

/** What the name of the files, and the path of the route, are in the templates. */
const templateName = 'my-command'
const toPath = (name: string) => `/${name.replaceAll('-', '/')}`

/** What a file of a kind does as soon as a daemon watches its folder. */
const effects = {
  command: (name: string) => `serves POST ${toPath(name)}`,
  hook: () => 'runs when a job has finished',
  pack: () => 'is in service',
}

/** Writes the files of a template, never over another one. Returns a message. */
function writeModule(kind: keyof typeof effects, of = '', folder = '.'): string {
  const templates = join(import.meta.dirname, '../templates', kind)
  const into = kind === 'pack' ? join(folder, of) : folder
  mkdirSync(into, { recursive: true })
  for (const file of readdirSync(templates).toSorted(mainFirst)) {
    const text = readFileSync(join(templates, file), 'utf8')
    const written = join(into, file.replace(templateName, of))
    if (!writeIfAbsent(written, text.replaceAll(templateName, of).replaceAll(toPath(templateName), toPath(of))))
      throw new Error(`${written}: expected a new file, got an existing one`)
  }
  writeTypes(folder)
  const main = kind === 'pack' ? into : join(into, `${of}.ts`)
  return `${main}: ${effects[kind](of)} as soon as a daemon watches ${folder}; fleet test ${into} runs its test`
}

/** A command is refused because of its file, not of its test's. */
const mainFirst = (a: string, b: string) => Number(a.includes('.test.')) - Number(b.includes('.test.'))

/** Replaces the types of an earlier version, never a tsconfig.json. Returns a message. */
function writeTypes(folder: string): string {
  const file = join(folder, 'fleet-host.d.ts')
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, `${heading}${readFileSync(declarationFile, 'utf8')}`)
  writeIfAbsent(join(folder, 'tsconfig.json'), `${JSON.stringify(editorConfig, null, 2)}\n`)
  return `${file}: the types of fleet-host ${version}`
}

/** Returns whether the file is written. */
function writeIfAbsent(file: string, text: string): boolean {
  try {
    writeFileSync(file, text, { flag: 'wx' })
    return true
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
    return false
  }
}

const heading = `// Types of fleet-host ${version}, for editors. \`fleet new-command\` overwrites this file.

// Imports of Node's modules are not checked, unless @types/node is installed.
declare module 'node:*'

interface ImportMeta {
  dirname: string
  filename: string
}

`

/** For editors only: the daemon reads no tsconfig.json in a folder of commands. It names no path, so that it works anywhere. */
const editorConfig = {
  compilerOptions: {
    target: 'es2023',
    // dom has what Node and browsers share: timers, fetch, AbortSignal.
    lib: ['es2023', 'dom'],
    module: 'esnext',
    moduleResolution: 'bundler',
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    erasableSyntaxOnly: true,
  },
}
