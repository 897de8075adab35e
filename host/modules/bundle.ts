// Bundles a command file and its relative imports into one CommonJS text, in memory.
import { isBuiltin } from 'node:module'
import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type BuildFailure, type BuildOptions, build, type Message, type Plugin, stop } from 'esbuild'
import { message } from '../system/log.ts'
import { withTimeout } from '../system/timeout.ts'

/** `inputs` are the files that the result depends on, including files that were searched and do not exist. */
export type Bundle = { inputs: string[] } & ({ code: string } | { problem: string })

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
        if (result.errors.length === 0) return { path: result.path, external: true }
      }
      const { errors } = await find(resolveDir, 'import-statement')
      const reason = errors.length === 0 ? `${path}, which can only be imported` : `${path}, which is not installed`
      return { errors: [{ text: `expected a package that can be required, got ${reason}` }] }
    })
  },
}

/** Identifies the requests of this plugin itself. */
const ownRequest = Symbol('own request')

/** The endings that an import may leave out. */
const endings = ['', '.ts', '.mts', '.js', '.mjs', '.json', '/index.ts', '/index.js']

export async function bundle(file: string): Promise<Bundle> {
  const folder = dirname(file)
  try {
    const { outputFiles, metafile, warnings } = await withTimeout(
      withRestart(() => build(optionsOf(file))),
      bundleMilliseconds,
      `not read after ${bundleMilliseconds / 1000} s`,
    )
    const inputs = [...new Set([file, ...Object.keys(metafile.inputs).map(input => resolve(folder, input))])]
    // Other properties of import.meta would silently be undefined.
    const unknownProperty = warnings.find(({ id }) => id === 'empty-import-meta')
    if (unknownProperty) return { inputs, problem: describe({ ...unknownProperty, text: importMetaProblem }, folder) }
    return { inputs, code: outputFiles[0]?.text ?? '' }
  } catch (error) {
    const failures = isBuildFailure(error) ? error.errors : []
    const [first] = failures
    const problem = first ? describe(first, folder) : message(error)
    return { inputs: [...new Set([file, ...failures.flatMap(failure => filesOf(failure, folder))])], problem }
  }
}

function optionsOf(file: string) {
  const folder = dirname(file)
  return {
    entryPoints: [file],
    absWorkingDir: folder,
    bundle: true,
    write: false,
    metafile: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    plugins: [packages],
    sourcemap: 'inline',
    logLevel: 'silent',
    // Ignores a site's tsconfig.json, which is for its editor.
    tsconfigRaw: '{}',
    // import() becomes require(), which resolves from the file.
    supported: { 'dynamic-import': false },
    define: {
      'import.meta.url': JSON.stringify(pathToFileURL(file).href),
      'import.meta.dirname': JSON.stringify(folder),
      'import.meta.filename': JSON.stringify(file),
    },
  } as const satisfies BuildOptions
}

/** A file on a file system that does not respond must not stop the other files. */
const bundleMilliseconds = 10_000

const importMetaProblem = 'import.meta: expected url, dirname or filename, got another property'

/** Starts the child process of esbuild again when it was killed, for example by the kernel. */
async function withRestart<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    if (isBuildFailure(error)) throw error
    await stop()
    return run()
  }
}

const isBuildFailure = (error: unknown): error is BuildFailure =>
  error instanceof Error && 'errors' in error && Array.isArray(error.errors) && error.errors.length > 0

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
