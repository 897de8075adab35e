// `fleet new-command`: writes a command file to start from, and for editors the types and a tsconfig.json.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { hasCode } from '../../system/file-system.ts'
import { version } from '../../system/version.ts'
import { CliError, orThrow, usageError } from '../cli-error.ts'
import { builtInFolder, declarationFile } from '../installation.ts'
import { subcommand } from './subcommand.ts'

const nameRule = 'lower-case words with hyphens'

export const newCommand = subcommand({
  command: 'new-command [name]',
  argument: nameRule,
  description: 'write a command file to start from',
  options: {
    '--folder <folder>': { text: 'where the files are written', default: '.' },
    '--types': 'write only the types of this version, for the commands that the folder has',
  },
  run({ environment, print }, { folder: path, types }, name) {
    const folder = resolve(startFolder(environment), path)
    if (types && name !== undefined) throw usageError('new-command: expected NAME or --types, got both')
    if (!types) requireNewName(name)
    const write = () => (name === undefined ? writeTypes(folder) : writeCommand(name, folder))
    print(orThrow(write, reason => new CliError(`new-command: ${reason}`)))
  },
})

/** `npm run` changes to the package's folder and passes the folder it was called in. */
function startFolder({ npm_lifecycle_event, INIT_CWD }: NodeJS.ProcessEnv): string {
  return (npm_lifecycle_event === 'new-command' && INIT_CWD) || '.'
}

function requireNewName(name = ''): void {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
    throw usageError(`new-command: NAME: expected ${nameRule}, got ${JSON.stringify(name)}`)
  if (existsSync(join(builtInFolder, `${name}.ts`)))
    throw usageError(`new-command: NAME: expected a new name, got the built-in command ${name}`)
}

/** Never overwrites a command. Returns a message. */
function writeCommand(name: string, folder: string): string {
  const file = join(folder, `${name}.ts`)
  const path = `/${name.replaceAll('-', '/')}`
  mkdirSync(folder, { recursive: true })
  if (!writeIfAbsent(file, sourceOf(path))) throw new Error(`${file}: expected a new file, got an existing one`)
  writeTypes(folder)
  return `${file}: serves POST ${path} as soon as a daemon watches ${folder}`
}

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

const sourceOf = (path: string) => `// Asks the listed clients for their kernel version and keeps it as their output.
import type { Command } from 'fleet-host'

// JSON Schema of what a caller sends. \`clients\`, \`client\`, \`ipv4\` and \`id\` are common schemas.
const payload = {
  type: 'object',
  required: ['clients'],
  properties: { clients: { $ref: 'clients' } },
} as const

// JSON Schema of an agent's reply. A reply that does not match it is a failure of that client.
const reply = { type: 'object', properties: { out: { type: 'string' } } } as const

export default {
  summary: 'Ask clients for their kernel version',
  example: { clients: ['10.1.1.20'] },
  route: 'POST ${path}',
  payload,
  // Sent to each listed client that is connected and not busy, as a shell script to run.
  forward: {
    to: 'POST /shell/run',
    body: () => ({ run: 'uname -a', echo: true }),
    deadline: 30,
    reply,
    // POST /shell/output reads the output. \`payload\` and \`services\` (store, fleet, jobs, …) are in the context too.
    onReply({ reply, client }) {
      client.setOutput(reply.out ?? '')
    },
  },
} satisfies Command<typeof payload, typeof reply>
`

const heading = `// Types of fleet-host ${version}, for editors. \`fleet new-command\` overwrites this file.

// Imports of Node's modules are not checked, unless @types/node is installed.
declare module 'node:*'

`

/** For editors only: the daemon reads no tsconfig.json in a folder of commands. It names no path, so that it works anywhere. */
const editorConfig = {
  compilerOptions: {
    target: 'es2023',
    // dom has what Node and browsers share: timers, fetch, AbortSignal.
    lib: ['es2023', 'dom'],
    module: 'nodenext',
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    erasableSyntaxOnly: true,
  },
}
