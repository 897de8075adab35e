// Says which computers a request is for: `40 computers in Room 1 and Room 2`.
import { type MessageKey, t } from '../language/translate.ts'
import { labelOfName } from '../state/commands.ts'
import { nameOf, roomOf } from '../state/lab.ts'
import { listOf } from './job-words.ts'

/** The built-in commands that ask before they are sent. */
const questions: Readonly<Record<string, MessageKey | undefined>> = {
  poweroff: 'confirm.poweroff',
  reboot: 'confirm.reboot',
  stop: 'confirm.stop',
  setup: 'confirm.setup',
  'image-restore': 'confirm.image-restore',
  'client-delete': 'confirm.client-delete',
}

/** `Power off 40 computers in Room 1 and Room 2`. */
export function questionOf(command: string, addresses: readonly string[]): string {
  const target = targetWords(addresses)
  return t(questions[command] ?? 'confirm.other', { action: labelOfName(command), target })
}

/** More rooms are counted. */
const maxRooms = 4

export function targetWords(addresses: readonly string[]): string {
  const unique = [...new Set(addresses)]
  const rooms = [...new Set(unique.map(ip => roomOf(ip)?.name ?? t('command.noRoom')))]
  const shown = rooms.length > maxRooms ? rooms.slice(0, maxRooms - 1) : rooms
  const rest = rooms.length - shown.length
  const words = listOf([...shown, ...(rest > 0 ? [t('command.moreRooms', { n: rest })] : [])])
  const [only = ''] = unique
  if (unique.length === 1) return t('command.oneTarget', { name: nameOf(only), rooms: words })
  return t('command.targets', { n: unique.length, rooms: words })
}
