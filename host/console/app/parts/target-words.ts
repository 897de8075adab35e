// Says which computers a request is for: `40 computers in Room 1 and Room 2`.
import { t, tryTranslate } from '../language/translate.ts'
import { labelOfName } from '../state/commands.ts'
import { nameOf, roomOf } from '../state/lab.ts'
import { listOf } from './job-words.ts'

/** Computers that a question names. */
const maxNames = 6

/** `Power off 40 computers in Room 1 and Room 2`: of each command that has no words of its own its name. */
export function questionOf(command: string, addresses: readonly string[]): string {
  const names = listOf(addresses.map(nameOf), maxNames)
  const values = { target: targetWords(addresses), names, n: addresses.length }
  return tryTranslate(`confirm.${command}`, values) ?? t('confirm.other', { action: labelOfName(command), ...values })
}

/** More rooms are counted. */
const maxRooms = 4

export function targetWords(addresses: readonly string[]): string {
  const unique = [...new Set(addresses)]
  const rooms = [...new Set(unique.map(ip => roomOf(ip)?.name ?? t('command.noRoom')))]
  const words = listOf(rooms, maxRooms)
  const [only = ''] = unique
  if (unique.length === 1) return t('command.oneTarget', { name: nameOf(only), rooms: words })
  return t('command.targets', { n: unique.length, rooms: words })
}
