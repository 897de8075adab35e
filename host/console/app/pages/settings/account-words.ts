// What an account may reach, in words.
import type { AccountAnswer } from '../../../../contract/answers.ts'
import { t } from '../../language/translate.ts'
import { centers, rooms } from '../../state/lab.ts'

export type AccountKind = 'tokens' | 'users'

/** Of its routes. */
export const pathOf = (kind: AccountKind): string => (kind === 'tokens' ? '/token' : '/user')

/** An id stands for what the page does not know. */
export function limitWords({ centers: centerIds, rooms: roomIds }: Pick<AccountAnswer, 'centers' | 'rooms'>): string {
  if (centerIds.length + roomIds.length === 0) return t('accounts.allComputers')
  const nameIn = (list: readonly { id: number; name: string }[], id: number) =>
    list.find(each => each.id === id)?.name ?? `${id}`
  return [
    ...centerIds.map(id => t('accounts.centerName', { name: nameIn(centers.value, id) })),
    ...roomIds.map(id => nameIn(rooms.value, id)),
  ].join(', ')
}
