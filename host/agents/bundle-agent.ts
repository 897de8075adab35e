// Bundles the agent for Linux into one file without dependencies, in memory.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { withEsbuild } from '../system/esbuild-process.ts'

const host = join(import.meta.dirname, '..')

/** Resolves to the version of this package, which is that of its agent. */
export async function agentVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(host, '../package.json'), 'utf8'))
  return version
}

/**
 * Resolves to a program that Node 20 or newer runs under any name: CommonJS. Rejects when a source file cannot be read or
 * compiled.
 */
export async function bundleAgent(): Promise<string> {
  const version = await agentVersion()
  const { outputFiles } = await withEsbuild(() =>
    build({
      entryPoints: [join(host, 'agent-program/main.ts')],
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
