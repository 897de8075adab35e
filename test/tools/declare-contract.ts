// Writes the types that the files of a site's commands import: those of the contract, and all that these name.
//
//   npm run declare-contract
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { isInterfaceDeclaration, isTypeAliasDeclaration } from 'typescript/unstable/ast/is'
import { API, type Checker, NodeBuilderFlags, type Program, SymbolFlags, type Type } from 'typescript/unstable/sync'
import { root } from '../harness/source-files.ts'

export const declarationFile = join(root, 'docs/fleet-host.d.ts')

const nameFlags = NodeBuilderFlags.NoTruncation | NodeBuilderFlags.UseAliasDefinedOutsideCurrentScope

/** Files of the contract and of the store's types; the others of the contract are for the host alone. */
const declaring =
  /^(host\/contract(?!\/(answers|loaded-))|stores|stores\/records)\/[^/]+$|^stores\/rules\/part-states\.ts$/

/** An interface or the name of a type, as the file says it, and how a site gets it. */
interface Declaration {
  file: string
  print(): string
}

/** A type that follows from a value, as what follows: sites have no use for schemas and columns. */
function printType(checker: Checker, type: Type, flags = nameFlags): string {
  const name = checker.typeToString(type, undefined, flags)
  if (!/[{<]/.test(name) || /^Record<string, \w+>$/.test(name)) return name
  if (type.isUnionType())
    return type
      .getTypes()
      .map(form => printType(checker, form))
      .join(' | ')
  const [item] = checker.isArrayType(type) && type.isTypeReference() ? checker.getTypeArguments(type) : []
  return item ? `(${printType(checker, item)})[]` : `{ ${printKeys(checker, type)} }`
}

function printKeys(checker: Checker, type: Type): string {
  const keys = checker.getPropertiesOfType(type).map(key => {
    const value = checker.getTypeOfSymbol(key)
    if (!value) throw new Error(`${key.name}: expected a type, got none`)
    const isOptional = Boolean(key.flags & SymbolFlags.Optional)
    const printed = printType(checker, value)
    return isOptional
      ? `${key.name}?: ${printed.replace(/^undefined \| | \| undefined$/, '')}`
      : `${key.name}: ${printed}`
  })
  return keys.join('\n')
}

function readDeclarations(program: Program, checker: Checker): Map<string, Declaration[]> {
  const declarations = new Map<string, Declaration[]>()
  for (const path of program.getSourceFileNames()) {
    const file = relative(root, path)
    const source = declaring.test(file) && program.getSourceFile(path)
    if (!source) continue
    for (const statement of source.statements) {
      if (!isInterfaceDeclaration(statement) && !isTypeAliasDeclaration(statement)) continue
      const name = statement.name.text
      const text = source.text
        .slice(statement.pos, statement.end)
        .replace(/^[\s\S]*?(?=^(\/\*\*|export|type|interface))/m, '')
      const print = () => {
        if (!/\btypeof\b|\bTable\b/.test(text)) return text.replace(/^(?=type|interface)/m, 'export ')
        const symbol = checker.getSymbolAtLocation(statement.name)
        if (!symbol || statement.typeParameters?.length)
          throw new Error(`${file}: expected a type without parameters, got ${name}`)
        const comment = /^\/\*\*[\s\S]*?\*\/\n/.exec(text)?.[0] ?? ''
        const type = checker.getDeclaredTypeOfSymbol(symbol)
        return isInterfaceDeclaration(statement)
          ? `${comment}export interface ${name} { ${printKeys(checker, type)} }`
          : `${comment}export type ${name} = ${printType(checker, type, nameFlags | NodeBuilderFlags.InTypeAlias)}`
      }
      declarations.set(name, [...(declarations.get(name) ?? []), { file, print }])
    }
  }
  return declarations
}

/** What the contract exports of its own, then what that names. */
function printReached(declarations: Map<string, Declaration[]>, exports: readonly string[]): string[] {
  const reached = new Map<string, string>()
  const waiting = exports.filter(name => declarations.get(name)?.[0]?.file.startsWith('host/contract/'))
  for (const name of waiting) {
    const [declaration, another] = declarations.get(name) ?? []
    if (!declaration || reached.has(name)) continue
    if (another) throw new Error(`${name}: expected one declaration, got ${declaration.file} and ${another.file}`)
    const printed = declaration.print()
    reached.set(name, printed)
    waiting.push(...(printed.replaceAll(/\/\*\*[\s\S]*?\*\/|'[^']*'/g, '').match(/\b[A-Z]\w*/g) ?? []))
  }
  return [...reached.values()]
}

const testModule = `
declare module 'fleet-host/test' {
  export const startLab: import('fleet-host').StartLab
}
`

export function declareContract(): string {
  const api = new API({ cwd: root })
  try {
    const [project] = api.updateSnapshot({ openProjects: [join(root, 'tsconfig.json')] }).getProjects()
    if (!project) throw new Error('tsconfig.json: expected a project, got none')
    const { program, checker } = project
    const source = program.getSourceFile(join(root, 'host/contract/command.ts'))
    const contract = source && checker.getSymbolAtLocation(source)
    if (!contract) throw new Error('host/contract/command.ts: expected a module, got none')
    const exports = [...checker.getExportsOfModule(contract).map(({ name }) => name), 'StartLab']
    const printed = printReached(readDeclarations(program, checker), exports)
    const text = `declare module 'fleet-host' {\n${printed.join('\n\n')}\n}\n${testModule}`
    const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')
    const formatted = execFileSync(process.execPath, [biome, 'format', '--stdin-file-path=fleet-host.d.ts'], {
      cwd: root,
      input: text,
      encoding: 'utf8',
    })
    return formatted.split('\n').flatMap(wrapComment).join('\n')
  } finally {
    api.close()
  }
}

const lineLength = 120

/** A module's declarations are indented, which makes comments longer than a line. */
function wrapComment(line: string): string[] {
  const indent = /^ *(?=\/\*\* .* \*\/$)/.exec(line)?.[0]
  const begin = /^ +\* /.exec(line)?.[0]
  if (line.length <= lineLength || (indent ?? begin) === undefined) return [line]
  if (indent !== undefined)
    return [`${indent}/**`, ...wrapComment(`${indent} * ${line.slice(indent.length + 4, -3)}`), `${indent} */`]
  const at = line.lastIndexOf(' ', lineLength)
  return [line.slice(0, at), ...wrapComment(`${begin}${line.slice(at + 1)}`)]
}

if (process.argv[1] === import.meta.filename) writeFileSync(declarationFile, declareContract())
