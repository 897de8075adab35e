// `fleet new-command`: writes a command file to start from, and a tsconfig.json for editors.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { message } from '../../system/log.ts'
import { CliError, usageError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { builtInFolder, contractFile, typeRoot } from '../installation.ts'

export function addNewCommand(program: Command, { environment, print }: CliContext): void {
  program
    .command('new-command')
    .description('write a command file to start from')
    .argument('<name>', 'lower-case words with hyphens')
    .option('--folder <folder>', 'where the file is written', '.')
    .action((name: string, { folder }: { folder: string }) => {
      requireNewName(name)
      try {
        print(writeCommand(name, resolve(startFolder(environment), folder)))
      } catch (error) {
        throw new CliError(`new-command: ${message(error)}`)
      }
    })
}

/** `npm run` changes to the package's folder and passes the folder it was called in. */
function startFolder({ npm_lifecycle_event, INIT_CWD }: NodeJS.ProcessEnv): string {
  return (npm_lifecycle_event === 'new-command' && INIT_CWD) || '.'
}

function requireNewName(name: string): void {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
    throw usageError(`new-command: NAME: expected lower-case words with hyphens, got ${JSON.stringify(name)}`)
  if (existsSync(join(builtInFolder, `${name}.ts`)))
    throw usageError(`new-command: NAME: expected a new name, got the built-in command ${name}`)
}

/** Writes NAME.ts, and tsconfig.json where there is none; never overwrites a file. Returns a message. */
function writeCommand(name: string, folder: string): string {
  const file = join(folder, `${name}.ts`)
  const path = `/${name.replaceAll('-', '/')}`
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, sourceOf(path), { flag: 'wx' })
  writeIfAbsent(join(folder, 'tsconfig.json'), `${JSON.stringify(editorConfig, null, 2)}\n`)
  return `${file}: serves POST ${path} as soon as a daemon watches ${folder}`
}

function writeIfAbsent(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx' })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}

const sourceOf = (path: string) => `// Asks the listed clients for their kernel version and keeps it as their output.
import type { Command } from 'fleet-host'

// JSON Schema of what a caller sends. \`clients\`, \`client\`, \`ipv4\` and \`id\` are shared schemas.
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

/** For editors only: the daemon reads no tsconfig.json in a folder of commands. */
const editorConfig = {
  compilerOptions: {
    target: 'es2023',
    module: 'nodenext',
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    erasableSyntaxOnly: true,
    paths: { 'fleet-host': [contractFile] },
    typeRoots: [typeRoot],
    types: ['node'],
  },
  include: ['*.ts'],
}
