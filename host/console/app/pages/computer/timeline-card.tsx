// When the computer was on and in use: a strip for each of the last seven days, and each change as a table.
import type { ClientHistoryAnswer } from '../../../../contract/answers.ts'
import { formatNumber, formatTime, locale, t, tryTranslate } from '../../language/translate.ts'
import { AsTable, SeriesSign } from '../../parts/chart-card.tsx'
import { conditionStyles } from '../../parts/chart-scale.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { ResourceView } from '../../parts/resource-view.tsx'
import { useResource } from '../../state/resource.ts'
import { useRepeated } from '../../state/views.ts'
import { type Stretch, stretchesByDay, stretchesOf } from './stretches.ts'

/** Milliseconds; the daemon writes down what has changed every five minutes. */
const [writePeriod, hour, day] = [300_000, 3_600_000, 86_400_000]

export function TimelineCard({ ip }: { ip: string }) {
  const history = useResource<ClientHistoryAnswer>(`/history/client?client=${ip}`)
  useRepeated(history, writePeriod)
  return (
    <section class="card wide" aria-labelledby="timeline">
      <h2 id="timeline">{t('history.timeline')}</h2>
      <ResourceView resource={history}>{answer => <Timeline ip={ip} stretches={stretchesOf(answer)} />}</ResourceView>
    </section>
  )
}

function Timeline({ ip, stretches }: { ip: string; stretches: readonly Stretch[] }) {
  if (stretches.length === 0) return <p class="hint">{t('history.noFigures')}</p>
  return (
    <>
      <p>{summaryOf(stretches)}</p>
      <Hours />
      <ol class="day-strips list">
        {stretchesByDay(stretches).map(({ start, length, parts }) => (
          <li key={start}>
            <span class="hint">
              {new Date(start).toLocaleDateString(locale.value, { weekday: 'short', day: 'numeric', month: 'short' })}
            </span>
            {/* In hours: browsers draw no lengths above 33,554,432. */}
            <svg class="day-strip" viewBox={`0 0 ${length / hour} 1`} preserveAspectRatio="none" aria-hidden="true">
              {parts.map(part => (
                <rect
                  key={part.from}
                  data-style={part.style}
                  x={(part.from - start) / hour}
                  width={(part.to - part.from) / hour}
                  height="1"
                >
                  <title>{`${formatTime(part.from)} – ${formatTime(part.to)}: ${wordsOf(part)}`}</title>
                </rect>
              ))}
            </svg>
          </li>
        ))}
      </ol>
      <ul class="legend row texts" aria-label={t('views.legend')}>
        {conditionStyles.map(style => (
          <li key={style}>
            <SeriesSign name={style} isArea={true} /> {t(`history.${style}`)}
          </li>
        ))}
      </ul>
      <AsTable>
        {() => (
          <DataTable
            label={t('views.asTable')}
            rows={stretches.toReversed()}
            keyOf={({ from }) => String(from)}
            columns={[
              { id: 'from', head: t('history.from'), text: ({ from }) => formatTime(from), value: ({ from }) => from },
              { id: 'to', head: t('history.to'), text: ({ to }) => formatTime(to), value: ({ to }) => to },
              { id: 'state', head: t('history.state'), text: wordsOf },
            ]}
            empty={t('views.noPoints')}
            csvName={`timeline-${ip}`}
          />
        )}
      </AsTable>
    </>
  )
}

/** Above the strips. */
function Hours() {
  return (
    <div class="day-hours hint" aria-hidden="true">
      {[0, 6, 12, 18].map(each => (
        <span key={each}>{each}</span>
      ))}
    </div>
  )
}

/** `Linux, anna is logged in`. */
function wordsOf({ state, style, user }: Stretch): string {
  const word = tryTranslate(`condition.${state === 'oglive' ? 'ready' : state}`) ?? state
  if (style !== 'in_use') return word
  return `${word}, ${user ? t('computer.user', { user }) : t('computer.someone')}`
}

function summaryOf(stretches: readonly Stretch[]): string {
  const hoursOf = (which: (stretch: Stretch) => boolean) =>
    stretches.filter(which).reduce((sum, { from, to }) => sum + to - from, 0) / hour
  // A little is not nothing.
  const number = (hours: number) => formatNumber(hours > 0 ? Math.max(0.1, Math.round(hours * 10) / 10) : 0)
  const first = stretches[0]?.from ?? 0
  const last = stretches.at(-1)?.to ?? 0
  return t('history.summary', {
    on: number(hoursOf(({ style }) => style !== 'off' && style !== 'waking')),
    used: number(hoursOf(({ style }) => style === 'in_use')),
    days: number((last - first) / day),
  })
}
