// Reads what smartctl says of a disk: SATA, NVMe and SAS, of any version from 7.0 on. Any part may be missing or wrong.
import type { DiskValues } from './_health-schemas.ts'

type Values = Readonly<Record<string, unknown>>

/** What an agent has sent of one disk. */
export interface SmartFacts {
  name: string
  model: string
  serial: string
  size: number | undefined
  values: DiskValues
  /** What it says of itself; undefined when it does not. */
  passed: boolean | undefined
  /** Names of the attributes that are below the limits of the manufacturer. */
  below: string[]
  isStandby: boolean
  /** Why it could not be asked. */
  problem: string
}

const toValues = (value: unknown): Values => (value instanceof Object ? { ...value } : {})
const toText = (value: unknown): string =>
  typeof value === 'string' ? value.replace(/\p{C}/gu, ' ').trim().slice(0, 100) : ''

/** Numbers beyond this are no counts. */
const highest = 1e12

function toCount(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 && value < highest ? Math.floor(value) : undefined
}

/** The greatest of those that are known. */
function highestOf(...counts: (number | undefined)[]): number | undefined {
  const known = counts.filter(each => each !== undefined)
  return known.length === 0 ? undefined : Math.max(...known)
}

/** Attributes whose normalized value is the percentage of life that is left; manufacturers have different ones. */
const lifeLeft =
  /^(wear_leveling_count|ssd_life_left|media_wearout_indicator|percent_life(time)?_remain(ing)?|remaining_lifetime_perc)$/i

export function readSmart(sent: object): SmartFacts {
  const all = toValues(sent)
  const attributes = Array.isArray(all.attributes) ? all.attributes.map(toValues) : []
  const { available } = toValues(all.smart_support)
  const bytes = toCount(toValues(all.user_capacity).bytes)
  const { passed } = toValues(all.smart_status)
  return {
    name: toText(all.name) || 'disk',
    model: toText(all.model_name) || toText(all.scsi_model_name),
    serial: toText(all.serial_number),
    size: bytes === undefined ? undefined : Math.round(bytes / 1e9),
    values: readValues(all, attributes),
    passed: typeof passed === 'boolean' ? passed : undefined,
    below: namesBelow(attributes),
    isStandby: all.standby === true,
    problem: toText(all.problem) || (available === false ? 'it has no SMART' : ''),
  }
}

const namesBelow = (attributes: readonly Values[]) =>
  attributes
    .filter(({ when_failed }) => when_failed === 'now')
    .map(({ name }) => toText(name) || 'an attribute')
    .slice(0, 10)

function readValues(all: Values, attributes: readonly Values[]): DiskValues {
  const nvme = toValues(all.nvme_smart_health_information_log)
  const rawOf = (id: number) => rawCount(attributes.find(each => each.id === id))
  const found = {
    reallocated: rawOf(5) ?? toCount(all.scsi_grown_defect_list),
    pending: rawOf(197),
    uncorrectable: highestOf(rawOf(187), rawOf(198), ...scsiErrors(all)),
    media_errors: toCount(nvme.media_errors),
    wear: readWear(all, nvme, attributes),
    spare: toCount(nvme.available_spare),
    critical_warning: readWarning(nvme),
    temperature: toCount(toValues(all.temperature).current) ?? toCount(nvme.temperature),
    hours: toCount(toValues(all.power_on_time).hours) ?? toCount(nvme.power_on_hours),
  }
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined))
}

/** The text, not the number, which may have other counters in its upper bytes: `16 (0 3)`. */
function rawCount(attribute: Values | undefined): number | undefined {
  const [digits] = /^\d+(?= |$)/.exec(toText(attribute?.raw)) ?? []
  return digits === undefined ? undefined : toCount(Number(digits))
}

function scsiErrors(all: Values): (number | undefined)[] {
  const log = toValues(all.scsi_error_counter_log)
  return ['read', 'write', 'verify'].map(kind => toCount(toValues(log[kind]).total_uncorrected_errors))
}

function readWear(all: Values, nvme: Values, attributes: readonly Values[]): number | undefined {
  const said =
    toCount(toValues(all.endurance_used).current_percent) ??
    toCount(nvme.percentage_used) ??
    toCount(all.scsi_percentage_used_endurance_indicator)
  if (said !== undefined || all.rotation_rate !== 0) return said
  const left = toCount(attributes.find(({ name }) => lifeLeft.test(toText(name)))?.value)
  return left === undefined || left > 100 ? undefined : 100 - left
}

/** With the bit of little spare memory, which some disks leave out. */
function readWarning({ critical_warning, available_spare, available_spare_threshold }: Values): number | undefined {
  const bits = toCount(critical_warning)
  const [spare, limit] = [toCount(available_spare), toCount(available_spare_threshold)]
  // Some have 0 or 100 as limit in place of none.
  const isLow = spare !== undefined && limit !== undefined && limit < 100 && spare < limit
  return isLow ? (bits ?? 0) | 1 : bits
}
