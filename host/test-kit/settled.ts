// Waits until nothing runs in a test's lab: no command for a client, and no hook.
import { setTimeout as delay } from 'node:timers/promises'
import type { AnswerOf, ClientsAnswer } from '../contract/answers.ts'
import type { LabResponse } from '../contract/test-lab.ts'

/** Milliseconds between two looks, and until a lab counts as stuck. */
const pause = 2
const longest = 30_000

/** `looks`: so often in a row nothing must run, as what has just ended may start something else. Rejects after a long time. */
export async function whenSettled(get: (path: string) => Promise<LabResponse>, looks = 2): Promise<void> {
  const end = performance.now() + longest
  let quiet = 0
  for (let most = looks; quiet < most; quiet += 1) {
    const running = await whatRuns(get)
    if (running === undefined) continue
    if (performance.now() > end) throw new Error(`still running after ${longest / 1000} s: ${running}`)
    await delay(pause)
    most = 2
    quiet = -1
  }
}

async function whatRuns(get: (path: string) => Promise<LabResponse>): Promise<string | undefined> {
  const [listed, hooksListed] = await Promise.all([get('/clients'), get('/hooks')])
  const { clients }: ClientsAnswer = listed.json
  const busy = clients.find(({ state }) => state === 'BSY')
  if (busy) return `a command on ${busy.addr}`
  const { hooks }: AnswerOf<'GET /hooks'> = hooksListed.json
  const hook = hooks.find(({ state, waiting }) => state === 'running' || (state === 'waiting' && waiting > 0))
  return hook && `the hook ${hook.name}`
}
