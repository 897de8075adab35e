// The live systems of the server: what there is, and how far a build is.
import { useEffect } from 'preact/hooks'
import type { LiveSystemsAnswer } from '../../../../contract/answers.ts'
import { t } from '../../language/translate.ts'
import { ResourceView } from '../../parts/resource-view.tsx'
import { useResource } from '../../state/resource.ts'

/** Milliseconds: builds run in a process of their own, which sends no events. */
const readTime = 5000

export function LiveCard() {
  const systems = useResource<LiveSystemsAnswer>('/oglive/list')
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    // After each answer: one that takes longer would be dropped for the next one.
    const readLater = () => {
      timer = setTimeout(() => void systems.reload().then(() => isOver || readLater()), readTime)
    }
    readLater()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [systems])
  return (
    <section class="card" aria-labelledby="live-systems">
      <h2 id="live-systems">{t('live.title')}</h2>
      <ResourceView resource={systems}>
        {({ oglive, building }) => (
          <>
            {building && (
              <p class="copy-progress row">
                <span>{t('live.building', { name: building.name, n: building.percent })}</span>{' '}
                <progress max={100} value={building.percent} aria-label={building.name} />{' '}
                <small class="hint">{building.line}</small>
              </p>
            )}
            <Systems systems={oglive} />
          </>
        )}
      </ResourceView>
    </section>
  )
}

/** Without a kernel it is the name only that records have from the start. */
function Systems({ systems }: { systems: LiveSystemsAnswer['oglive'] }) {
  const known = systems.filter(({ kernel }) => kernel !== '')
  if (known.length === 0) return <p class="hint">{t('live.none')}</p>
  return (
    <ul>
      {known.map(({ directory, distribution, kernel, revision }) => (
        <li key={directory}>
          <b>{directory}</b> <span class="hint">{[distribution, kernel, revision].join(' · ')}</span>
        </li>
      ))}
    </ul>
  )
}
