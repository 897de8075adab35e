// Bundles what runs on the virtual disk, with another module in the place of each that is about files.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Script } from 'node:vm'
import { build } from 'esbuild'
import { withEsbuild } from '../../../host/system/process/esbuild-process.ts'
import { programOf, sourcePathsWith } from '../runner/bundle-tests.ts'
import { root } from '../runner/bundled-file.ts'
import { applyChange, type Change } from '../virtual-world/planted-faults.ts'
import { createPromises, createSynchronous, type FileSystem } from './virtual-files.ts'

export type Program = typeof import('./program.ts')

const file = join(root, 'test/tools/disk-model/program.ts')

/** Returns what evaluates the program, with the planted fault: as processes do, each one has variables of its own. */
export async function buildProgram(fault?: Change): Promise<(system: FileSystem) => Program> {
  const sources = new Map(fault ? [applyChange(fault)] : [])
  const { outputFiles } = await withEsbuild(() =>
    build({
      ...programOf(file),
      plugins: [sourcePathsWith(path => sources.get(path))],
    }),
  )
  const parameters = 'exports, require, module, setTimeout, clearTimeout, setImmediate, performance, Date'
  const script = new Script(`(function (${parameters}) {${outputFiles[0]?.text}\n})`, { filename: file })
  return system => evaluate(script, system)
}

const require = createRequire(file)

class StandingDate extends Date {
  static override now = () => 1_700_000_000_000
}

function evaluate(script: Script, system: FileSystem): Program {
  const modules: Record<string, unknown> = {
    'node:fs': createSynchronous(system),
    'node:fs/promises': createPromises(system),
    // What the store requires so locks its folder, which no other process uses.
    'node:module': { createRequire: () => () => ({ tryLock: () => true }) },
  }
  const later = (run: () => void) => {
    const timer = { cancel: system.completions.add(run), unref: () => timer }
    return timer
  }
  // `as`: the script fills it.
  const module = { exports: {} as Program }
  script.runInThisContext()(
    module.exports,
    (name: string) => modules[name] ?? require(name),
    module,
    later,
    (timer?: ReturnType<typeof later>) => timer?.cancel(),
    later,
    // Time stands still, so that chance alone says what comes next.
    { now: () => 0 },
    StandingDate,
  )
  return module.exports
}
