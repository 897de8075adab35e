// `fleet run` runs a script on clients, `fleet output` shows what the last ones printed: equal outputs once.
import { existsSync } from 'node:fs'
import type { JobDetails } from '../../contract/answers.ts'
import type { ApiClient } from '../api/client.ts'
import { type ClientOutput, markRunning, readLastOutputs, readWithOutputs } from '../api/job-reader.ts'
import { ofPack } from '../api/pack-routes.ts'
import { readComputers, resolveAddresses, type ScopeFlags } from '../api/records.ts'
import { exclude, usageError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { paint } from '../terminal/terminal.ts'
import { actOptions, queueOptions, reportJobs, selectComputers, sendCommand } from './act-on-computers.ts'
import { followScript } from './follow-script.ts'
import { printResults, showEnd } from './job-results.ts'
import { printOutputs } from './print-outputs.ts'
import { isFileHere, libraryRun, type ScriptFlags, scriptOf, scriptOptions, timeoutOf } from './script-library.ts'
import { subcommand } from './subcommand.ts'
import { scopeOptions } from './subcommand-options.ts'

const help = `
One argument is a script: 'df -h | tail -1'. Several are a command and its
arguments, which may have spaces. The script stands behind --, or before the
options: --room and --client take all words that follow them.

  fleet run lab-r01-c01 -- uptime
  fleet run --room "Room 1" -- uname -a
  fleet run 'uname -a' --room "Room 1"
  fleet run --where 'os:debian seen<1d' -- apt list --upgradable
  fleet run --client lab-r01-c01 lab-r01-c02 -- 'df -h | tail -1'
  fleet run --room "Room 1" --run update.sh
  fleet run --room "Room 1" --script Update --set edition=full`

const runOptions = {
  ...actOptions,
  ...queueOptions,
  ...scriptOptions,
  '--follow': 'print what scripts print while they run, where agents send it; else when each has ended',
  '--wake': 'wake computers that are off; implies --queue',
  '--timeout <time>': 'end it after 30s, 10m or 2h; default: it fails after 15 minutes, and runs on',
  '--ignore-status': 'an exit code that is not 0 is a success, too',
  '--json': 'print the job with its outputs as JSON',
} as const

export const run = subcommand({
  command: 'run [script...]',
  description: 'run a script on clients, wait, and print its output',
  usage: '[options] [computer...] -- <script>, or --run <file>, or --script <name>',
  options: runOptions,
  help,
  async run(context, { json, ignoreStatus, timeout, follow, run, script, set, ...flags }, args) {
    exclude('run', { follow, json }, 'follow', 'json')
    const api = context.connect()
    const typed = context.wordsAfterDashes ?? (run === undefined && script === undefined ? args : [])
    refuseUnlessOne(typed, { run, script })
    if (context.wordsAfterDashes === undefined) refuseWithoutDashes(typed, flags)
    const text = run === undefined ? joinWords(typed) : scriptOf(run).text
    const clients = await selectComputers(context, 'run', args.slice(0, args.length - typed.length), flags)
    const payload = {
      clients,
      ...(script === undefined ? { run: text, echo: true } : libraryRun(script, set)),
      ignore_status: ignoreStatus,
      timeout: timeout === undefined ? undefined : timeoutOf(timeout),
    }
    const send = () =>
      script === undefined
        ? sendCommand(context, 'POST /shell/run', payload, { ...flags, json })
        : ofPack('scripts', () => sendCommand(context, 'POST /script/run', payload, { ...flags, json }))
    const id = follow && !flags.dryRun ? await followScript(context, clients, send) : await send()
    if (follow)
      return showEnd(context, id, async job => {
        await printResults(context, job, 'before')
        if (clients.length > 1) context.print(paint('gray', `fleet job ${id} --output prints equal outputs once`))
        hintAtFile(context, typed, job)
      })
    if (flags.wait === false || flags.queue || flags.until !== undefined || flags.wake)
      return reportJobs(context, { ...flags, json }, { jobs: [id], done: 'run it' })
    await showEnd(context, id, async job => {
      if (json) context.printJson(await readWithOutputs(api, job))
      else await printResults(context, job, 'first')
      hintAtFile(context, typed, job)
    })
  },
})

/** Behind a whole script they would be words for its last command. */
const ownOptions = Object.keys(runOptions).map(flags => flags.replace(/ .*/, ''))

const noScript =
  'run: expected a script, got none: --room and --client take all words up to --, as in fleet run --room "Room 1" -- hostname'

function refuseUnlessOne(typed: readonly string[], { run, script }: ScriptFlags): void {
  const count = [typed.length > 0, run !== undefined, script !== undefined].filter(Boolean).length
  if (count === 0) throw usageError(noScript)
  if (count > 1) throw usageError('run: expected one of a script after --, --run and --script, got several')
  const [word = '', ...others] = typed
  if (others.length === 0 && isFileHere(word)) throw usageError(fileWords(word))
  const option = word.includes(' ') && others.find(other => ownOptions.includes(other))
  if (option) throw usageError(`run: ${option} stands behind --, where all words are the script: write it before --`)
}

/** Of several words without options and `--` nobody knows which are computers. */
function refuseWithoutDashes([first = '', ...others]: readonly string[], flags: ScopeFlags): void {
  const { client, room, center, where, group } = flags
  if (others.length === 0 || [client, room, center, where, group].some(Boolean)) return
  const words = [first, ...others]
  const file = words.find(isFileHere)
  const rest = words.filter(word => word !== file).join(' ')
  const meant = file === undefined ? `${first} -- ${others.join(' ')}` : `${rest} --run ${file}`
  throw usageError(
    `run: expected computers, then -- and a script, or --run and a file; maybe meant: fleet run ${meant}`,
  )
}

const fileWords = (file: string) =>
  `run: ${file} is a file here, which clients do not have: to run what is in it, --run ${file}`

/** Other names of files may be those of commands: they are sent, and clients may not know them. */
function hintAtFile(
  { printError }: CliContext,
  [word = '', ...others]: readonly string[],
  { parts }: JobDetails,
): void {
  const isUnknown = parts.some(({ reason }) => reason === 'exit code 127')
  if (isUnknown && others.length === 0 && existsSync(word)) printError(`fleet: ${fileWords(word)}`)
}

/** A shell on the client parses the script: arguments with other characters than these are quoted for it. */
function joinWords(args: string[]): string {
  if (args.length === 1) return args.join()
  return args.map(arg => (/^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", "'\\''")}'`)).join(' ')
}

export const output = subcommand({
  command: 'output [computer...]',
  argument: 'their names or addresses',
  description: 'show the output of the last script: of the selected computers, or of all connected ones',
  options: { ...scopeOptions, '--json': 'print JSON' },
  async run(context, { json, client = [], ...flags }, words: string[]) {
    const { connect, print, printJson } = context
    const outputs = await readOutputs(connect(), { ...flags, client: [...words, ...client] })
    if (json)
      printJson({
        clients: outputs.map(({ client, output, since }) => ({ addr: client, output, running_since: since })),
      })
    else if (outputs.length === 0) print('no clients')
    else printOutputs(context, outputs, await readComputers(connect()))
  },
})

/** Outputs of the daemon's memory; where it has none, those that are stored with jobs. */
async function readOutputs(api: ApiClient, flags: ScopeFlags): Promise<ClientOutput[]> {
  const selected = await resolveAddresses(api, flags)
  const listAll = async () => (await api.call('GET /clients')).body.clients.map(({ addr }) => addr)
  const clients = selected.length > 0 ? selected : await listAll()
  if (clients.length === 0) return []
  const { body } = await api.call('POST /shell/output', { clients })
  const silent = body.clients.filter(({ output }) => output === '').map(({ addr }) => addr)
  const stored = silent.length === 0 ? [] : await readLastOutputs(api, silent)
  const storedOf = new Map(stored.map(output => [output.client, output]))
  const outputs = body.clients.map(
    ({ addr, output }): ClientOutput => storedOf.get(addr) ?? { client: addr, output, state: 'read' },
  )
  return markRunning(api, outputs)
}
