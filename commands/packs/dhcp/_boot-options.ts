// What computers boot, by room and kind of firmware.
import type { BootEntry, Settings } from './_dhcp-schemas.ts'

/** The numbers are those of the DHCP option 93, as firmware sends them. */
export const firmwares = [
  { key: 'bios', numbers: [0] },
  { key: 'efi32', numbers: [6] },
  { key: 'efi64', numbers: [7, 9] },
  { key: 'arm64', numbers: [11] },
] as const

const isEmpty = (entry: BootEntry) => !entry.next_server && firmwares.every(({ key }) => !entry[key])

/** 0: it is for all rooms without a line. */
export const roomOf = ({ room = 0 }: Pick<BootEntry, 'room'>) => room

export const tagOf = (entry: Pick<BootEntry, 'room'>) => `fleet-room-${roomOf(entry)}`

/** Lines that say something. */
export const bootEntries = ({ boot }: Pick<Settings, 'boot'>) => boot.filter(entry => !isEmpty(entry))

/** The tag of a room; '' for none. */
export function tagFinder(settings: Pick<Settings, 'boot'>): (room: number) => string {
  const entries = new Map(settings.boot.map(entry => [roomOf(entry), entry]))
  return room => {
    const entry = entries.get(room) ?? entries.get(0)
    return entry && !isEmpty(entry) ? tagOf(entry) : ''
  }
}
