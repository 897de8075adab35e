// The views that the caller may see, and which of them could not answer.
import { t } from '../../language/translate.ts'
import { linkTo } from '../../state/route.ts'
import { views } from '../../state/views.ts'
import { runWords } from './run-words.ts'

export function ViewList() {
  if (views.value.length === 0) return <p class="card empty-state">{t('modules.noViews')}</p>
  return (
    <ul class="list">
      {views.value.map(({ name, title, pack, summary, view, state, problem, ...runs }) => (
        <li key={name} class="card row record">
          <div class="record-text">
            <h2>
              {view === 'page' || view === 'chart' ? <a href={linkTo('view', ...name.split('/'))}>{title}</a> : title}{' '}
              <span class="badge">{t(`views.kind.${view}`)}</span>{' '}
              {state === 'failing' && <span class="badge bad">{t('hooks.state.failing')}</span>}
            </h2>
            <p>{summary}</p>
            <p class="hint">
              {[name === pack ? name : t('modules.ofPack', { name, pack }), ...runWords(runs)].join(' · ')}
            </p>
            {problem !== undefined && <p class="problem">{problem}</p>}
          </div>
        </li>
      ))}
    </ul>
  )
}
