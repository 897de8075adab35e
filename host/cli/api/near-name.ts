// What may be meant by a name that does not exist.
import { closest, distance } from 'fastest-levenshtein'
import { type CliError, usageError } from '../cli-error.ts'

/** `where: expected shell-run, got shell-rum`: suggests the most similar name. */
export const unknownName = (where: string, text: string, candidates: { name: string }[]): CliError =>
  usageError(`${where}: expected ${nearName(text, candidates) ?? 'an existing name'}, got ${text}`)

/** One in which two characters, or a third of them, are wrong at most, or the end is missing. */
export function nearName(text: string, candidates: { name: string }[]): string | undefined {
  const names = candidates.map(({ name }) => name)
  const near = names.length === 0 ? '' : closest(text, names)
  const wrong = distance(text, near)
  if (wrong < text.length && wrong <= Math.max(2, text.length / 3)) return near
  return names.find(name => name.startsWith(text))
}
