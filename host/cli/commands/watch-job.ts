// `fleet job <id> --watch`: follows the parts of a job until all have ended, with bars for copies of images.
import type { JobDetails, PartAnswer } from '../../contract/answers.ts'
import { isEnded, readJob } from '../api/job-progress.ts'
import { type ComputerRef, readComputers } from '../api/records.ts'
import type { CliContext } from '../context.ts'
import { watch } from '../terminal/live-view.ts'
import { formatProgress } from '../terminal/progress-bar.ts'
import { onOneLine } from '../terminal/terminal.ts'
import { formatParts, formatSummary, reasonOf } from './job-results.ts'

/** Resolves to whether the job has ended: Ctrl-C ends the view earlier. */
export async function watchJob(context: CliContext, id: number): Promise<boolean> {
  const api = context.connect()
  const computers = await readComputers(api)
  const changes = new PartChanges(computers)
  let hasEnded = false
  await watch(context, async width => {
    const job = await readJob(api, id)
    hasEnded = isEnded(job.counts)
    if (hasEnded) return undefined
    if (!context.screen) return changes.lines(job)
    const parts = job.parts.toSorted((one, other) => rankOf(one) - rankOf(other))
    return `${formatSummary(job)}\n${formatParts({ ...job, parts }, computers, width)}`
  })
  return hasEnded
}

/** What runs comes first, the slowest at the top, then what has failed: a screen has few rows. */
function rankOf({ state, progress }: PartAnswer): number {
  if (state === 'sent') return progress?.percent ?? 0
  if (state === 'failure') return 101
  return state === 'queued' ? 102 : 103
}

/** Percent between two lines about one part. */
const lineStep = 10

/** For a pipe: a line for each part whose state has changed, or that has copied another tenth. */
class PartChanges {
  readonly #computers: Map<string, ComputerRef>
  /** What the last line of each part was about. */
  readonly #printed = new Map<string, string>()

  constructor(computers: Map<string, ComputerRef>) {
    this.#computers = computers
  }

  lines({ parts, commands }: JobDetails): string {
    const changed = parts.filter(part => this.#hasChanged(part))
    return changed.map(part => this.#formatLine(part, commands.length > 1)).join('\n')
  }

  #hasChanged({ client, step, state, progress, waiting }: PartAnswer): boolean {
    const key = `${step} ${client}`
    const about = `${state} ${progress ? Math.floor(progress.percent / lineStep) : ''}${waiting?.for ?? ''}`
    if (this.#printed.get(key) === about) return false
    this.#printed.set(key, about)
    return true
  }

  #formatLine(part: PartAnswer, hasSteps: boolean): string {
    const { client, step, command, state, progress } = part
    const texts = [
      client,
      this.#computers.get(client)?.name ?? '',
      hasSteps ? `${step + 1} ${command}` : '',
      progress ? formatProgress(progress) : state,
      reasonOf(part),
    ]
    return onOneLine(texts.filter(Boolean).join('  '))
  }
}
