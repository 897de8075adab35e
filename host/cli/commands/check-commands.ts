// Loads and checks command files without a daemon: `npm run check-commands -- FILE|FOLDER…`.
import { realpathSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stop } from 'esbuild'
import { resolveConflicts, type TrackedFile } from '../../modules/conflicts.ts'
import { loadFile } from '../../modules/load-file.ts'
import { isCommandFile, listCommandFiles } from '../../modules/watcher.ts'
import { message } from '../../system/log.ts'

const builtIn = fileURLToPath(new URL('../../../commands', import.meta.url))

/** The command files that an argument means: itself, or those directly in a folder. */
async function filesOf(argument: string): Promise<string[]> {
  const path = realpathSync(resolve(argument))
  if (!statSync(path).isDirectory()) {
    if (!isCommandFile(path.slice(path.lastIndexOf('/') + 1)))
      throw new Error(`${argument}: its name is no command file's`)
    return [path]
  }
  const found = await listCommandFiles(path)
  if ('problem' in found) throw new Error(`${argument}: ${found.problem}`)
  return found.files
}

async function tryFile(file: string, origin: string, since: number): Promise<TrackedFile> {
  const { inputs, hash, ready, problem } = await loadFile(file)
  const latest = ready && { ...ready, file, origin, version: 1, loadedAt: new Date() }
  return { file, origin, inputs, stamp: '', hash, versions: 1, since, latest, problem }
}

/** Prints a line for each file, as the daemon would log it; resolves with the number of files that are not right. */
export async function checkCommands(argv: string[], print: (line: string) => void): Promise<number> {
  const asksForHelp = argv.includes('--help')
  if (argv.length === 0 || asksForHelp) {
    print('usage: check-commands FILE|FOLDER…')
    return asksForHelp ? 0 : 1
  }
  const given: string[] = []
  const failed: string[] = []
  for (const argument of argv) {
    try {
      given.push(...(await filesOf(argument)))
    } catch (error) {
      failed.push(message(error))
    }
  }
  const own = (await filesOf(builtIn)).filter(file => !given.includes(file))
  const all: TrackedFile[] = []
  for (const file of own) all.push(await tryFile(file, 'built-in', all.length))
  for (const file of new Set(given))
    all.push(await tryFile(file, dirname(file) === builtIn ? 'built-in' : 'site', all.length))
  resolveConflicts(all)
  for (const line of failed) print(line)
  const checked = all.filter(({ file }) => given.includes(file))
  for (const { file, problem, served } of checked) {
    print(problem === undefined ? `${file}: ${served?.name} serves ${served?.command.route}` : `${file}: ${problem}`)
  }
  return failed.length + checked.filter(({ problem }) => problem !== undefined).length
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const failures = await checkCommands(process.argv.slice(2), console.log)
  await stop()
  process.exitCode = failures === 0 ? 0 : 1
}
