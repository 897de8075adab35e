// The groups of computers as commands ask for them: what they have now, and their changes.
import type { Group, New } from '../../stores/store.ts'
import { isRefusal, refuse } from '../contract/refusal.ts'
import type { GroupEntry, GroupsService, Refusal, Rights, SearchService } from '../contract/services.ts'
import type { NamedStore } from '../store/named-ids.ts'
import { noteEdit } from '../store/note-edit.ts'
import type { Keep } from '../store/undo-bin.ts'
import { createMutex } from '../system/mutex.ts'
import { checkGroup } from './check-group.ts'
import { type GroupUsers, usersOf } from './group-users.ts'

type GroupsDeps = GroupUsers & { store: NamedStore; search: SearchService; keep: Keep }

export function createGroups(deps: GroupsDeps): GroupsService {
  const { store, access, search, keep } = deps
  const { groups } = store
  const oneAtATime = createMutex()

  /** `work` gets a group with all groups; it is refused when there is none. */
  const changeGroup = (id: number, work: (group: Group, all: Group[]) => Promise<Refusal | undefined>) =>
    oneAtATime(async () => {
      const all = await groups.list()
      const group = all.find(each => each.id === id)
      return group ? work(group, all) : refuse(`group: there is no group ${id}`)
    })

  return {
    list: async rights => Promise.all((await groups.list()).map(group => describe(group, rights, search))),
    add: (group: New<Group>) =>
      oneAtATime(async () => {
        const refusal = await checkGroup({ ...group, id: 0 }, await groups.list(), access)
        return refusal ?? (await groups.add(group)) ?? isTaken(group)
      }),
    update: (id, { name, where, clients }, changer) =>
      changeGroup(id, async (before, all) => {
        const isOther = where !== undefined || clients !== undefined
        const content = isOther ? { ...(where !== undefined && { where }), ...(clients && { clients }) } : before
        const group = { ...content, id, name: name ?? before.name }
        const refusal = await checkGroup(group, all, access)
        if (refusal) return refusal
        const outcome = await groups.update(group)
        if (outcome === 'name taken') return isTaken(group)
        if (outcome !== 'updated') return refuse(`group: there is no group ${id}`)
        await noteEdit(changer, { kind: 'group', before, after: group }, store)
        return undefined
      }),
    delete: (id, changer) =>
      changeGroup(id, async (group, all) => {
        const [user] = await usersOf(group, all, deps)
        if (user !== undefined) return refuse(`group: ${group.name} is used by ${user}`)
        await keep(changer, store => store.groups.delete(id))
        return undefined
      }),
  }
}

const isTaken = ({ name }: New<Group>) => refuse(`name: group ${name} exists`)

/** A limited caller gets no query and no list, which may name computers, rooms and groups that are not its own. */
async function describe(group: Group, rights: Rights, search: SearchService): Promise<GroupEntry> {
  const found = await search.targets({ group: group.id }, rights)
  const computers = isRefusal(found) ? 0 : found.clients.length
  if (rights.isLimited) return { id: group.id, name: group.name, computers }
  return { ...group, computers, ...(isRefusal(found) && { problem: found.refused }) }
}
