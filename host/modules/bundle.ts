// Turns a command file and its relative imports into one CommonJS text, in memory.
import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type BuildFailure, type BuildOptions, build, type Message, stop } from 'esbuild'
import { message } from '../log.ts'

/** `inputs` are the files that the outcome depends on, also those that were looked for and not found. */
export type Bundle = { inputs: string[] } & ({ code: string } | { problem: string })

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
    packages: 'external',
    sourcemap: 'inline',
    logLevel: 'silent',
    // A tsconfig.json beside a site's file is for its editor.
    tsconfigRaw: '{}',
    // Becomes require(), which the module's own resolution serves.
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': JSON.stringify(pathToFileURL(file).href) },
  } as const satisfies BuildOptions
  try {
    const { outputFiles, metafile } = await restarting(() => build(options))
    const inputs = Object.keys(metafile.inputs).map(input => resolve(folder, input))
    return { inputs: [...new Set([file, ...inputs])], code: outputFiles[0]?.text ?? '' }
  } catch (error) {
    const failures = isBuildFailure(error) ? error.errors : []
    const [first] = failures
    const problem = first ? describe(first, folder) : message(error)
    return { inputs: [file, ...failures.flatMap(failure => suspects(failure, folder))], problem }
  }
}

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
