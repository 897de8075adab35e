// Who was logged in where, for the few days that the setting says: nothing of it is in the other counts.
import { between } from './_usage-hours.ts'
import type { Context } from './_usage-schemas.ts'

const daySeconds = 86_400
const hour = 3_600_000
/** Sorts after all keys. */
const lastKey = '~'

export async function beginSession(context: Context, ip: string, since: number, user = ''): Promise<void> {
  if (context.settings.sessions_days === 0) return
  await context.collections.sessions.put(`${ip}/${since}`, { since, ...(user !== '' && { user }) })
}

/** Of sessions whose end nobody has seen, only the newest ends now. */
export async function endSession({ collections: { sessions }, settings }: Context, ip: string, until: number) {
  if (settings.sessions_days === 0) return
  const [newest] = (await sessions.list({ prefix: `${ip}/`, limit: 1000 })).toSorted(
    (one, other) => other.value.since - one.value.since,
  )
  if (newest && newest.value.until === undefined) await sessions.put(newest.key, { ...newest.value, until })
}

/** The newest first. */
export async function listSessions({ collections, services }: Context, hasClient: (ip: string) => boolean) {
  const found: { client: string; user: string; since: number; until: number | undefined }[] = []
  for await (const { key, value } of between(collections.sessions, '', lastKey)) {
    const [client = ''] = key.split('/')
    const { user = '', since, until } = value
    if (hasClient(client)) found.push({ client, user, since, until })
  }
  return services.slices.sort(found, (one, other) => other.since - one.since)
}

/** Before their days are over: the next time is an hour later. */
export async function deleteOldSessions({ collections, settings, services }: Context): Promise<void> {
  const oldest = services.now() - settings.sessions_days * daySeconds * 1000 + hour
  for await (const { key, value } of between(collections.sessions, '', lastKey))
    if (settings.sessions_days === 0 || value.since < oldest) await collections.sessions.delete(key)
}
