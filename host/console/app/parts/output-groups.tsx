// What the scripts of a job printed: equal outputs once, with the computers that printed them.
import { useEffect } from 'preact/hooks'
import { t } from '../language/translate.ts'
import { labelOfName } from '../state/commands.ts'
import { hasRun, type JobOutputs, type Output } from '../state/job-outputs.ts'
import type { JobView, PartView } from '../state/jobs.ts'
import { nameOf } from '../state/lab.ts'
import { Button } from './button.tsx'

/** Of more computers the outputs are read when the user asks for it: each is a request. */
const maxUnasked = 100

export function OutputGroups({ view, outputs }: { view: JobView; outputs: JobOutputs }) {
  const { success, failure, stopped } = view.counts.value
  const ended = success + failure + stopped
  const read = outputs.read.value
  const isReading = outputs.isReading.value
  // Once asked for, those that end later are read as well.
  const isWanted = ended <= maxUnasked || read.size > 0
  useEffect(() => {
    if (isWanted) void outputs.load()
  }, [ended, isWanted])
  const groups = groupsOf(view.parts.value, read, outputs.running.value)
  const hasSteps = (view.job.value?.commands.length ?? 0) > 1
  return (
    <section class="card" aria-labelledby="outputs-title">
      <h2 id="outputs-title">{t('output.title')}</h2>
      {ended + groups.length === 0 && <p class="hint">{t('output.none')}</p>}
      {!isWanted && <Button text={t('output.read', { n: ended })} press={() => outputs.load()} disabled={isReading} />}
      {isReading && (
        <p class="hint" role="status">
          {t('output.reading')} <progress max={ended} value={read.size} aria-label={t('output.reading')} />
        </p>
      )}
      {groups.map(group => (
        <GroupView key={group.key} group={group} hasSteps={hasSteps} />
      ))}
    </section>
  )
}

interface OutputGroup {
  key: string
  step: number
  command: string
  output: Output
  /** What its scripts have printed so far. */
  isRunning: boolean
  clients: string[]
}

/** By step; of one step the most frequent output first. */
function groupsOf(
  parts: readonly PartView[],
  read: ReadonlyMap<string, Output>,
  running: ReadonlyMap<string, string>,
): OutputGroup[] {
  const groups = new Map<string, OutputGroup>()
  for (const part of parts) {
    const { key: partKey, step, command, client, live } = part
    const isRunning = live.peek().state === 'sent'
    const text = running.get(partKey)
    const output = hasRun(part) ? read.get(partKey) : isRunning && text !== undefined ? { text } : undefined
    if (output === undefined) continue
    const key = `${step} ${isRunning} ${typeof output === 'string' ? output : `text ${output.text}`}`
    const group = groups.get(key)
    if (group) group.clients.push(client)
    else groups.set(key, { key, step, command, output, isRunning, clients: [client] })
  }
  return [...groups.values()].sort((a, b) => a.step - b.step || b.clients.length - a.clients.length)
}

/** More names are folded. */
const maxNames = 6

function GroupView({ group, hasSteps }: { group: OutputGroup; hasSteps: boolean }) {
  const { output, clients, step, command } = group
  const names = clients.map(nameOf)
  return (
    <article class="output-group list">
      <h3>
        {hasSteps && `${step + 1}. ${labelOfName(command)}: `}
        {headingOf(group, names)}
      </h3>
      {names.length > 1 && names.length <= maxNames && <p class="hint">{names.join(', ')}</p>}
      {names.length > maxNames && (
        <details>
          <summary>{t('rooms.all', { n: names.length })}</summary>
          <p class="hint">{names.join(', ')}</p>
        </details>
      )}
      {typeof output === 'object' && output.text !== '' && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also with the keys
        <pre class="output" tabIndex={0}>
          {output.text}
        </pre>
      )}
    </article>
  )
}

function headingOf({ output, isRunning }: OutputGroup, names: string[]): string {
  const n = names.length
  const name = names[0] ?? ''
  if (output === 'dropped') return t('output.dropped', { n, name })
  if (output === 'failed') return t('output.failed', { n, name })
  if (output.text === '') return t('output.nothing', { n, name })
  return t(isRunning ? 'output.soFar' : 'output.same', { n, name })
}
