// Finds the line of a key of the default export, for messages.

/** `problem` with the line that it is about in front, `/site/hello.ts:3: …`, as messages of the bundler have it. */
export function withLine(problem: string, file: string, source: string): string {
  const line = lineOf(source, keysOf(problem))
  return line === undefined ? problem : `${file}:${line}: ${problem}`
}

/** Names that a message has for the whole. */
const wholes = new Set(['module', 'command', 'hook', 'view', 'pack', 'file'])

/** `forward: expected to, got unknown key "too"` is about the key `too` in `forward`. */
function keysOf(problem: string): string[] {
  const [where = ''] = /^[\w.]+(?=[:[])/.exec(problem) ?? []
  const unknown = /got unknown key "(\w+)"$/.exec(problem)?.[1]
  const keys = where.split('.').filter(key => key !== '' && !wholes.has(key))
  return unknown === undefined ? keys : [...keys, unknown]
}

/**
 * From 1 on: where the keys come in this order, in the default export if it has them. Undefined when the text has not:
 * perhaps they are in an imported file.
 */
export function lineOf(text: string, keys: readonly string[]): number | undefined {
  const source = withoutTexts(text)
  const start = Math.max(source.search(/^export default\b/m), 0)
  const at = placeOfKeys(source, keys, start) ?? placeOfKeys(source, keys, 0)
  return at === undefined ? undefined : source.slice(0, at).split('\n').length
}

/** What is not closed goes on to the end, quotes to that of their line: each place is looked at once. */
const textsAndComments =
  /'(?:\\.|[^'\\\n])*(?:'|\n|\\?$)|"(?:\\.|[^"\\\n])*(?:"|\n|\\?$)|`(?:\\.|[^`\\])*(?:`|\\?$)|\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$)/gs

/** In them the name of a key is none; keys may be in quotes. */
const withoutTexts = (source: string) =>
  source.replaceAll(textsAndComments, (text, offset: number) =>
    /^\s*:/.test(source.slice(offset + text.length, offset + text.length + 9)) ? text : text.replaceAll(/[^\n]/g, ' '),
  )

function placeOfKeys(source: string, keys: readonly string[], from: number): number | undefined {
  let at = from
  for (const key of keys) {
    const found = source.slice(at).search(new RegExp(`(?<![\\w.])['"]?${key}['"]?\\s*[:(,\\n}]`))
    if (found < 0) return undefined
    at += found
  }
  return at
}
