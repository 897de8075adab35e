// The texts and numbers of computers that searches compare, and the words of agents that they are made of.

export const searchTexts = {
  name: 'its host name',
  ip: 'its address',
  mac: 'its hardware address',
  serial_number: 'its serial number',
  boot: 'its boot mode',
  computer_id: 'the id of its record',
  room: 'the name of its room',
  room_id: 'the id of its room',
  center: 'the name of its center',
  center_id: 'the id of its center',
  repository: 'the name of the repository of its images',
  tag: 'a tag of it or of its room',
  system: 'an installed operating system',
  image: 'the image of one of its partitions',
} as const

export const searchNumbers = {
  memory: 'MiB of memory, of all its modules',
  disk: 'MiB of its largest disk',
  used: 'percent that are used of its fullest partition',
} as const

/** Texts that are offered for one condition. */
export const mostValues = 20

/** The type of the devices that memory is counted from. */
export const memoryType = 'memory'

const units: Readonly<Record<string, number>> = { k: 1 / 1024, m: 1, g: 1024, t: 1024 * 1024 }

/** MiB of a text such as `DDR4 16 GiB 3200 MHz`: its first size in KB to TiB; 0 without one. */
export function sizeIn(text: string): number {
  const [, number = '0', unit = 'm'] = /(\d{1,9}(?:\.\d{1,6})?) ?([kmgt])i?b\b/i.exec(text) ?? []
  return Number(number) * (units[unit.toLowerCase()] ?? 0)
}

/** MiB of all modules of memory; undefined when none says its size. */
export function memoryOf(descriptions: readonly string[]): number | undefined {
  const sum = descriptions.reduce((total, text) => total + sizeIn(text), 0)
  return sum > 0 ? Math.round(sum) : undefined
}
