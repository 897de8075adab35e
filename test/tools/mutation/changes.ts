// Finds what can be changed in a source file: one operator, constant or call at a time.
import { getTokenPosOfNode, type Node, type SourceFile, SyntaxKind } from 'typescript/unstable/ast'
import * as is from 'typescript/unstable/ast/is'

/** Replaces the text from `start` to `end` (offsets in the file). */
export interface Change {
  file: string
  /** Counted from 1. */
  line: number
  /** Counted from 0. */
  column: number
  start: number
  end: number
  before: string
  after: string
  /** Why no test can be expected to notice it. */
  leftOut?: string
}

const operators: Record<string, string> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '+=': '-=',
  '-=': '+=',
  '??=': '=',
  '||=': '=',
}

/** Numbers up to this one become the next one; larger ones, which are times and sizes, become 0. */
const largestCount = 16

/** What callers read and nothing depends on: logs, errors, and descriptions in schemas. */
const wordsOnly = /^(this\.)?#?(deps\.)?(limitedLog|log)\.(debug|info|warn|error)$/
const describing = ['summary', 'description', 'title', 'example']

/** `file` is what the changes are reported with. */
export function changesIn(file: string, source: SourceFile): Change[] {
  const changes: Change[] = []
  let leftOut: string | undefined
  const add = (start: number, end: number, after: string) => {
    const line = source.text.slice(0, start).split('\n').length
    const column = start - source.text.lastIndexOf('\n', start - 1) - 1
    changes.push({
      file,
      line,
      column,
      start,
      end,
      before: source.text.slice(start, end),
      after,
      ...(leftOut && { leftOut }),
    })
  }
  const visit = (node: Node): void => {
    if (isOnlyWords(node, source)) return
    const outer = leftOut
    if (is.isCallExpression(node) && exampleCall.test(textOf(node.expression, source))) {
      leftOut = 'an example in the API reference'
    }
    visitOne(node)
    node.forEachChild(visit)
    leftOut = outer
  }
  const visitOne = (node: Node): void => {
    const start = getTokenPosOfNode(node, source)
    if (is.isBinaryExpression(node)) {
      const from = getTokenPosOfNode(node.operatorToken, source)
      const after = operators[source.text.slice(from, node.operatorToken.end)]
      if (after) add(from, node.operatorToken.end, after)
    } else if (is.isPrefixUnaryExpression(node) && node.operator === SyntaxKind.ExclamationToken) {
      add(start, getTokenPosOfNode(node.operand, source), '')
    } else if (is.isNumericLiteral(node)) {
      add(start, node.end, nextNumber(source.text.slice(start, node.end)))
    } else if (node.kind === SyntaxKind.TrueKeyword) add(start, node.end, 'false')
    else if (node.kind === SyntaxKind.FalseKeyword) add(start, node.end, 'true')
    else if (is.isExpressionStatement(node) && isCall(node.expression)) {
      // An empty block in its place: the statement may be all that an `if` has.
      add(start, node.end, '{}')
    }
  }
  visit(source)
  return changes
}

function nextNumber(text: string): string {
  const value = Number(text.replaceAll('_', ''))
  return value <= largestCount ? String(value + 1) : '0'
}

function isCall(node: Node): boolean {
  if (is.isAwaitExpression(node) || is.isVoidExpression(node)) return isCall(node.expression)
  return is.isCallExpression(node)
}

/** The helpers of commands/_schemas/results.ts. */
const exampleCall = /^(described|like)$/

const textOf = (node: Node, source: SourceFile) => source.text.slice(getTokenPosOfNode(node, source), node.end)

/** Types, imports, and what only logs or describes. */
function isOnlyWords(node: Node, source: SourceFile): boolean {
  if (is.isImportDeclaration(node) || is.isTypeNode(node) || is.isInterfaceDeclaration(node)) return true
  if (is.isTypeAliasDeclaration(node)) return true
  if (is.isExpressionStatement(node) && is.isCallExpression(node.expression)) {
    return wordsOnly.test(textOf(node.expression.expression, source))
  }
  if (is.isCallExpression(node)) return wordsOnly.test(textOf(node.expression, source))
  if (is.isNewExpression(node)) return /Error$/.test(textOf(node.expression, source))
  return is.isPropertyAssignment(node) && describing.includes(textOf(node.name, source))
}
