// Says whom a task or a schedule is for: what is found each time anew, or a list of computers that stays as it is.
import type { TargetWords } from '../../contract/answers.ts'
import { plural } from './text-table.ts'

/** `Lab 1 (follows the room)`, `these 12 computers`, `Lab 1 (these 12 computers)`. */
export function followedWords({ kind, names, computers = 0 }: TargetWords): string {
  if (kind === 'list') {
    const these = computers === 1 ? 'this 1 computer' : `these ${plural(computers, 'computer')}`
    return names.length === 0 ? these : `${names.join(', ')} (${these})`
  }
  if (kind === 'query') return names[0] === undefined ? 'what its query finds' : `what ${names[0]} finds`
  if (kind === 'group') return names.length === 0 ? 'a group that is gone' : `group ${names[0]}`
  const what = kind.slice(0, -1)
  if (names.length === 0) return `a ${what} that is gone`
  return `${names.join(', ')} (follows the ${names.length === 1 ? what : kind})`
}
