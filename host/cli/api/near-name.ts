// What may be meant by a name that does not exist.
import { closest, distance } from 'fastest-levenshtein'
import { type CliError, usageError } from '../cli-error.ts'

/** As many names as a line may have. */
const mostNames = 3

/** `where: expected shell-run, got shell-rum`: suggests the most similar names, of several the nearest first. */
export function unknownName(where: string, text: string, candidates: { name: string }[]): CliError {
  const near = nearNames(text, candidates)
  const similar = near.length > 1 ? `one of ${candidates.length}, such as ${listNames(near)}` : near[0]
  return usageError(`${where}: expected ${similar ?? existing(candidates)}, got ${text}`)
}

/** Those with a comma or a blank in quotes, as commands take them. */
export const listNames = (names: string[]): string =>
  names.map(name => (/[\s,]/.test(name) ? `"${name}"` : name)).join(', ')

/** All of few names, as one of them may be meant. */
const existing = (candidates: { name: string }[]): string => {
  const names = candidates.map(({ name }) => name)
  if (names.length === 0) return 'an existing name'
  return names.length <= mostNames
    ? `one of ${listNames(names)}`
    : `one of ${names.length}, such as ${listNames(names.slice(0, mostNames))}`
}

/** As near as the nearest one: of rooms with numbers none is meant more than another. */
function nearNames(text: string, candidates: { name: string }[]): string[] {
  const near = nearName(text, candidates)
  if (near === undefined) return []
  const equal = candidates.filter(({ name }) => name !== near && distance(text, name) === distance(text, near))
  return [near, ...equal.slice(0, mostNames - 1).map(({ name }) => name)]
}

/** One in which two characters, or a third of them, are wrong at most, or the end is missing. */
export function nearName(text: string, candidates: { name: string }[]): string | undefined {
  const names = candidates.map(({ name }) => name)
  const near = names.length === 0 ? '' : closest(text, names)
  const wrong = distance(text, near)
  if (wrong < text.length && wrong <= Math.max(2, text.length / 3)) return near
  return names.find(name => name.startsWith(text))
}
