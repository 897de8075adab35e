// Bundles the test files and the programs that they start: Node takes a second to load as many TypeScript modules.
import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { withEsbuild } from '../../../host/system/process/esbuild-process.ts'
import { bundlesVariable, root } from './bundled-file.ts'
import { writeCommandBundles } from './command-bundles.ts'
import { writeThread } from './kept-thread.ts'

/** What tests start as a process, or import by a path that is only known at run time. */
const programs = [
  'host/cli/fleet.mjs',
  'host/main.ts',
  'stores/memory/index.ts',
  'stores/lowdb/index.ts',
  'stores/postgres/index.ts',
  'stores/store.ts',
  'test/tools/attack/observer.ts',
  'test/conformance/crash-writer.ts',
  'test/conformance/second-writer.ts',
  'test/harness/failing-store.ts',
  'test/harness/recording-store.ts',
  'test/tools/disk-model/main.ts',
  'test/tools/faulty-network/main.ts',
  'test/tools/runner/run-files.ts',
  'test/tools/simulator/demo.ts',
  'test/tools/virtual-world/try-seeds.ts',
  'test/tools/virtual-world/virtual-store.ts',
  'test/tools/runner/suites.ts',
]

/** One imports a file that it has written, which only the loader for TypeScript can load; the other needs the real cost. */
const unbundled = /(access\/passwords|config\/open-store)\.test\.ts$/

/**
 * Keeps the meaning of `import.meta` and of `import(path)`, as the bundles are in another folder. `sourceOf` has texts in
 * place of files.
 */
export const sourcePathsWith = (sourceOf: (path: string) => string | undefined): Plugin => ({
  name: 'source-paths',
  setup({ onLoad }) {
    onLoad({ filter: /\/(host|stores|test)\/.*\.(ts|mjs)$/ }, ({ path }) => {
      const source = sourceOf(path) ?? readFileSync(path, 'utf8')
      const [start = ''] = /^#!.*\n/.exec(source) ?? []
      const text = source.slice(start.length)
      const values = { __filename: path, __dirname: dirname(path), __url: pathToFileURL(path).href }
      const names = Object.entries(values).map(([name, value]) => `const ${name} = ${JSON.stringify(value)};`)
      const imported = text.replaceAll(/\bawait import\((\w+)\)/g, 'await importBundled($1)')
      const importing = `import { importBundled } from ${JSON.stringify(join(root, 'test/tools/runner/bundled-file.ts'))};`
      return { loader: 'ts', contents: `${start}${names.join('')}${imported === text ? '' : importing}${imported}` }
    })
  },
})

export const sourcePaths: Plugin = sourcePathsWith(() => undefined)

/** A bundle of `fleet` needs no loader for TypeScript. */
const withoutLoader: Plugin = {
  name: 'without-loader',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^tsx\/esm\/api$/ }, ({ path }) => ({ path, namespace: 'without-loader' }))
    onLoad({ filter: /./, namespace: 'without-loader' }, () => ({ contents: 'export const register = () => {}' }))
  },
}

const metaNames = {
  'import.meta.filename': '__filename',
  'import.meta.dirname': '__dirname',
  'import.meta.url': '__url',
}

/** Of a program that simulated worlds evaluate, each time with variables of its own. */
export const programOf = (file: string) => ({
  entryPoints: [file],
  bundle: true,
  write: false as const,
  format: 'cjs' as const,
  platform: 'node' as const,
  target: 'node20',
  keepNames: true,
  define: metaNames,
})

/** Files of the host, and those that stand for them in test/tools/runner, which may import them. */
const replaced = new Map(
  [
    ['access/password-cost.ts', 'low-password-cost.ts'],
    ['modules/bundle.ts', 'command-bundles.ts'],
    ['modules/compile-contract.ts', 'cached-contract.ts'],
    ['modules/evaluate.ts', 'cached-exports.ts'],
    ['modules/schemas.ts', 'cached-schemas.ts'],
    ['system/process/bundle-thread.ts', 'kept-thread.ts'],
  ].map(([file = '', by = '']) => [join(root, 'host', file), join(root, 'test/tools/runner', by)]),
)

const suites = join(root, 'test/tools/runner/suites.ts')

/** `onUnused` is told which files nothing imports. */
export const replaceFiles = (onUnused: (files: string[]) => void): Plugin => ({
  name: 'replacements',
  setup({ onResolve, onEnd }) {
    const unused = new Set(replaced.keys())
    onResolve({ filter: /^uvu$/ }, ({ importer }) => (importer.endsWith('.test.ts') ? { path: suites } : undefined))
    onResolve(
      { filter: /\/(bundle|bundle-thread|compile-contract|evaluate|password-cost|schemas)\.ts$/ },
      ({ path, importer, resolveDir }) => {
        if (!importer.startsWith(join(root, 'host/'))) return undefined
        const file = join(resolveDir, path)
        unused.delete(file)
        const by = replaced.get(file)
        return by === undefined ? undefined : { path: by }
      },
    )
    onEnd(() => onUnused([...unused]))
  },
})

/** Nobody would notice but by the time that the tests take. */
const replacements = replaceFiles(unused => {
  if (unused.length > 0) throw new Error(`nothing imports ${unused.join(', ')}`)
})

/** Until this process ends, `nodeArguments` finds the bundles, here and in its child processes, which make none. */
export async function bundleTests(files: string[]): Promise<void> {
  if (process.env[bundlesVariable] !== undefined) return
  const folder = mkdtempSync(join(tmpdir(), 'fleet-test-bundles-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
  await writeCommandBundles(folder)
  await writeThread(folder)
  await bundleInto(folder, files)
}

/** `folder` already has the files of `writeCommandBundles` and `writeThread`. */
export async function bundleInto(folder: string, files: string[]): Promise<void> {
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  // Bundling the commands has set the time at which esbuild's process ends.
  await withEsbuild(() => bundleFiles(folder, files))
  chmodSync(join(folder, 'host/cli/fleet.mjs'), 0o755)
  process.env[bundlesVariable] = folder
  // Versions of Node that know it compile each bundle once for all processes.
  process.env.NODE_COMPILE_CACHE = join(folder, 'compiled')
}

const bundleFiles = (folder: string, files: string[]) =>
  build({
    entryPoints: [...files.filter(file => !unbundled.test(file)), ...programs.map(file => join(root, file))],
    outdir: folder,
    outbase: root,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // Without copies of a module that two files import.
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    keepNames: true,
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'silent',
    define: metaNames,
    plugins: [sourcePaths, replacements, withoutLoader],
  })
