// `fleet script`: lists, shows, adds, changes and deletes scripts of the library, which `fleet run --script` runs.
import { usageError } from '../cli-error.ts'
import { paint } from '../terminal/terminal.ts'
import { type Column, formatLocalTime, formatTable } from '../terminal/text-table.ts'
import { confirm } from './confirm.ts'
import {
  callScripts,
  describeParameter,
  type Listed,
  type Parameter,
  readScript,
  readScripts,
  scriptOf,
} from './script-library.ts'
import { type FlagsOf, read, subcommand } from './subcommand.ts'
import { yesOption } from './subcommand-options.ts'

/** `edition:small|full=small`, `count:integer`, `note`: a type or the choices, and a default. */
function parameterOf(text: string): Parameter {
  const [, name = '', kind = 'text', , value] = /^([^:=]+)(?::([^=]+))?(=(.*))?$/s.exec(text) ?? []
  const type = types.find(each => each === kind)
  if (name === '' || !(type ?? kind.includes('|')))
    throw usageError(`--parameter: expected name:type=default or name:one|two, got ${text}`)
  return {
    name,
    type: type ?? 'text',
    ...(!type && { choices: kind.split('|') }),
    ...(value !== undefined && { default: value }),
  }
}

const types = ['text', 'integer', 'boolean'] as const

const columns: Column<Listed>[] = [
  'script',
  'version',
  { title: 'parameters', value: ({ parameters }) => parameters.map(describeParameter).join(' ') },
  { title: 'who may run it', value: ({ runners }) => runners.join(', ') },
  { title: 'changed', value: ({ changed }) => formatLocalTime(changed) },
  'by',
  'description',
]

const list = read({
  command: 'list',
  description: 'list scripts with their parameters',
  read: async ({ connect }) => readScripts(connect()),
  format: (scripts, { width }) => formatTable(scripts, columns, width, 'no scripts'),
})

const show = subcommand({
  command: 'show <script name>',
  description: 'show a script with its parameters and versions',
  options: {
    '--version <number>': 'an earlier version',
    '--text': 'print the script alone, for a file',
    '--json': 'print JSON',
  },
  async run({ connect, print, printJson, printUntrusted }, { version, text: isText, json }, name) {
    const script = await readScript(connect(), name, version)
    if (json) return printJson(script)
    const { text, parameters, runners, description, versions } = script
    if (!isText) {
      const whole = versions.map(each => `${each.version} of ${formatLocalTime(each.changed)} by ${each.by}`)
      const lines = [
        `${script.script}, version ${script.version} (${script.language})${description && `: ${description}`}`,
        ...parameters.map(each => `${describeParameter(each)}${each.description ? `  ${each.description}` : ''}`),
        `may be run by ${runners.length === 0 ? 'all who may send commands' : runners.join(', ')}`,
        `versions: ${whole.join('; ')}`,
      ]
      for (const line of lines) print(paint('gray', line))
    }
    printUntrusted(text.endsWith('\n') ? text : `${text}\n`)
  },
})

const contentOptions = {
  '--parameter <definition...>': "name:type=default or name:one|two=one; types: text, integer, boolean; '' for none",
  '--runner <account...>': "who may run it besides administrators, as 'user anna'; '' for all who may send commands",
  '--description <text>': 'what it is for',
  '--language <language>': { text: 'default: sh', choices: ['sh', 'powershell'] },
} as const

const runOption = 'a file of this computer with the script, or the script itself'

/** The keys of what was not typed are absent. */
const contentOf = ({ parameter, runner, description, language }: FlagsOf<typeof contentOptions>) => ({
  ...(parameter && { parameters: parameter.filter(text => text !== '').map(parameterOf) }),
  ...(runner && { runners: runner.filter(text => text !== '') }),
  ...(description !== undefined && { description }),
  ...(language !== undefined && { language }),
})

const add = subcommand({
  command: 'add <new name>',
  description: 'add a script to the library',
  options: { '--run <script>': { text: runOption, required: true }, ...contentOptions },
  help: `
In the script parameters are variables: $edition, in PowerShell $values.edition.

  fleet script add Update --run update.sh --parameter 'edition:small|full=small'
  fleet run --room "Room 1" --script Update --set edition=full`,
  async run({ connect, print }, { run, ...flags }, script) {
    await callScripts(connect(), 'add', { script, text: scriptOf(run).text, ...contentOf(flags) })
    print(`script ${script} is added (version 1)`)
  },
})

const edit = subcommand({
  command: 'edit <script name>',
  alias: 'update',
  description: 'change a script: it gets the next version, and what is not named stays',
  options: { '--run <script>': runOption, ...contentOptions },
  async run({ connect, print }, { run, ...flags }, script) {
    const api = connect()
    await callScripts(api, 'update', { script, ...(run && { text: scriptOf(run).text }), ...contentOf(flags) })
    print(`script ${script} is changed (version ${(await readScript(api, script)).version})`)
  },
})

const remove = subcommand({
  command: 'delete <script name>',
  description: 'delete a script with its versions',
  options: yesOption,
  async run(context, { yes }, script) {
    const describe = async () => `Delete the script ${script} with its versions`
    await confirm(context, yes, { where: 'script delete', needsConsent: false, describe })
    await callScripts(context.connect(), 'delete', { script })
    context.print(`script ${script} is deleted`)
  },
})

export const script = subcommand({
  command: 'script',
  description: 'list, show, add, change and delete scripts of the library',
  children: [list, show, add, edit, remove],
})
