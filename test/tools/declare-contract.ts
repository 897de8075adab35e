// Writes the types that the files of a site's commands import, as one declaration file of the contract and all that it uses.
//
//   npm run declare-contract
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, normalize } from 'node:path'
import { root } from '../harness/source-files.ts'

export const declarationFile = join(root, 'docs/fleet-host.d.ts')

const contract = 'host/contract/command'

const compilerOptions = [
  ['--declaration', '--emitDeclarationOnly', '--noEmit', 'false', '--ignoreConfig', '--rootDir', root],
  ['--module', 'nodenext', '--target', 'es2023', '--strict', '--skipLibCheck', '--allowImportingTsExtensions'],
].flat()

/** The module that a site imports, or one of those that it uses: a name in place of a path, as the file is copied. */
const moduleOf = (path: string) => (path === contract ? 'fleet-host' : `fleet-host/${path}`)

function declareModule(folder: string, file: string): string {
  const path = file.replace(/\.d\.ts$/, '')
  const text = readFileSync(join(folder, file), 'utf8')
    .replaceAll(/(\bfrom |\bimport\()(['"])(\.[^'"]+)\.ts\2/g, (_, before: string, _quote, target: string) => {
      return `${before}'${moduleOf(normalize(join(dirname(path), target)))}'`
    })
    .replaceAll(/^export declare /gm, 'export ')
    .replaceAll(/^declare /gm, '')
  return `declare module '${moduleOf(path)}' {\n${text}}\n`
}

export function declareContract(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-contract-'))
  try {
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    execFileSync(process.execPath, [tsc, ...compilerOptions, '--outDir', folder, join(root, `${contract}.ts`)])
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    const declarations = files.filter(file => file.endsWith('.d.ts')).sort()
    return declarations.map(file => declareModule(folder, file)).join('\n')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

if (process.argv[1] === import.meta.filename) writeFileSync(declarationFile, declareContract())
