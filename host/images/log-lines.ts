// Splits what a live system serves into the lines of its console log: plain text, or a page.
import { stripVTControlCharacters } from 'node:util'

/** Characters of a line that are read, and may become a reason: patterns are tried on nothing longer. */
export const lineCharacters = 180

/** Programs that draw their progress go back to the line's start, or up to the line before. */
const escapeCode = '\\x1b'
const lineEnds = new RegExp(`[\\r\\n]+|<br ?/?>|${escapeCode}\\[A`, 'gi')

const special = new RegExp(`[<&${escapeCode}]`)

export function* rawLines(text: string): Generator<string> {
  let start = 0
  for (const { index, 0: end } of text.matchAll(lineEnds)) {
    if (index > start) yield text.slice(start, index)
    start = index + end.length
  }
  if (start < text.length) yield text.slice(start)
}

/** Some systems serve the log as a page. */
const page = /<(?:html|body|pre|textarea)\b/i
const areaStart = /<textarea\b/i
const areaEnd = /<\/textarea>/i

/**
 * The page of the family's live systems has two areas: the first lines of the log that are no progress, at most 15, and
 * the last two that are. What is between them is not shown.
 */
const firstAreaLines = 15

export class LogPage {
  #isPage = false
  /** How many have begun. */
  #areas = 0
  #isInArea = false
  #firstLines = 0

  /** Lines of the log are left out between those before and those that follow. */
  get isCut(): boolean {
    return this.#firstLines >= firstAreaLines
  }

  get isInFirstArea(): boolean {
    return this.#isInArea && this.#areas === 1
  }

  /** What follows is not from where the lines before ended. */
  get isTail(): boolean {
    return this.#areas > 1
  }

  /** The texts to be read of a line, without colours and markup; of a long one its beginning and its end. */
  read(raw: string): string[] {
    const isSimple = raw.length <= lineCharacters && !special.test(raw)
    const texts = isSimple ? [raw.trim()].filter(Boolean) : this.#readSpecial(raw)
    if (this.isInFirstArea && texts.length > 0) this.#firstLines += 1
    return texts
  }

  #readSpecial(raw: string): string[] {
    const isMarkup = raw.includes('<') && this.#readTags(raw.slice(0, lineCharacters))
    const isPlain = !this.#isPage || (this.#isInArea && !isMarkup)
    return cut(raw, 2 * lineCharacters)
      .map(text => stripVTControlCharacters(text))
      .map(text => (isPlain ? text : text.replaceAll(tag, '')).replaceAll(entity, decoded).trim())
      .flatMap(text => cut(text, lineCharacters))
      .filter(Boolean)
  }

  /** Whether an area begins or ends here: a `<` of other lines in it is the log's own. */
  #readTags(raw: string): boolean {
    this.#isPage ||= page.test(raw)
    const [starts, ends] = [areaStart.test(raw), areaEnd.test(raw)]
    if (starts) this.#areas += 1
    if (starts || ends) this.#isInArea = starts && !ends
    return starts || ends
  }
}

const tag = /<\/?[a-z][^<>]{0,200}>/gi
const entity = /&(lt|gt|amp|quot);/g
const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' }
const decoded = (text: string, name: string) => entities[name] ?? text

const cut = (text: string, length: number): string[] =>
  text.length > length ? [text.slice(0, length), text.slice(-length)] : [text]
