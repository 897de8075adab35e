// Says which of the computers of a request have somebody logged in.
import { t } from '../language/translate.ts'
import { viewOf } from '../state/lab.ts'
import { listOf } from './job-words.ts'

/** A component that calls it follows the logins. */
export function isInUse(ip: string): boolean {
  const live = viewOf(ip)?.live.value
  return live !== undefined && (live.user !== undefined || live.condition.endsWith('-session'))
}

/** More users are counted. */
const maxUsers = 8

export function InUse({ clients }: { clients: readonly string[] }) {
  const used = clients.filter(isInUse)
  if (used.length === 0) return null
  const users = [...new Set(used.map(ip => viewOf(ip)?.live.value.user || t('rooms.someone')))]
  const names = listOf(users, maxUsers)
  return (
    <p class="banner warn">
      {clients.length === 1 ? t('inUse.only', { names }) : t('inUse.some', { n: used.length, names })}
    </p>
  )
}
