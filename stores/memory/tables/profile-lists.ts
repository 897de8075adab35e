// Reads the list of string ids of a profile.
import type { Profile } from './row-types.ts'

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

const readLists = new WeakMap<Profile, Uint32Array>()

/** For searches, which look through all lists: each is read once, which takes longer than the search. */
export function stringIdsOf(profile: Profile | undefined): Uint32Array {
  if (!profile) return new Uint32Array()
  const known = readLists.get(profile)
  if (known) return known
  const ids: number[] = []
  forEachStringId(profile.list, id => ids.push(id))
  const list = Uint32Array.from(ids)
  readLists.set(profile, list)
  return list
}
