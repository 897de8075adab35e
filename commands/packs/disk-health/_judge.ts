// Judges disks and file systems by the settings, with reasons in plain words.
import { type DiskHealth, type Settings, type State, worse } from './_health-schemas.ts'
import type { SmartFacts } from './_smart-values.ts'

interface Finding {
  state: State
  reason: string
}

const many = (one: string, other: string) => (count: number) => `${count} ${count === 1 ? one : other}`

const limited = {
  reallocated: many('sector was replaced by a spare one', 'sectors were replaced by spare ones'),
  pending: many('sector waits to be reallocated', 'sectors wait to be reallocated'),
  uncorrectable: many('error could not be corrected', 'errors could not be corrected'),
  media_errors: many('time data was not read or written correctly', 'times data was not read or written correctly'),
  wear: (percent: number) => `${percent} % of its rated life are used`,
  temperature: (degrees: number) => `it has ${degrees} °C`,
} as const

/** The bits of the critical warning of NVMe, the lowest first. */
const warnings = [
  'little of its spare memory is left',
  'its temperature is outside of its limits',
  'it has become unreliable after many errors',
  'it can only be read now',
  'the backup of its memory has failed',
  'its persistent memory can only be read now',
]
const temperatureBit = 1

/** `before`: the same disk in the report before. */
export function judgeDisk(
  facts: SmartFacts,
  before: DiskHealth | undefined,
  settings: Settings,
  now: number,
): DiskHealth {
  const { name, model, serial, size, values } = facts
  // It was not woken: what it has said before holds.
  if (facts.isStandby && before) return before
  const findings = findingsOf(facts, settings)
  const says =
    facts.passed !== undefined || Object.keys(values).some(key => key in limited || key === 'critical_warning')
  const own: Finding[] = findings.length > 0 || says ? findings : [{ state: 'unknown', reason: whyUnknown(facts) }]
  return {
    ...{ name, model, serial, values, time: now },
    ...(size !== undefined && { size }),
    state: own.length === 0 ? 'ok' : own.map(each => each.state).reduce(worse),
    reasons: own.map(({ reason }) => reason),
  }
}

function findingsOf({ passed, below, values }: SmartFacts, settings: Settings): Finding[] {
  const findings: Finding[] = []
  if (passed === false) findings.push({ state: 'failing', reason: 'the disk itself says that it is failing' })
  for (const attribute of below)
    findings.push({ state: 'warning', reason: `${attribute} is below the limit of its manufacturer` })
  // `as`: these are its keys.
  for (const key of Object.keys(limited) as (keyof typeof limited)[]) {
    const value = values[key]
    const { warning, failing } = settings[key]
    if (value === undefined) continue
    if (failing > 0 && value >= failing) findings.push({ state: 'failing', reason: limited[key](value) })
    else if (warning > 0 && value >= warning) findings.push({ state: 'warning', reason: limited[key](value) })
  }
  const { critical_warning = 0 } = values
  for (const [bit, reason] of warnings.entries())
    if (Math.floor(critical_warning / 2 ** bit) % 2 === 1)
      findings.push({ state: bit === temperatureBit ? 'warning' : 'failing', reason })
  return findings
}

function whyUnknown({ isStandby, problem }: SmartFacts): string {
  if (isStandby) return 'it was in standby, and was not woken'
  if (/unknown usb bridge/i.test(problem)) return 'smartctl does not know its USB adapter'
  return problem || 'it says nothing of itself'
}

/** `percent` of what may be used, as df has it. */
export function judgeFileSystem({ mount, percent }: { mount: string; percent: number }, { full }: Settings): Finding[] {
  return full > 0 && percent >= full ? [{ state: 'warning', reason: `${mount} is ${percent} % full` }] : []
}
