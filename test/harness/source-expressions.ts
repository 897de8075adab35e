// Finds the regular expressions of the source: literals, those that are built from texts, and patterns of JSON Schemas.
import { join, relative } from 'node:path'
import {
  isIdentifier,
  isNewExpression,
  isNoSubstitutionTemplateLiteral,
  isNumericLiteral,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isRegularExpressionLiteral,
  isStringLiteral,
  isTemplateExpression,
  isVariableDeclaration,
  type Node,
  type SourceFile,
} from 'typescript/unstable/ast'
import { API } from 'typescript/unstable/sync'
import { root } from './source-files.ts'

export interface SourceExpression {
  /** Relative to `root`. */
  file: string
  /** The code: `/a+/`, `new RegExp(text)`. */
  code: string
  /** Undefined for one whose text is known only when the code runs. */
  expression: RegExp | undefined
}

/** Stands for a part of a template that is known only when the code runs, mostly a name. */
const unknownPart = 'x'

/** `folders` are relative to `root`. */
export function findSourceExpressions(folders: readonly string[]): SourceExpression[] {
  const api = new API({ cwd: root })
  try {
    const openProjects = ['.', 'host/console/app'].map(folder => join(root, folder, 'tsconfig.json'))
    const projects = api.updateSnapshot({ openProjects }).getProjects()
    const sources = projects.flatMap(({ program }) => {
      const names = program
        .getSourceFileNames()
        .filter(name => folders.includes(relative(root, name).split('/')[0] ?? ''))
      return names.flatMap(name => program.getSourceFile(name) ?? [])
    })
    const imported = new Map(sources.flatMap(valuesOf))
    return sources.flatMap(source => [...new FileExpressions(source, imported).find()])
  } finally {
    api.close()
  }
}

class FileExpressions {
  readonly #source: SourceFile
  /** By the name of the variable. */
  readonly #values: ReadonlyMap<string, Node>

  constructor(source: SourceFile, imported: ReadonlyMap<string, Node>) {
    this.#source = source
    this.#values = new Map([...imported, ...valuesOf(source)])
  }

  *find(): Generator<SourceExpression> {
    const file = relative(root, this.#source.fileName)
    for (const node of nodesOf(this.#source)) {
      const found = this.#expressionOf(node)
      if (!found) continue
      const [source, flags] = found
      const code = node.getText(this.#source)
      yield { file, code, expression: source === undefined ? undefined : new RegExp(source, flags) }
    }
  }

  /** Its text and flags; undefined for any other node. */
  #expressionOf(node: Node): [source: string | undefined, flags: string] | undefined {
    if (isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/')
      return [node.text.slice(1, end), node.text.slice(end + 1)]
    }
    if (isNewExpression(node) && isIdentifier(node.expression) && node.expression.text === 'RegExp') {
      const [source, flags] = node.arguments ?? []
      return [source && this.#textOf(source), (flags && this.#textOf(flags)) ?? '']
    }
    // With the flag with which Ajv compiles it.
    if (isPropertyAssignment(node) && node.name.getText(this.#source) === 'pattern') {
      const source = isNewExpression(node.initializer) ? undefined : this.#textOf(node.initializer)
      if (source !== undefined && !isRegularExpressionLiteral(node.initializer)) return [source, 'u']
    }
    return undefined
  }

  #textOf(node: Node): string | undefined {
    if (isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node) || isNumericLiteral(node)) return node.text
    if (isRegularExpressionLiteral(node)) return this.#expressionOf(node)?.[0]
    if (isPropertyAccessExpression(node) && node.name.text === 'source') return this.#textOf(node.expression)
    if (isIdentifier(node)) {
      const value = this.#values.get(node.text)
      return value && this.#textOf(value)
    }
    if (!isTemplateExpression(node)) return undefined
    const parts = node.templateSpans.map(
      ({ expression, literal }) => (this.#textOf(expression) ?? unknownPart) + literal.text,
    )
    return node.head.text + parts.join('')
  }
}

/** The constants of a file that have one name are taken for one. */
const valuesOf = (source: SourceFile): [name: string, value: Node][] =>
  [...nodesOf(source)].flatMap(node =>
    isVariableDeclaration(node) && isIdentifier(node.name) && node.initializer
      ? [[node.name.text, node.initializer]]
      : [],
  )

function* nodesOf(node: Node): Generator<Node> {
  yield node
  const children: Node[] = []
  node.forEachChild(child => void children.push(child))
  for (const child of children) yield* nodesOf(child)
}
