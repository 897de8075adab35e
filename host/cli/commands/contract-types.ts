// The types of command files as one declaration file: a site's folder then needs nothing outside itself.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const imports = /^import type \{[^{}]*\} from '.+'\n/gm
const reExports = /^export type \* from '([^']+)'\n/gm

/**
 * Declares the module `fleet-host` with all types of the contract. Imports are removed: each file of the contract also
 * re-exports all types of the files from which it imports some.
 */
export function declareContract(contractFile: string, version: string): string {
  const visited = new Set<string>()
  const inline = (file: string): string => {
    if (visited.has(file)) return ''
    visited.add(file)
    return readFileSync(file, 'utf8')
      .replaceAll(imports, '')
      .replaceAll(reExports, (_, path: string) => inline(join(dirname(file), path)))
  }
  return `// Types of fleet-host ${version}, for editors. \`fleet new-command\` overwrites this file.

declare module 'fleet-host' {
${inline(contractFile).replaceAll(/^(?=.)/gm, '  ')}}

// Imports of Node's modules are not checked, unless @types/node is installed.
declare module 'node:*'
`
}
