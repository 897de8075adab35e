// Finds the clients that would write one image file together.
import type { Request, Services } from 'fleet-host'

/** The clients that would write the image's file: direct requests skip those that are busy or not connected. */
export function writersOf(
  clients: string[],
  request: Request | undefined,
  { fleet }: Pick<Services, 'fleet'>,
): string[] {
  if (clients.length === 1 || !request || request.query.queue === '1') return clients
  const busy = new Set(fleet.running().map(({ addr }) => addr))
  return clients.filter(addr => fleet.has(addr) && !busy.has(addr))
}
