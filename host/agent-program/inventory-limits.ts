// How much of an inventory fits into one reply.

/** Lines. */
export const mostHardware = 500

/** Bytes and lines: the daemon takes messages of 128 KiB and 10,000 lines. */
const longestList = 120_000
const mostPrograms = 10_000

/** The first lines that fit into a message. */
export function cutLines(lines: string[]): string {
  let bytes = 0
  const end = lines.slice(0, mostPrograms).findIndex(line => {
    bytes += Buffer.byteLength(JSON.stringify(line))
    return bytes > longestList
  })
  return lines.slice(0, end < 0 ? mostPrograms : end).join('\n')
}
