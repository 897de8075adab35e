// Writes a command file to start from: `npm run new-command -- NAME [--folder DIR]`.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { message } from '../../system/log.ts'

const builtIn = fileURLToPath(new URL('../../../commands', import.meta.url))
const types = fileURLToPath(new URL('../../command.ts', import.meta.url))

const source = (name: string) => `// Asks the listed clients for their kernel; what each of them prints is its output.
import type { Command } from 'fleet-host'

// What a caller sends, as JSON Schema. \`clients\`, \`client\`, \`ipv4\` and \`id\` are schemas with a name.
const payload = {
  type: 'object',
  required: ['clients'],
  properties: { clients: { $ref: 'clients' } },
} as const

// What an agent answers. An answer that breaks this schema is a failure of that client.
const reply = { type: 'object', properties: { out: { type: 'string' } } } as const

export default {
  summary: 'Ask clients for their kernel',
  example: { clients: ['10.1.1.20'] },
  route: 'POST /${name.replaceAll('-', '/')}',
  payload,
  // Sent to each listed client that is connected and not busy, as a shell script to run.
  forward: { to: 'POST /shell/run', body: () => ({ run: 'uname -a', echo: true }), deadline: 30 },
  reply,
  // Read it with POST /shell/output. The other rooms that a command is handed: store, wake, inventory, limits, …
  settle({ out = '' }, client, { fleet }) {
    fleet.keepOutput(client.addr, out)
  },
} satisfies Command<typeof payload, typeof reply>
`

// For editors only: the daemon reads no tsconfig.json beside a command.
const editor = `${JSON.stringify(
  {
    compilerOptions: {
      ...{ target: 'es2023', module: 'nodenext', strict: true, noEmit: true, skipLibCheck: true },
      ...{ allowImportingTsExtensions: true, erasableSyntaxOnly: true },
      paths: { 'fleet-host': [types] },
      typeRoots: [fileURLToPath(new URL('../../../node_modules/@types', import.meta.url))],
      types: ['node'],
    },
    include: ['*.ts'],
  },
  null,
  2,
)}\n`

/**
 * Writes NAME.ts, and a tsconfig.json where there is none; never over a file. Returns the exit code.
 * `here` is what a relative folder is relative to.
 */
export function newCommand(argv: string[], print: (line: string) => void, here = '.'): number {
  try {
    const { values, positionals } = parseArgs({
      args: argv,
      options: { folder: { type: 'string', default: '.' }, help: { type: 'boolean', default: false } },
      allowPositionals: true,
    })
    if (values.help) {
      print('usage: new-command NAME [--folder FOLDER]')
      return 0
    }
    const [name = '', ...more] = positionals
    if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) || more.length > 0) {
      throw new Error(`NAME: expected lower-case words with hyphens, got ${JSON.stringify(positionals.join(' '))}`)
    }
    const folder = resolve(here, values.folder)
    if (existsSync(join(builtIn, `${name}.ts`))) throw new Error(`NAME: ${name} is a built-in command`)
    mkdirSync(folder, { recursive: true })
    const file = join(folder, `${name}.ts`)
    writeFileSync(file, source(name), { flag: 'wx' })
    print(`${file}: serves POST /${name.replaceAll('-', '/')} as soon as a daemon watches ${folder}`)
    writeIfAbsent(join(folder, 'tsconfig.json'), editor)
    return 0
  } catch (error) {
    print(`new-command: ${message(error)}`)
    return 1
  }
}

function writeIfAbsent(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx' })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // npm runs scripts in the package's folder; it tells where it was called.
  process.exitCode = newCommand(process.argv.slice(2), console.log, process.env.INIT_CWD)
}
