// Converts the disk layout of `Configurar` to the keys of setup's payload.

type Slot = Partial<Record<'partition' | 'code' | 'filesystem' | 'size' | 'format', string>>

export interface Layout {
  cache: string
  cache_size: string
  partition_setup: Slot[]
}

const slotKeys = new Map<string, keyof Slot>([
  ['par', 'partition'],
  ['cpt', 'code'],
  ['sfi', 'filesystem'],
  ['tam', 'size'],
  ['ope', 'format'],
])

/** The key of the payload; undefined: the disk, which `dsk` names, too. */
const layoutKeys = new Map<string, 'cache' | 'cache_size' | undefined>([
  ['dis', undefined],
  ['che', 'cache'],
  ['tch', 'cache_size'],
])

/** A payload has at least so many partitions. */
const leastSlots = 4

/** Reads lists of `key=value`: `*` separates the values, `%` or `!` the lists, and `par` begins a partition. */
export function readLayout(text: string): Layout | string {
  const layout: Layout = { cache: '0', cache_size: '0', partition_setup: [] }
  const slots = new Map<string, Slot>()
  let slot: Slot | undefined
  for (const item of text.split(/[*%!]/).filter(each => each.trim() !== '')) {
    const [, key = '', value = ''] = /^(\w+)=(.*)$/s.exec(item.trim()) ?? []
    if (key === 'par') {
      if (slots.has(value)) return `expected each partition once, got ${value} again`
      slot = {}
      slots.set(value, slot)
    }
    const [slotKey, layoutKey] = [slotKeys.get(key), layoutKeys.get(key)]
    if (slotKey && slot) slot[slotKey] = value
    else if (layoutKey) layout[layoutKey] = value
    else if (!layoutKeys.has(key)) return `expected key=value of a partition, got ${JSON.stringify(item.slice(0, 80))}`
  }
  if (slots.size === 0) return 'expected a partition, got none'
  // A partition that the layout does not have.
  for (let number = 1; number <= leastSlots; number += 1) {
    const partition = String(number)
    if (!slots.has(partition)) slots.set(partition, { partition, ...emptySlot })
  }
  layout.partition_setup = [...slots.values()].sort((a, b) => Number(a.partition) - Number(b.partition))
  return layout
}

const emptySlot = { code: 'EMPTY', filesystem: 'EMPTY', size: '0', format: '0' }
