// What modules show on the overview: a number each, with a line of how it was before.
import type { ViewEntry } from '../../../../contract/answers.ts'
import { formatNumber, t } from '../../language/translate.ts'
import { Sparkline } from '../../parts/sparkline.tsx'
import { ToneSign } from '../../parts/tone.tsx'
import { useView, viewPath, views } from '../../state/views.ts'

export function ViewFigures() {
  const figures = views.value.filter(({ view }) => view === 'overview')
  if (figures.length === 0) return null
  return (
    <section class="row" aria-label={t('views.figures')}>
      {figures.map(entry => (
        <Figure key={entry.name} entry={entry} />
      ))}
    </section>
  )
}

function Figure({ entry: { name, title } }: { entry: ViewEntry }) {
  const { value, problem } = useView<'overview'>(viewPath(name))
  const figure = value.value?.figure
  const reason = problem.value
  if (!figure && reason === '') return null
  const { value: shown = '', unit = '', tone = 'neutral', points = [] } = figure ?? {}
  return (
    <article class="card figure">
      <h2>{title}</h2>
      {reason === '' ? (
        <p class={tone === 'neutral' ? '' : 'tone'} data-tone={tone}>
          <ToneSign tone={tone} />
          <strong>{typeof shown === 'number' ? formatNumber(shown) : shown}</strong> {unit}
        </p>
      ) : (
        <p class="hint">{t('views.problem', { reason })}</p>
      )}
      {points.length > 1 && reason === '' && <Sparkline points={points} unit={unit} />}
    </article>
  )
}
