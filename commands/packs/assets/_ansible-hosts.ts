// The hosts of an inventory of Ansible: their names, their variables and their groups.
import type { FoundComputer, Rights, Room, Services } from 'fleet-host'
import { AnsibleGroups } from './_ansible-groups.ts'
import { type AssetFacts, macOf, pagesOf, readFacts } from './_asset-facts.ts'
import { splitModel } from './_makers.ts'

/** Computers that are read at once. */
const computersAtOnce = 100

/** As an inventory script prints it. */
export async function readInventory(where: string, rights: Rights, services: Services): Promise<object> {
  const computers = new Map<string, FoundComputer>()
  const columns = 'client,name,room,center,state'
  for await (const computer of pagesOf({ where, columns }, rights, services)) computers.set(computer.client, computer)
  const names = namesOf([...computers.values()])
  const rooms = new Map((await services.store.rooms.list()).map(room => [room.id, room]))
  const groups = new AnsibleGroups()
  const hostvars: Record<string, object> = {}
  const ips = [...computers.keys()]
  for (let from = 0; from < ips.length; from += computersAtOnce) {
    for (const facts of await readFacts(ips.slice(from, from + computersAtOnce), services)) {
      const { ip, room } = facts.record
      const [host, computer] = [names.get(ip), computers.get(ip)]
      if (host === undefined || !computer) continue
      const tags = tagsOf(facts, rooms.get(room))
      hostvars[host] = variablesOf(facts, computer, tags)
      groups.add(host, 'room', computer.room ?? '', String(room))
      groups.add(host, 'center', computer.center ?? '')
      for (const tag of tags) groups.add(host, 'tag', tag)
      for (const system of facts.systems) groups.add(host, 'system', system)
    }
  }
  for (const { name } of await services.groups.list(rights)) {
    const members = await services.search.find(`group:"${name}"`, rights)
    // The query of a group may name what is gone.
    if (services.isRefusal(members)) continue
    for (const { ip } of members) groups.add(names.get(ip), 'group', name)
  }
  return { _meta: { hostvars }, all: { hosts: Object.keys(hostvars).sort() }, ...groups.list() }
}

/** By address: the host name, or the address where that is not unique or nothing that Ansible takes for a host. */
function namesOf(computers: readonly FoundComputer[]): Map<string, string> {
  const counts = new Map<string, number>()
  for (const { name = '' } of computers) counts.set(name, (counts.get(name) ?? 0) + 1)
  const isUsable = (name: string) => counts.get(name) === 1 && /^[a-z0-9][a-z0-9._-]*$/i.test(name)
  return new Map(computers.map(({ client, name = '' }) => [client, isUsable(name) ? name : client]))
}

/** A computer also has the tags of its room. */
const tagsOf = ({ record }: AssetFacts, room: Room | undefined) => [
  ...new Set([...(record.tags ?? []), ...(room?.tags ?? [])]),
]

function variablesOf(
  { record, systems, devices }: AssetFacts,
  { room, center, state }: FoundComputer,
  tags: readonly string[],
): object {
  const variables = {
    ansible_host: record.ip,
    fleet_address: record.ip,
    fleet_mac: macOf(record),
    fleet_name: record.name,
    fleet_room: room,
    fleet_center: center,
    fleet_tags: tags,
    fleet_systems: systems,
    fleet_state: state,
    fleet_maintenance: record.maintenance,
    fleet_model: splitModel(devices('computer model')[0]).model,
  }
  return Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined && !isTemplate(value)))
}

/** Ansible runs templates in variables on its own machine, and agents may report any text. */
const isTemplate = (value: unknown) => /\{[{%#]/.test(JSON.stringify(value))
