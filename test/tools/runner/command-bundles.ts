// Bundles the built-in commands and packs once for all processes of a test run, each of which loads all of them.
// In the bundles of test files this file stands for host/modules/bundle.ts.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { build } from 'esbuild'
import type { Bundle } from '../../../host/modules/bundle.ts'
import type { CheckedModule } from '../../../host/modules/checked.ts'
import { evaluate as evaluateNow } from '../../../host/modules/evaluate.ts'
import { FolderLists } from '../../../host/modules/folder-lists.ts'
import { placeOf } from '../../../host/modules/module-files.ts'
import { fingerprintOf } from '../../../host/system/file-states.ts'
import { withEsbuild } from '../../../host/system/process/esbuild-process.ts'
import { bundlesVariable, root } from './bundled-file.ts'
import { writeValidSchemas } from './cached-schemas.ts'

const name = 'command-bundles.json'

/** All built-in modules with one copy of what they import, which a process loads in a tenth of the time. */
const modulesName = 'built-in-modules.cjs'

/** Some files of packs keep what they have counted, which belongs to one host, and some name their own place. */
const needsOwnCode = /^var \w+;$|"(file:\/\/)?\/.*\/commands\//m

/** By the path of the file. */
type Bundles = Record<string, Extract<Bundle, { code: string }>>

export async function writeCommandBundles(folder: string): Promise<void> {
  const { bundle } = await import('../../../host/modules/bundle.ts')
  const { validateModule } = await import('../../../host/modules/validate.ts')
  const folders = ['commands', 'commands/packs', 'test/tools/virtual-world/modules']
  const paths = folders.map(folder => ({ path: join(root, folder), origin: 'built-in' }))
  const files = await new FolderLists(paths, { warn() {} }).list([])
  const bundles: Bundles = {}
  const load = async ({ file, isInPack }: (typeof files)[number]): Promise<CheckedModule> => {
    const result = await bundle(file)
    if ('problem' in result) throw new Error(`${file}: ${result.problem}`)
    bundles[file] = { ...result, code: markOf(file, result.code) }
    return validateModule(placeOf(file, isInPack), evaluateNow(result.code, file)).module
  }
  const modules: CheckedModule[] = []
  const queue = files.values()
  const loadQueued = async () => {
    for (const file of queue) modules.push(await load(file))
  }
  // A few at once: each has a time limit.
  await Promise.all([loadQueued(), loadQueued(), loadQueued(), loadQueued()])
  const marked = Object.keys(bundles).filter(file => bundles[file]?.code.startsWith(mark))
  await withEsbuild(() => buildModules(marked, join(folder, modulesName)))
  writeFileSync(join(folder, name), JSON.stringify(bundles))
  writeValidSchemas(folder, modules)
}

/** Where the files were copied to another machine, with the bundles of this one. */
export function acceptCopiedFiles(): void {
  const current = (inputs: Bundle['inputs']) =>
    Object.fromEntries(Object.keys(inputs).map(path => [path, fingerprintOf(path)]))
  for (const known of Object.values(bundles)) known.inputs = current(known.inputs)
  if (Object.keys(bundles).length > 0) writeFileSync(file, JSON.stringify(bundles))
}

/** Begins what stands for the code of a file that is in the bundle of all modules. */
const mark = '// built-in '

const markOf = (file: string, code: string) =>
  needsOwnCode.test(code) ? code : `${mark}${createHash('sha256').update(code).digest('hex')} ${file}`

const buildModules = (files: string[], outfile: string) =>
  build({
    stdin: {
      contents: files
        .map(file => `exports[${JSON.stringify(file)}] = () => require(${JSON.stringify(file)}).default`)
        .join('\n'),
      resolveDir: root,
    },
    outfile,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'silent',
  })

const require = createRequire(import.meta.url)

const checked = new WeakSet()

/** The default export of a built-in module by what `bundle` has resolved to, or of other code, which runs. */
export function evaluate(code: string, file: string): unknown {
  const exported = code.startsWith(mark) ? builtInModules()[file]?.() : evaluateNow(code, file)
  if (exported instanceof Object && code === bundles[file]?.code) checked.add(exported)
  return exported
}

const builtInModules = (): Record<string, () => unknown> =>
  require(join(process.env[bundlesVariable] ?? '', modulesName))

/** Whether it is the export of a module which follows the contract, as all did when they were bundled. */
export const isBuiltIn = (exported: unknown): boolean => exported instanceof Object && checked.has(exported)

const file = join(process.env[bundlesVariable] ?? '', name)
const bundles: Bundles = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}

/** A file that has changed since the start of the test run, or that is not built in, is bundled now. */
export async function bundle(file: string): Promise<Bundle> {
  const known = bundles[file]
  if (known && known.inputs[file] === fingerprintOf(file)) return known
  const { bundle } = await import('../../../host/modules/bundle.ts')
  return bundle(file)
}
