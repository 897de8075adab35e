// Makes a CSV file of a job's outcomes in the browser.
import { useSignal } from '@preact/signals'
import { t } from '../../language/translate.ts'
import { Button } from '../../parts/button.tsx'
import { saveCsv } from '../../parts/save-csv.ts'
import type { JobOutputs, Output } from '../../state/job-outputs.ts'
import type { JobView } from '../../state/jobs.ts'
import { nameOf, roomOf } from '../../state/lab.ts'
import { notify } from '../../state/notices.ts'

/** `outputs` of a job whose commands run scripts. */
export function JobDownload({ view, outputs }: { view: JobView; outputs: JobOutputs | undefined }) {
  const { parts } = view
  const isBusy = useSignal(false)
  const download = async () => {
    isBusy.value = true
    await outputs?.load()
    isBusy.value = false
    const failed = parts.peek().filter(({ key }) => outputs?.read.peek().get(key) === 'failed')
    const [first] = failed
    if (first) return notify('bad', t('output.failed', { n: failed.length, name: nameOf(first.client) }))
    saveCsv(`job-${view.id}`, rowsOf(view, outputs?.read.peek() ?? new Map()))
  }
  return <Button text={isBusy.value ? t('output.reading') : t('job.csv')} disabled={isBusy.value} press={download} />
}

const header = ['client', 'name', 'room', 'step', 'command', 'state', 'reason', 'queued', 'sent', 'ended', 'output']

function rowsOf({ parts }: JobView, read: ReadonlyMap<string, Output>): string[][] {
  const rows = parts.peek().map(({ key, client, step, command, live }) => {
    const { state, reason = '', queued = '', sent = '', ended = '' } = live.peek()
    const output = read.get(key)
    const text = typeof output === 'object' ? output.text : ''
    const room = roomOf(client)?.name ?? ''
    return [client, nameOf(client), room, String(step + 1), command, state, reason, queued, sent, ended, text]
  })
  return [header, ...rows]
}
