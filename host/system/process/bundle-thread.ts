// Bundles the program of the watchdog's thread.
import { build } from 'esbuild'
import { withEsbuild } from './esbuild-process.ts'

/** What the thread runs. */
const threadSource = `
import { parentPort, workerData } from 'node:worker_threads'
import { watch } from './watchdog-thread.ts'
watch(workerData)
parentPort?.postMessage('watching')
`

/** A worker does not inherit the loader for TypeScript, and one of its own would need a thread and a process more. */
export async function bundleThread(): Promise<string> {
  const { outputFiles } = await withEsbuild(() =>
    build({
      stdin: { contents: threadSource, resolveDir: import.meta.dirname, loader: 'ts' },
      bundle: true,
      write: false,
      format: 'cjs',
      platform: 'node',
      target: 'node20',
      logLevel: 'silent',
    }),
  )
  return outputFiles[0]?.text ?? ''
}
