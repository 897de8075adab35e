// Scripts that the page loads when it needs them, or before that when it has nothing else to do.
import { effect, type ReadonlySignal, signal } from '@preact/signals'
import { get } from '../api/request.ts'
import { t } from '../language/translate.ts'
import { isLoaded } from './lab.ts'
import { notify } from './notices.ts'
import { reloadPage, wasReloaded } from './reload.ts'

export interface Script<Module> {
  /** Undefined until it is there. */
  module: ReadonlySignal<Module | undefined>
  /** Undefined when it is there. */
  load(): Promise<void> | undefined
}

export function script<Module>(importModule: () => Promise<Module>): Script<Module> {
  const module = signal<Module | undefined>(undefined)
  const read = async () => {
    module.value = await importModule()
  }
  // A later page is there at once, also without a connection. What could not be read is read when it is needed.
  effect(() => {
    if (isLoaded.value) whenIdle(() => void read().catch(() => {}))
  })
  return { module, load: () => (module.peek() ? undefined : read().catch(recover)) }
}

/** The scripts of a daemon that was updated have other names: the page that it serves now has those. */
export async function recover(error: unknown): Promise<void> {
  const { ok } = await get('/console')
  if (!ok) return notify('bad', t('notice.unreachable'))
  if (!wasReloaded) return reloadPage()
  notify('bad', t('frame.scriptProblem'))
  throw error
}

/** Milliseconds, where the browser does not say when it is idle. */
const idleTime = 1000

const whenIdle = (run: () => void): unknown =>
  'requestIdleCallback' in window ? requestIdleCallback(run) : setTimeout(run, idleTime)
