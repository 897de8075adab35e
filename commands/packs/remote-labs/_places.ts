// The centers, rooms and computers that a path of the API names, as far as the caller may use them.
import type { Frozen, Services } from 'fleet-host'
import { Problem, wholeNumber } from './_answers.ts'
import type { Asked } from './_schemas.ts'

export type Computer = Frozen<Awaited<ReturnType<Services['store']['computers']['list']>>[number]>
export type Room = Awaited<ReturnType<Services['store']['rooms']['list']>>[number]
export type Image = Awaited<ReturnType<Services['store']['images']['list']>>[number]

/** The id in a path; the same answer for a center that does not exist and for one of others. */
export function centerOf({ rights }: Asked, text: string): number {
  const id = wholeNumber(text, 'ou', 1)
  if (rights.reachesCenter(id)) return id
  throw new Problem(401, 'ou: not one of yours')
}

export async function centerNamed(asked: Asked, text: string): Promise<{ id: number; name: string }> {
  const id = centerOf(asked, text)
  const node = (await asked.services.store.scopes()).find(each => each.id === id)
  if (node) return { id, name: node.name }
  throw new Problem(401, 'ou: not one of yours')
}

export async function roomsOf({ services, rights }: Asked, center: number): Promise<Room[]> {
  const rooms = await services.store.rooms.list()
  return rooms.filter(room => room.center === center && rights.reachesRoom(room.id))
}

export async function roomOf(asked: Asked, ou: string, lab: string, status = 401): Promise<Room> {
  const id = wholeNumber(lab, 'lab', 1)
  const center = wholeNumber(ou, 'ou', 1)
  const room = asked.rights.reachesCenter(center) && (await roomsOf(asked, center)).find(each => each.id === id)
  if (room) return room
  throw new Problem(status, 'lab: not one of yours')
}

export async function computersOf({ services, rights }: Asked, room: number): Promise<Computer[]> {
  return (await services.store.computers.list(room)).filter(({ ip }) => !rights.isLimited || rights.hasClient(ip))
}

export async function computerOf(asked: Asked, [ou, lab, client]: readonly string[], status = 401): Promise<Computer> {
  const id = wholeNumber(client, 'client', 1)
  const room = await roomOf(asked, ou ?? '', lab ?? '', status)
  const computer = (await computersOf(asked, room.id)).find(each => each.id === id)
  if (computer) return computer
  throw new Problem(status, 'client: not one of yours')
}

export const isOffered = ({ name }: Image, { settings }: Asked): boolean =>
  settings.images.length === 0 || settings.images.includes(name)

/** Images of the center, of its rooms, and of all. */
export async function imagesOf(asked: Asked, center: number): Promise<Image[]> {
  const rooms = new Set((await roomsOf(asked, center)).map(({ id }) => id))
  const images = await asked.services.store.images.list()
  return images.filter(({ center_id, room_id = 0 }) =>
    room_id > 0 ? rooms.has(room_id) : center_id === 0 || center_id === center,
  )
}

export async function imageOf(asked: Asked, ou: string, image: string): Promise<Image> {
  const center = centerOf(asked, ou)
  const id = wholeNumber(image, 'image', 1)
  const found = (await imagesOf(asked, center)).find(each => each.id === id)
  if (found) return found
  throw new Problem(401, 'image: not one of yours')
}

/** As brokers read it: 12 digits in upper case. */
export const plainMac = (mac: string): string => mac.replaceAll(/[^0-9a-f]/gi, '').toUpperCase()
