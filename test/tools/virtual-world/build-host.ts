// Bundles the daemon into one script, which each simulated host evaluates anew: as processes do, they share no variables.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { constants, Script } from 'node:vm'
import { build } from 'esbuild'
import { withEsbuild } from '../../../host/system/process/esbuild-process.ts'
import { programOf, replaceFiles, sourcePathsWith } from '../runner/bundle-tests.ts'
import { bundlesVariable, root } from '../runner/bundled-file.ts'
import { applyChange, type Change, plantedFaults } from './planted-faults.ts'

export type HostProgram = typeof import('./virtual-host.ts')

const file = join(root, 'test/tools/virtual-world/virtual-host.ts')

/** Returns what evaluates the daemon, with the planted fault of that name. */
export async function buildHost(fault?: string): Promise<() => HostProgram> {
  const { outputFiles } = await withEsbuild(() =>
    build({
      ...programOf(file),
      keepNames: false,
      packages: 'external',
      plugins: [sourcePathsWith(sourceOf(fault)), replaceFiles(() => {})],
    }),
  )
  const [output] = outputFiles
  if (!output) throw new Error('expected a bundle of the daemon, got none')
  const code = `(function (exports, require, module, __filename, __dirname) {${output.text}\n})`
  const importing = { importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER }
  const script = new Script(code, { filename: join(root, 'virtual-host.cjs'), ...importing })
  const require = createRequire(file)
  const commands = join(process.env[bundlesVariable] ?? '', 'built-in-modules.cjs')
  return () => {
    // `as`: the script fills it.
    const module = { exports: {} as HostProgram }
    // Commands have variables too.
    delete require.cache[commands]
    script.runInThisContext()(module.exports, require, module, file, root)
    return module.exports
  }
}

/** Without looks at files of modules, none of which changes here, and at connections, for which Node has a real timer. */
const withoutLooks: Change[] = [
  { file: 'host/modules/timing.ts', text: 'lookSeconds = 2', by: 'lookSeconds = 3600' },
  {
    file: 'host/modules/watcher.ts',
    text: 'for (const [key, path] of keys)',
    by: 'for (const [key, path] of [] as const)',
  },
  { file: 'host/http/transport/overdue-check.ts', text: 'if (!this.#server.listening) return', by: 'return;' },
]

function sourceOf(fault: string | undefined): (path: string) => string | undefined {
  const planted = fault === undefined ? undefined : plantedFaults[fault]
  if (fault !== undefined && !planted)
    throw new Error(`expected one of ${Object.keys(plantedFaults).join(', ')}, got ${fault}`)
  const sources = new Map([...withoutLooks, ...(planted ? [planted] : [])].map(applyChange))
  return path => sources.get(path)
}
