// Bundles the agent for Linux into one file without dependencies, in memory.
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { withEsbuild } from '../system/process/esbuild-process.ts'
import { version } from '../system/version.ts'

const program = fileURLToPath(new URL('./program/main.ts', import.meta.url))

/**
 * Resolves to a program that Node 20 or newer runs under any name: CommonJS. Rejects when a source file cannot be read or
 * compiled.
 */
export async function bundleAgent(): Promise<string> {
  const { outputFiles } = await withEsbuild(() =>
    build({
      entryPoints: [program],
      bundle: true,
      write: false,
      format: 'cjs',
      platform: 'node',
      target: 'node20',
      define: { AGENT_VERSION: JSON.stringify(version) },
      charset: 'utf8',
      legalComments: 'none',
      logLevel: 'silent',
      tsconfigRaw: '{}',
    }),
  )
  const [file] = outputFiles
  if (!file) throw new Error('agent: expected one bundled file, got none')
  return file.text
}
