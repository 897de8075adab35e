// How many computers were free, in use and off: of all, of a center, or of a room.
import { useSignal } from '@preact/signals'
import type { RoomsHistoryAnswer } from '../../../../contract/answers.ts'
import { t } from '../../language/translate.ts'
import { ChartFigure, PeriodChoice } from '../../parts/chart-card.tsx'
import { type Chart, conditionStyles } from '../../parts/chart-scale.ts'
import { ResourceView } from '../../parts/resource-view.tsx'
import { centers } from '../../state/lab.ts'
import { useResource } from '../../state/resource.ts'
import { changeQuery, route } from '../../state/route.ts'
import { useRepeated } from '../../state/views.ts'

/** Milliseconds; the daemon counts every five minutes. */
const [countPeriod, hour] = [300_000, 3_600_000]

export function FleetHistory() {
  const place = route.value.query.get('history') ?? ''
  const hours = useSignal(24)
  return (
    <section class="card" aria-labelledby="fleet-history">
      <header>
        <h2 id="fleet-history">{t('history.computers')}</h2>
        <PlaceChoice place={place} />
        <PeriodChoice hours={hours} least={24} />
      </header>
      <Period key={`${place} ${hours.value}`} place={place} hours={hours.value} />
    </section>
  )
}

/** `''`, `center=1` or `room=2`, as the daemon is asked. */
function PlaceChoice({ place }: { place: string }) {
  const all = centers.value
  return (
    <select
      aria-label={t('history.place')}
      value={place}
      onChange={event => changeQuery({ history: event.currentTarget.value })}
    >
      <option value="">{t('accounts.allComputers')}</option>
      {all.map(center => (
        <optgroup key={center.id} label={center.name}>
          {all.length > 1 && <option value={`center=${center.id}`}>{center.name}</option>}
          {center.rooms.map(room => (
            <option key={room.id} value={`room=${room.id}`}>
              {room.name}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  )
}

function Period({ place, hours }: { place: string; hours: number }) {
  const from = useSignal(new Date(Date.now() - hours * hour).toISOString())
  const query = new URLSearchParams({ ...Object.fromEntries(new URLSearchParams(place)), by: 'all', from: from.value })
  const resource = useResource<RoomsHistoryAnswer>(`/history/rooms?${query}`)
  useRepeated(resource, countPeriod)
  return (
    <ResourceView resource={resource}>
      {answer => (
        <ChartFigure name="history" title={t('history.computers')} chart={chartOf(answer)} empty="history.noFigures" />
      )}
    </ResourceView>
  )
}

const stepLengths = { '5min': countPeriod, hour, day: 24 * hour }

/** Those with failures are counted in one of the others, too. */
function chartOf({ step, times, series: [all] }: RoomsHistoryAnswer): Chart {
  const length = stepLengths[step]
  const points = (values: readonly (number | null)[] = []) =>
    times.flatMap((time, at) => {
      const value = values[at]
      return typeof value === 'number' ? { time, value } : []
    })
  const last = times.at(-1)
  return {
    from: times[0] ?? new Date().toISOString(),
    until: new Date(last === undefined ? Date.now() : Date.parse(last) + length).toISOString(),
    gap: length * 1.5,
    series: [
      ...conditionStyles.map(name => ({
        title: t(`history.${name}`),
        points: points(all?.[name]),
        style: { name, isArea: true },
      })),
      { title: t('history.failed'), points: points(all?.failed), style: { name: 'bad' } },
    ],
  }
}
