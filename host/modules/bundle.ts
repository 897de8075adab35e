// Bundles a command file and its relative imports into one CommonJS text, in memory.
import { readFile, realpath, stat } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { basename, dirname, extname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type BuildOptions, build, type Message, type Plugin, transform } from 'esbuild'
import { message } from '../log/log.ts'
import { fingerprintOf } from '../system/file-states.ts'
import { isBuildFailure, withEsbuild } from '../system/process/esbuild-process.ts'
import { withTimeout } from '../system/timeout.ts'
import { bundleMilliseconds } from './timing.ts'

/** By path: each was taken before its file was read, '' of a file that was not read. */
export type Fingerprints = Record<string, string>

/** `inputs` are the files that the result depends on, including files that were searched and do not exist. */
export type Bundle = { inputs: Fingerprints } & ({ code: string } | { problem: string })

/**
 * Packages are not bundled but required by the path at which they are installed: next to the file, else next to the
 * host. If Node resolved them, a package that was missing once would stay missing, because Node caches failed lookups.
 */
const packages: Plugin = {
  name: 'packages',
  setup({ onResolve, resolve: resolvePackage }) {
    onResolve({ filter: /^[^./]/ }, async ({ path, resolveDir, pluginData }) => {
      if (pluginData === ownRequest || isBuiltin(path)) return undefined
      const find = (from: string, kind: 'require-call' | 'import-statement') =>
        resolvePackage(path, { kind, resolveDir: from, pluginData: ownRequest })
      for (const from of [resolveDir, import.meta.dirname]) {
        const result = await find(from, 'require-call')
        if (result.errors.length > 0) continue
        const problem = await findFileProblem(result.path)
        return problem === undefined ? { path: result.path, external: true } : { errors: [{ text: problem }] }
      }
      const { errors } = await find(resolveDir, 'import-statement')
      const reason = errors.length === 0 ? `${path}, which can only be imported` : `${path}, which is not installed`
      return { errors: [{ text: `expected a package that can be required, got ${reason}` }] }
    })
  },
}

/** Identifies the requests of this plugin itself. */
const ownRequest = Symbol('own request')

/** Bytes of one file; larger ones are not source text. */
const maxFileBytes = 5_000_000

/**
 * Refuses files that are not read to an end: a device or a pipe would keep esbuild reading until the memory is full.
 * Adds the fingerprints of all files to `read`, by path.
 */
const onlyRegularFiles = (read: Map<string, string>): Plugin => ({
  name: 'only-regular-files',
  setup({ onLoad }) {
    onLoad({ filter: /./, namespace: 'file' }, async ({ path }) => {
      if (!read.has(path)) read.set(path, fingerprintOf(path))
      const problem = await findFileProblem(path)
      return problem === undefined ? undefined : { errors: [{ text: problem }] }
    })
  },
})

/** Undefined also for a file that is missing, whose error is esbuild's. */
async function findFileProblem(path: string): Promise<string | undefined> {
  const stats = await stat(path).catch(() => undefined)
  if (!stats || (stats.isFile() && stats.size <= maxFileBytes)) return undefined
  const actual = stats.isFile() ? `${stats.size} bytes` : 'a device, a pipe or a folder'
  return `${path}: expected a regular file of at most ${maxFileBytes} bytes, got ${actual}`
}

/** The endings that an import may leave out. */
const endings = ['', '.ts', '.mts', '.js', '.mjs', '.json', '/index.ts', '/index.js']

export async function bundle(file: string): Promise<Bundle> {
  const folder = dirname(file)
  const read = new Map([[file, fingerprintOf(file)]])
  try {
    const { code, warnings } = await withTimeout(
      buildFile(file, read),
      bundleMilliseconds,
      `not read after ${bundleMilliseconds / 1000} s`,
    )
    const inputs = Object.fromEntries(read)
    // Other properties of import.meta would silently be undefined.
    const unknownProperty = warnings.find(({ id }) => id === 'empty-import-meta')
    if (unknownProperty) return { inputs, problem: describe({ ...unknownProperty, text: importMetaProblem }, folder) }
    return { inputs, code }
  } catch (error) {
    const failures = isBuildFailure(error) ? error.errors : []
    const [first] = failures
    const problem = first ? describe(first, folder) : message(error)
    const failed = failures.flatMap(failure => filesOf(failure, folder)).map((path): [string, string] => [path, ''])
    return { inputs: Object.fromEntries([...failed, ...read]), problem }
  }
}

/**
 * Rejects for a syntax error of the file before it builds: a build takes up to 100 times as long, because it lists the
 * folder, and many broken files in a large folder must not delay the others. A file without imports is not built at all.
 * Adds the fingerprints of all files to `read`, by path.
 */
async function buildFile(file: string, read: Map<string, string>) {
  const problem = await findFileProblem(file)
  if (problem !== undefined) throw new Error(problem)
  const text = await readFile(file)
  // A link and the file that it leads to have the same fingerprint.
  read.set(await realpath(file), read.get(file) ?? '')
  const options = optionsOf(file)
  const loader = /^\.m?ts$/.test(extname(file)) ? 'ts' : 'js'
  return withEsbuild(async () => {
    const { code, warnings } = await transform(text, { ...options, loader, sourcefile: basename(file) })
    // An import that is needed at run time is a call of require by now.
    if (!/\brequire\b/.test(code)) return { code, warnings }
    const { outputFiles, ...result } = await build({
      ...options,
      entryPoints: [file],
      absWorkingDir: dirname(file),
      bundle: true,
      write: false,
      plugins: [packages, onlyRegularFiles(read)],
    })
    return { code: outputFiles[0]?.text ?? '', warnings: result.warnings }
  })
}

/** How a file is read, and what its code is for. */
const optionsOf = (file: string) =>
  ({
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    logLevel: 'silent',
    sourcemap: 'inline',
    // Ignores a site's tsconfig.json, which is for its editor.
    tsconfigRaw: '{}',
    // import() becomes require(), which resolves from the file.
    supported: { 'dynamic-import': false },
    define: {
      'import.meta.url': JSON.stringify(pathToFileURL(file).href),
      'import.meta.dirname': JSON.stringify(dirname(file)),
      'import.meta.filename': JSON.stringify(file),
    },
  }) as const satisfies BuildOptions

const importMetaProblem = 'import.meta: expected url, dirname or filename, got another property'

function describe({ text, location }: Message, folder: string): string {
  return location ? `${resolve(folder, location.file)}:${location.line}: ${text}` : text
}

/** The file with the error, and for a failed import the files that it can mean. */
function filesOf({ text, location }: Message, folder: string): string[] {
  if (!location) return []
  const from = resolve(folder, location.file)
  const missing = /^Could not resolve "(\.[^"]*)"/.exec(text)?.[1]
  return missing === undefined ? [from] : [from, ...endings.map(ending => resolve(dirname(from), missing + ending))]
}
