// What a planned restore would overwrite: computers with the same content together, those with another system first.
import type { Content, Contents } from './_partition-content.ts'

/** So that a response stays within its limit. */
const mostGroups = 100

type Group = Content & { computers: number }

/** Computers with the same content, those with another system first, then the most. */
export function groupContents(contents: Iterable<Content>): Group[] {
  const groups = new Map<string, Group>()
  for (const each of contents) {
    const key = JSON.stringify(each)
    const group = groups.get(key) ?? { ...each, computers: 0 }
    group.computers += 1
    groups.set(key, group)
  }
  return [...groups.values()].sort(
    (a, b) => Number(b.another_system) - Number(a.another_system) || b.computers - a.computers,
  )
}

export const replaced = ({ byClient }: Contents) => [...byClient].filter(([, { another_system }]) => another_system)

/** What a plan would overwrite. */
export function contentPreview(clients: readonly string[], contents: Contents) {
  const unknown: Content = { system: '', filesystem: '', another_system: false }
  return {
    system: contents.system,
    content: groupContents(clients.map(client => contents.byClient.get(client) ?? unknown)).slice(0, mostGroups),
    overwrites: replaced(contents).length,
  }
}
