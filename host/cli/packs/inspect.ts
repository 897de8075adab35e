// Checks the folder of a pack as the daemon does, and says what is in it.
import { basename, join, relative } from 'node:path'
import { stop } from 'esbuild'
import { inFile } from '../../log/log.ts'
import { describeModule } from '../../modules/describe-module.ts'
import { loadPaths } from '../../modules/load-paths.ts'
import { CliError } from '../cli-error.ts'
import { builtInFolder } from '../installation.ts'
import { onOneLine } from '../terminal/terminal.ts'

export interface PackContent {
  name: string
  version: string
  /** For people: the pack, a line for each file, its settings and its role. */
  lines: string[]
}

/** Throws when something is wrong with a file; `where` begins the message, in which paths begin with the pack's name. */
export async function inspectPack(folder: string, where: string): Promise<PackContent> {
  const { files, problems } = await loadPaths([folder], builtInFolder).finally(() => stop())
  const parent = join(folder, '..')
  const ofFiles = files.flatMap(({ file, problem }) => (problem === undefined ? [] : [inFile(file, problem)]))
  const [first, ...others] = [...problems, ...ofFiles].map(problem => problem.replaceAll(`${parent}/`, ''))
  const more = others.length > 0 ? ` (and ${others.length} more: fleet check-commands)` : ''
  if (first !== undefined) throw new CliError(`${where}: ${onOneLine(first)}${more}`)
  const loaded = files.flatMap(({ served }) => served ?? [])
  const pack = loaded.find(each => each.kind === 'pack')
  if (!pack) throw new CliError(`${where}: expected a folder with a file pack.ts, got ${basename(folder)}`)
  const { version, summary, contract, settings, collections } = pack.declared
  const modules = loaded.filter(each => each !== pack)
  const lines = [
    `${pack.name} ${version}: ${summary} (contract ${contract})`,
    ...modules.map(each => `  ${relative(folder, each.file)}: ${each.kind} that ${describeModule(each)}`),
    ...listNames('settings', propertiesOf(settings)),
    ...listNames('collections', collections),
    '  role: operate, until fleet pack role sets another one',
  ]
  return { name: pack.name, version: version ?? '', lines: lines.map(onOneLine) }
}

function listNames(title: string, declared: object | undefined): string[] {
  const names = Object.keys(declared ?? {})
  return names.length === 0 ? [] : [`  ${title}: ${names.join(', ')}`]
}

/** `as`: the loader has checked that settings are a schema with properties. */
const propertiesOf = (settings: object | undefined) => (settings as { properties?: object } | undefined)?.properties
