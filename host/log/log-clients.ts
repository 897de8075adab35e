// Names the clients that a log line is about: their number and the first addresses.

/** Addresses in a line. */
export const shownClients = 3

/** `2 clients: 10.1.1.20, 10.1.1.21`; after the first addresses an ellipsis. */
export function describeClients(addrs: readonly string[]): string {
  const names = [...addrs.slice(0, shownClients), ...(addrs.length > shownClients ? ['…'] : [])]
  return `${addrs.length} ${addrs.length === 1 ? 'client' : 'clients'}${names.length > 0 ? `: ${names.join(', ')}` : ''}`
}

/** The same as fields of a line in JSON: `targets` is their number. */
export const clientFields = (addrs: readonly string[]) => ({
  targets: addrs.length,
  clients: addrs.slice(0, shownClients),
})
