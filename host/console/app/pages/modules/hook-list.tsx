// The hooks in service: when each runs, how its runs went, and what can be done with it.
import type { HookAnswer, HooksAnswer } from '../../../../contract/answers.ts'
import { post } from '../../api/request.ts'
import { formatTime, t } from '../../language/translate.ts'
import { Button } from '../../parts/button.tsx'
import { ResourceView } from '../../parts/resource-view.tsx'
import { labelOfName } from '../../state/commands.ts'
import { report } from '../../state/notices.ts'
import { useResource } from '../../state/resource.ts'
import { may } from '../../state/session.ts'
import { useRepeated } from '../../state/views.ts'
import { runWords } from './run-words.ts'

export function HookList() {
  const hooks = useResource<HooksAnswer>('/hooks', ({ type }) => type.startsWith('module-'))
  useRepeated(hooks)
  return (
    <ResourceView resource={hooks}>
      {({ hooks: list }) =>
        list.length === 0 ? (
          <p class="card empty-state">{t('hooks.none')}</p>
        ) : (
          <ul class="list">
            {list.map(hook => (
              <HookCard key={hook.name} hook={hook} reload={hooks.reload} />
            ))}
          </ul>
        )
      }
    </ResourceView>
  )
}

const stateClass: Partial<Record<HookAnswer['state'], string>> = { failing: 'badge bad', paused: 'badge warn' }

function HookCard({ hook, reload }: { hook: HookAnswer; reload(): Promise<void> }) {
  const { name, summary, state, kind, pack, paused_by: by = '', paused_since: since, last_error: error } = hook
  const send = async (action: 'run' | 'pause' | 'resume') => {
    report(await post(`/hook/${action}`, { hook: name }), t(`hooks.done.${action}`, { name }))
    await reload()
  }
  return (
    <li class={state === 'paused' ? 'card row record suspended' : 'card row record'}>
      <div class="record-text">
        <h2>
          {name} <span class={stateClass[state] ?? 'badge'}>{t(`hooks.state.${state}`)}</span>
        </h2>
        <p>{summary}</p>
        <p>
          {whenWords(hook)} <span class="hint">{pack !== name && t('modules.ofPack', { name, pack })}</span>
        </p>
        {state === 'paused' && <p>{t('hooks.paused', { by, time: formatTime(since) })}</p>}
        {error !== undefined && <p class="problem">{error}</p>}
        <Runs hook={hook} />
      </div>
      {may('admin') && (
        <div class="actions">
          {(kind === 'every' || kind === 'cron') && (
            <Button text={t('procedures.run')} of={name} press={() => send('run')} />
          )}
          {state === 'paused' ? (
            <Button text={t('hooks.resume')} of={name} press={() => send('resume')} />
          ) : (
            <Button text={t('hooks.pause')} of={name} press={() => send('pause')} />
          )}
        </div>
      )}
    </li>
  )
}

function Runs({ hook }: { hook: HookAnswer }) {
  const { kind, waiting, last_run: last, next_run: next } = hook
  const facts = [
    ...runWords(hook),
    last !== undefined && t('hooks.lastRun', { time: formatTime(last) }),
    next !== undefined && t('hooks.nextRun', { time: formatTime(next) }),
    kind === 'on' && t('hooks.waiting', { n: waiting }),
  ]
  return <p class="hint">{facts.filter(Boolean).join(' · ')}</p>
}

function whenWords({ kind, on = [], every = '', cron = '', before = [] }: HookAnswer): string {
  if (kind === 'on') return t('hooks.on', { events: on.join(', ') })
  if (kind === 'every') return t('hooks.every', { every })
  if (kind === 'cron') return t('hooks.cron', { cron })
  return t('hooks.before', { commands: before.map(labelOfName).join(', ') })
}
