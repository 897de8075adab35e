// What brokers read of centers, rooms and computers.
import { type Computer, centerNamed, centerOf, computerOf, computersOf, plainMac, roomOf, roomsOf } from './_places.ts'
import type { Asked } from './_schemas.ts'
import { readStates } from './_states.ts'

type Read = (asked: Asked, path: readonly string[]) => Promise<unknown>

/** Those that the caller may use. */
export const centers: Read = async ({ services, rights }) => {
  const nodes = await services.store.scopes()
  return nodes.filter(({ id }) => rights.reachesCenter(id)).map(({ id, name }) => ({ id, name }))
}

export const center: Read = async (asked, [ou = '']) => ({ ...(await centerNamed(asked, ou)), description: '' })

export const groups: Read = async (asked, [ou = '']) => {
  centerOf(asked, ou)
  return []
}

export const labs: Read = async (asked, [ou = '']) => {
  const rooms = await roomsOf(asked, centerOf(asked, ou))
  return rooms.map(({ id, name, remote, group, center }) => ({
    id,
    name,
    inremotepc: remote,
    group: { id: group },
    ou: { id: center },
    classroomGroups: [],
  }))
}

export const lab: Read = async (asked, [ou = '', id = '']) => {
  const room = await roomOf(asked, ou, id)
  const computers = await computersOf(asked, room.id)
  return {
    id: room.id,
    name: room.name,
    location: room.location,
    description: '',
    inremotepc: room.remote,
    capacity: computers.length,
    defclients: computers.length,
    projector: false,
    board: false,
    routerip: room.gateway,
    netmask: room.netmask,
    ntp: room.ntp,
    dns: room.dns,
    proxyurl: '',
    mcastmode: 'full-duplex',
    mcastip: '',
    mcastport: 0,
    mcastspeed: 0,
    p2pmode: '',
    p2ptime: 0,
    picture: '',
  }
}

export const clients: Read = async (asked, [ou = '', id = '']) => {
  const room = await roomOf(asked, ou, id)
  const where = { ou: { id: room.center }, lab: { id: room.id } }
  return (await computersOf(asked, room.id)).map(each => ({
    ...nameOf(each),
    ip: each.ip,
    mac: plainMac(each.mac),
    ...where,
  }))
}

const nameOf = ({ id, name }: Computer) => ({ id, name })

async function statusOf(asked: Asked, computers: readonly Computer[]) {
  const ips = computers.map(({ ip }) => ip)
  const states = await readStates(asked, ips)
  return computers.map(({ id, ip }) => ({ id, ip, ...(states.get(ip) ?? { status: 'off' }) }))
}

export const clientStates: Read = async (asked, [ou = '', id = '']) =>
  statusOf(asked, await computersOf(asked, (await roomOf(asked, ou, id)).id))

export const clientState: Read = async (asked, path) => (await statusOf(asked, [await computerOf(asked, path)]))[0]

export const client: Read = async (asked, path) => {
  const computer = await computerOf(asked, path)
  const room = await roomOf(asked, path[0] ?? '', path[1] ?? '')
  return {
    ...nameOf(computer),
    serialno: computer.serial_number,
    netiface: computer.netiface,
    netdriver: computer.netdriver,
    mac: plainMac(computer.mac),
    ip: computer.ip,
    netmask: computer.netmask || room.netmask,
    routerip: room.gateway,
    repo: { id: computer.repo_id },
    profclient: null,
    validation: false,
    boottype: computer.boot,
    picture: '',
  }
}

export const hardware: Read = async (asked, path) => {
  const computer = await computerOf(asked, path)
  return { ...nameOf(computer), hardware: await asked.services.store.inventory.hardware(computer.ip) }
}

export const disks: Read = async (asked, path) => {
  const { store } = asked.services
  const computer = await computerOf(asked, path)
  const { ip } = computer
  const diskcfg: object[] = []
  for (const { disk, partition, size, code, used_size, image, image_since = 0 } of await store.inventory.partitions(
    ip,
  )) {
    if (partition === 0) {
      diskcfg.push({ disk, size, parttable: tables[code] ?? 'MSDOS' })
      continue
    }
    const [content] = await store.inventory.contents([ip], disk, partition)
    const { system: os = '', filesystem = '' } = content ?? {}
    const deployed = {
      id: image,
      deploydate: dateText(image_since),
      updated: await isNewest(asked, image, image_since),
    }
    const system = os !== '' && { os, ...(image > 0 && { image: deployed }) }
    diskcfg.push({ disk, size, partition, parttype: code.toString(16), filesystem, usage: used_size, ...system })
  }
  return { ...nameOf(computer), diskcfg }
}

/** By the codes of agents for the whole disk. */
const tables: Readonly<Record<number, string>> = { 1: 'MSDOS', 2: 'GPT', 3: 'LVM', 4: 'ZPOOL' }

/** `YYYY-MM-DD hh:mm:ss` of a time in milliseconds, '' for none. */
export const dateText = (time: number | string): string =>
  time === 0 ? '' : new Date(time).toISOString().slice(0, 19).replace('T', ' ')

/** Whether it came there after the last creation of the image. */
async function isNewest({ services }: Asked, id: number, since: number): Promise<boolean> {
  const image = id > 0 ? await services.store.images.findById(id) : undefined
  const file = image && (await services.images.file(image.name))
  return file !== undefined && since >= Date.parse(file.modified)
}
