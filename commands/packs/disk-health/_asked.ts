// Remembers when computers were asked.
import type { Context } from './_health-schemas.ts'

export async function markAsked(clients: readonly string[], { collections, services }: Context): Promise<void> {
  const asked = services.now()
  for (const client of clients) {
    const stored = await collections.computers.get(client)
    const value = stored?.value ?? { state: 'unknown', reasons: [], disks: [], filesystems: [] }
    // A report that has come meanwhile is newer.
    await collections.computers.put(client, { ...value, asked }, { version: stored?.version ?? 0 })
  }
}
