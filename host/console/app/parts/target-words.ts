// Says which computers a request is for: `40 computers in Room 1 and Room 2`.
import { t, tryTranslate } from '../language/translate.ts'
import { labelOfName } from '../state/commands.ts'
import { nameOf, rooms } from '../state/lab.ts'
import { listOf } from './job-words.ts'
import { byRoom } from './target-list.tsx'

/** `Power off 40 computers in Room 1 and Room 2`: of each command that has no words of its own its name. */
export function questionOf(command: string, addresses: readonly string[]): string {
  const values = { target: targetWords(addresses), n: addresses.length }
  return tryTranslate(`confirm.${command}`, values) ?? t('confirm.other', { action: labelOfName(command), ...values })
}

/** `3 computers are in Room 2 now`: what a command that makes no job has done. */
export function doneWords(command: string, addresses: readonly string[], { room }: { room?: unknown } = {}): string {
  const target = targetWords(addresses)
  const [name, roomName = ''] = [nameOf(addresses[0] ?? ''), rooms.value.find(({ id }) => id === Number(room))?.name]
  const values = { target, n: addresses.length, name, room: roomName }
  return tryTranslate(`done.${command}`, values) ?? t('command.done', { action: labelOfName(command), target })
}

/** More rooms are counted. */
const maxRooms = 4

export function targetWords(addresses: readonly string[]): string {
  const unique = [...new Set(addresses)]
  const words = listOf(
    byRoom(unique).map(({ name }) => name),
    maxRooms,
  )
  const [only = ''] = unique
  if (unique.length === 1) return t('command.oneTarget', { name: nameOf(only), rooms: words })
  return t('command.targets', { n: unique.length, rooms: words })
}
