// Names of groups that Ansible takes: letters, digits and underscores, not beginning with a digit.
import { createHash } from 'node:crypto'

const wordOf = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')

/** Members of groups, by kind and by what the group is for: two rooms of one name are two groups. */
export class AnsibleGroups {
  readonly #groups = new Map<string, { kind: string; name: string; identity: string; hosts: Set<string> }>()

  /** `identity`: what tells apart two groups of one name; by default the name. */
  add(host: string | undefined, kind: string, name: string, identity = name): void {
    if (host === undefined) return
    const key = JSON.stringify([kind, identity])
    const group = this.#groups.get(key) ?? { kind, name, identity, hosts: new Set<string>() }
    group.hosts.add(host)
    this.#groups.set(key, group)
  }

  /** A name that is not unique, or has nothing that Ansible takes, gets a part that stays the same. */
  list(): Record<string, { hosts: string[] }> {
    const plain = Array.from(this.#groups.values(), group => ({
      ...group,
      word: `${group.kind}_${wordOf(group.name)}`,
    }))
    const counts = new Map<string, number>()
    for (const { word } of plain) counts.set(word, (counts.get(word) ?? 0) + 1)
    return Object.fromEntries(
      plain.map(({ kind, word, identity, hosts }) => {
        const isUnique = counts.get(word) === 1 && word !== `${kind}_`
        const digest = createHash('sha256').update(identity).digest('hex').slice(0, 6)
        return [isUnique ? word : `${word.replace(/_$/, '')}_${digest}`, { hosts: [...hosts].sort() }]
      }),
    )
  }
}
