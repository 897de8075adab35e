// Reads the list of string ids of a profile.

const space = ' '.charCodeAt(0)
const zero = '0'.charCodeAt(0)

/** Written out instead of `split`, because a start runs it for millions of ids. */
export function forEachStringId(list: string, visit: (id: number) => void): void {
  let id = 0
  for (let at = 0; at < list.length; at += 1) {
    const code = list.charCodeAt(at)
    if (code === space) {
      visit(id)
      id = 0
    } else id = id * 10 + code - zero
  }
  if (list !== '') visit(id)
}
