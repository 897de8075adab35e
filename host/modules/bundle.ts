// Turns a command file and its relative imports into one CommonJS text, in memory.
import { isBuiltin } from 'node:module'
import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type BuildFailure, type BuildOptions, build, type Message, type Plugin, stop } from 'esbuild'
import { message } from '../system/log.ts'
import { withTimeout } from '../system/timeout.ts'

/** `inputs` are the files that the outcome depends on, also those that were looked for and not found. */
export type Bundle = { inputs: string[] } & ({ code: string } | { problem: string })

/**
 * Packages stay outside the text, by the path at which they are found: beside the file first, then beside the host.
 * Left to Node, a package that was missing once would stay missing, since it remembers what was not there.
 */
const packages: Plugin = {
  name: 'packages',
  setup({ onResolve, resolve: look }) {
    onResolve({ filter: /^[^./]/ }, async ({ path, resolveDir, pluginData }) => {
      if (pluginData === asked || isBuiltin(path)) return undefined
      const find = (from: string, kind: 'require-call' | 'import-statement') =>
        look(path, { kind, resolveDir: from, pluginData: asked })
      for (const from of [resolveDir, import.meta.dirname]) {
        const found = await find(from, 'require-call')
        if (found.errors.length === 0) return { path: found.path, external: true }
      }
      const { errors } = await find(resolveDir, 'import-statement')
      const why = errors.length === 0 ? `${path}, which can only be imported` : `${path}, which is not installed`
      return { errors: [{ text: `expected a package that can be required, beside the file, got ${why}` }] }
    })
  },
}

/** Marks what this plugin itself asks. */
const asked = Symbol('asked')

/** What an import without an ending may mean. */
const endings = ['', '.ts', '.mts', '.js', '.mjs', '.json', '/index.ts', '/index.js']

export async function bundle(file: string): Promise<Bundle> {
  const folder = dirname(file)
  const options = {
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
    // A tsconfig.json beside a site's file is for its editor.
    tsconfigRaw: '{}',
    // Becomes require(), which the module's own resolution serves.
    supported: { 'dynamic-import': false },
    define: {
      'import.meta.url': JSON.stringify(pathToFileURL(file).href),
      'import.meta.dirname': JSON.stringify(folder),
      'import.meta.filename': JSON.stringify(file),
    },
  } as const satisfies BuildOptions
  try {
    const { outputFiles, metafile, warnings } = await withTimeout(
      bundleMilliseconds,
      `cannot be read within ${bundleMilliseconds / 1000} s`,
      restarting(() => build(options)),
    )
    const inputs = [...new Set([file, ...Object.keys(metafile.inputs).map(input => resolve(folder, input))])]
    // The rest of import.meta would be undefined without a word.
    const [empty] = warnings.filter(({ id }) => id === 'empty-import-meta')
    if (empty) return { inputs, problem: describe({ ...empty, text: `import.meta has ${importMeta} here` }, folder) }
    return { inputs, code: outputFiles[0]?.text ?? '' }
  } catch (error) {
    const failures = isBuildFailure(error) ? error.errors : []
    const [first] = failures
    const problem = first ? describe(first, folder) : message(error)
    return { inputs: [...new Set([file, ...failures.flatMap(failure => suspects(failure, folder))])], problem }
  }
}

/** A file that cannot be read by then, on a file system that does not answer, must not stop the others. */
const bundleMilliseconds = 10_000

const importMeta = 'only url, dirname and filename'

/** The child process in which esbuild works may be ended by anyone, the kernel included; a new one is started. */
async function restarting<Result>(run: () => Promise<Result>): Promise<Result> {
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

/** The file that has the error, and all that an import which was not found may mean. */
function suspects({ text, location }: Message, folder: string): string[] {
  if (!location) return []
  const from = resolve(folder, location.file)
  const missing = /^Could not resolve "(\.[^"]*)"/.exec(text)?.[1]
  return missing === undefined ? [from] : [from, ...endings.map(ending => resolve(dirname(from), missing + ending))]
}
