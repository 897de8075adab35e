// What is wrong with a query: the place is marked, and what was meant can be taken.
import { t } from '../../language/translate.ts'
import { Button } from '../../parts/button.tsx'
import { openSearch } from '../../state/searches.ts'

/** `where: at 1: there is no field rom; is room meant?` */
const pattern = /^where: at (\d+): (.*?)(?:; is (\S+) meant\?)?$/

export function QueryProblem({ where, reason }: { where: string; reason: string }) {
  const [, place, message = reason, meant] = pattern.exec(reason) ?? []
  const at = Number(place ?? 1) - 1
  const wrong = /^\s*[\p{L}_]+|^\S*/u.exec(where.slice(at))?.[0] || ' '
  const after = where.slice(at + wrong.length)
  return (
    <div class="card" role="alert">
      {place && (
        <pre>
          {where.slice(0, at)}
          <mark>{wrong}</mark>
          {after}
        </pre>
      )}
      <p class="problem">{t('search.problem', { reason: message })}</p>
      {meant && (
        <Button
          text={t('search.meant', { word: meant })}
          press={() => openSearch(where.slice(0, at) + meant + after)}
        />
      )}
    </div>
  )
}
