// What subcommands know of the library of scripts: its scripts, and the options with which one is run.
import { existsSync, readFileSync } from 'node:fs'
import { basename, isAbsolute } from 'node:path'
import type { AnswerOf } from '../../contract/answers.ts'
import type { ApiClient } from '../api/client.ts'
import { ofPack } from '../api/pack-routes.ts'
import { orThrow, usageError } from '../cli-error.ts'
import { cutLine } from '../terminal/text-table.ts'
import { durationOf } from './subcommand-options.ts'

export type Listed = AnswerOf<'GET /scripts'>['scripts'][number]
export type Shown = AnswerOf<'GET /script'>
export type Parameter = Listed['parameters'][number]

export const callScripts = (api: ApiClient, route: string, payload: object) =>
  ofPack('scripts', () => api.call(`POST /script/${route}`, payload))

export const readScripts = async ({ call }: ApiClient): Promise<Listed[]> =>
  (await ofPack('scripts', () => call('GET /scripts'))).body.scripts

export const readScript = async ({ call }: ApiClient, script: string, version?: string): Promise<Shown> => {
  const query = new URLSearchParams({ script, ...(version !== undefined && { version }) })
  return (await ofPack('scripts', () => call(`GET /script?${query}`))).body
}

/** As it is typed: `edition:small|full=small`. */
export const describeParameter = ({ name, type, choices, default: value }: Parameter): string =>
  `${name}:${choices?.join('|') ?? type}${value === undefined ? '' : `=${value}`}`

/** A word that ends as names of scripts do is a file, even if it is missing: nobody means the command of that name. */
const isFileName = (text: string) => /^\S+\.(sh|bash|py)$/.test(text)

/** Whether it is a file here, and no path that the clients may have, too. */
export const isFileHere = (text: string) => isFileName(text) && !isAbsolute(text) && existsSync(text)

/** Of one that is no file: its first line that does something. */
export function scriptTitle(text: string): string {
  const lines = text.trim().split('\n')
  return cutLine(lines.find(line => /^\s*[^\s#]/.test(line)) ?? lines[0] ?? '', 40)
}

export function scriptOf(text: string): { title: string; text: string } {
  if (!existsSync(text) && !isFileName(text)) return { title: scriptTitle(text), text }
  if (!existsSync(text)) throw usageError(`--run: there is no file ${text} here`)
  const read = () => readFileSync(text, 'utf8')
  return { title: basename(text), text: orThrow(read, reason => usageError(`--run: ${reason}`)) }
}

/** Options of what runs a script of the library. */
export const libraryOptions = {
  '--script <name>': 'a script of the library; fleet script list shows them',
  '--set <name=value...>': 'values of its parameters',
} as const

/** What `script-run` gets, besides clients. */
export function libraryRun(script: string, set: readonly string[] = []) {
  const values = set.map((text): [string, string] => {
    const at = text.indexOf('=')
    if (at < 1) throw usageError(`--set: expected name=value, got ${text}`)
    return [text.slice(0, at), text.slice(at + 1)]
  })
  return { script, values: Object.fromEntries(values) }
}

/** What makes a step of a procedure. */
export const scriptOptions = {
  '--run <script>': 'a file of this computer with the script, or the script itself',
  ...libraryOptions,
  '--timeout <time>': 'end the script after 30s, 10m or 2h',
} as const

export interface ScriptFlags {
  run?: string | undefined
  script?: string | undefined
  set?: string[] | undefined
  timeout?: string | undefined
}

/** The seconds of `--timeout`. */
export function timeoutOf(text: string): number {
  const duration = durationOf(text, 'smhd')
  if (!duration) throw usageError(`--timeout: expected a time such as 90s, 10m or 2h, got ${text}`)
  return duration / 1000
}

/**
 * A script of this computer or of the library, as the step of a procedure; `isCopy`: it has what a file has now. `where`
 * names the command in errors, `ends` are the params that end it where no option does.
 */
export async function scriptStep(api: ApiClient, where: string, flags: ScriptFlags, ends: object) {
  const { run, script, set, timeout } = flags
  const time = timeout === undefined ? ends : { ...ends, timeout: timeoutOf(timeout) }
  if (set && script === undefined) throw usageError(`${where}: expected --script with --set, got none`)
  if ((run === undefined) === (script === undefined)) throw usageError(`${where}: expected either --run or --script`)
  if (script !== undefined) {
    const params = { ...(await checkedRun(api, script, set)), ...time }
    return { title: script, step: { command: 'script-run', params }, isCopy: false }
  }
  const { title, text } = scriptOf(run ?? '')
  return { title, step: { command: 'shell-run', params: { run: text, echo: true, ...time } }, isCopy: text !== run }
}

/** As `libraryRun`, for later: what is missing or unknown is an error now. */
export async function checkedRun(api: ApiClient, name: string, set?: readonly string[]) {
  const run = libraryRun(name, set)
  const { parameters } = await readScript(api, name)
  const unknown = Object.keys(run.values).find(key => parameters.every(each => each.name !== key))
  const missing = parameters.find(each => each.default === undefined && !(each.name in run.values))
  if (unknown !== undefined) throw usageError(`--set: ${name} has no parameter ${unknown}`)
  if (missing) throw usageError(`--set: ${name} needs ${describeParameter(missing)}`)
  return run
}

/** For completion. */
export const readScriptNames = async (api: ApiClient) => (await readScripts(api)).map(({ script }) => script)

/** `edition=small`, `edition=full`, `note=`: what may follow `--set`. */
export const readSettings = (name: string | undefined) => async (api: ApiClient) => {
  const { parameters = [] } = (await readScripts(api)).find(({ script }) => script === name) ?? {}
  const valuesOf = ({ type, choices }: Parameter) => choices ?? (type === 'boolean' ? ['true', 'false'] : [''])
  return parameters.flatMap(parameter => valuesOf(parameter).map(value => `${parameter.name}=${value}`))
}
