// Sends commands to the computer of the page and shows what became of the newest one.
import { type Signal, signal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import type { JobDetails } from '../../../../contract/answers.ts'
import type { StreamEvent } from '../../../../contract/fleet-events.ts'
import { post } from '../../api/request.ts'
import { t } from '../../language/translate.ts'
import { stateWord } from '../../parts/job-words.ts'
import { report } from '../../state/notices.ts'
import { useResource } from '../../state/resource.ts'
import { linkTo } from '../../state/route.ts'

interface Sent {
  label: string
  job: number
}

export interface Commands {
  readonly ip: string
  readonly sent: Signal<Sent | undefined>
  /** `label` is what the button says; `more` is the payload without `clients`. */
  send(label: string, path: string, more?: object): Promise<void>
}

export const useCommands = (ip: string): Commands => useMemo(() => createCommands(ip), [ip])

function createCommands(ip: string): Commands {
  const sent = signal<Sent | undefined>(undefined)
  return {
    ip,
    sent,
    async send(label, path, more) {
      const reply = await post(path, { clients: [ip], ...more })
      if (!report(reply)) return
      sent.value = reply.job === undefined ? undefined : { label, job: reply.job }
    },
  }
}

export function SentCommand({ commands: { ip, sent } }: { commands: Commands }) {
  return <div role="status">{sent.value && <Outcome key={sent.value.job} {...sent.value} ip={ip} />}</div>
}

function Outcome({ label, job, ip }: Sent & { ip: string }) {
  const details = useResource<JobDetails>(`/jobs/${job}?client=${ip}`, event => 'job' in event && event.job === job)
  const part = details.value.value?.parts[0]
  return (
    <p class="sent-command" data-state={part?.state ?? 'sent'}>
      <b>{label}</b>
      <span class="part-state" data-state={part?.state ?? 'sent'}>
        {part ? stateWord(part.state) : '…'}
      </span>
      {part?.reason && <span>{part.reason}</span>}
      <a href={linkTo('job', job)}>{t('panel.job', { id: String(job) })}</a>
    </p>
  )
}

/** Whether an event says that what the agent reports of this computer may have changed. */
export const hasReported = (ip: string) => (event: StreamEvent) =>
  (event.type === 'client-ready' || event.type === 'job-part') && event.clients.includes(ip)
