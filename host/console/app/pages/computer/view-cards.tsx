// What modules show of one computer: a card for each view that has something to say.
import type { ViewEntry } from '../../../../contract/answers.ts'
import { formatNumber, t } from '../../language/translate.ts'
import { ToneSign } from '../../parts/tone.tsx'
import { useView, viewPath, views } from '../../state/views.ts'

export function ViewCards({ ip }: { ip: string }) {
  return (
    <>
      {views.value
        .filter(({ view }) => view === 'computer')
        .map(entry => (
          <ViewCard key={entry.name} entry={entry} ip={ip} />
        ))}
    </>
  )
}

function ViewCard({ entry: { name, title }, ip }: { entry: ViewEntry; ip: string }) {
  const { value, problem } = useView<'computer'>(`${viewPath(name)}?client=${ip}`)
  const lines = value.value?.lines ?? []
  const reason = problem.value
  if (lines.length === 0 && reason === '') return null
  return (
    <section class="card view-card">
      <h2>{title}</h2>
      {reason !== '' && <p class="hint">{t('views.problem', { reason })}</p>}
      {reason === '' && (
        <dl class="facts">
          {lines.map(({ label, value: shown, tone = 'neutral' }, index) => (
            <div key={index}>
              <dt>{label}</dt>
              <dd class={tone === 'neutral' ? '' : 'tone'} data-tone={tone}>
                <ToneSign tone={tone} />
                {typeof shown === 'number' ? formatNumber(shown) : shown}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  )
}
