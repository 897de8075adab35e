// Cuts texts from the network at a limit.

/** The first `limit` characters, in memory of their own. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text
  // Without the first half of a surrogate pair whose second half is cut off.
  const start = text.slice(0, limit).replace(/[\ud800-\udbff]$/, '')
  // A copy: a part of a string keeps all of it in memory, which may be as long as a message.
  return Buffer.from(start, 'utf16le').toString('utf16le')
}
