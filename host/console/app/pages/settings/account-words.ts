// What an account may reach, in words.
import type { AccountAnswer, Role } from '../../../../contract/answers.ts'
import { t } from '../../language/translate.ts'
import { centers, rooms } from '../../state/lab.ts'

export type AccountKind = 'tokens' | 'users'

export const roles: readonly Role[] = ['read', 'operate', 'admin']

/** Of its routes. */
export const pathOf = (kind: AccountKind): string => (kind === 'tokens' ? '/token' : '/user')

/** An id stands for what the page does not know. */
export function limitWords(account: Pick<AccountAnswer, 'centers' | 'rooms' | 'groups'>): string {
  const { centers: centerIds, rooms: roomIds, groups = [] } = account
  if (centerIds.length + roomIds.length + groups.length === 0) return t('accounts.allComputers')
  const nameIn = (list: readonly { id: number; name: string }[], id: number) =>
    list.find(each => each.id === id)?.name ?? `${id}`
  return [
    ...centerIds.map(id => t('accounts.centerName', { name: nameIn(centers.value, id) })),
    ...roomIds.map(id => nameIn(rooms.value, id)),
    ...(groups.length > 0 ? [t('accounts.groups', { n: groups.length })] : []),
  ].join(', ')
}
