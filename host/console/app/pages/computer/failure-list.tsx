// What has failed on the computer and nobody has seen, with the reason, the job, and a button for who has seen it.
import { formatTime, t } from '../../language/translate.ts'
import { Button } from '../../parts/button.tsx'
import { FailureSign, stopWords } from '../../parts/condition-sign.tsx'
import { reasonWords } from '../../parts/job-words.ts'
import { labelOfName } from '../../state/commands.ts'
import { markSeen } from '../../state/failures.ts'
import type { ComputerView } from '../../state/lab.ts'
import { linkTo } from '../../state/route.ts'
import { may } from '../../state/session.ts'

export function FailureList({ computer: { ip, live } }: { computer: ComputerView }) {
  const { failures } = live.value
  if (failures.length === 0) return null
  return (
    <section class="card marked bad row" aria-label={t('failures.title')}>
      <ul>
        {failures.map(({ command, job, reason, time, stopped }) => (
          <li class="row texts" key={`${command} ${job}`}>
            {stopped === undefined ? (
              <b class="problem">
                <FailureSign /> {t('failures.failed', { name: labelOfName(command) })}
              </b>
            ) : (
              labelOfName(command)
            )}
            {reason && <span>{stopped === undefined ? reasonWords(reason) : stopWords({ stopped })}</span>}
            <span class="hint">{formatTime(time)}</span>
            <a href={linkTo('job', job)}>{t('panel.job', { id: String(job) })}</a>
          </li>
        ))}
      </ul>
      {may('operate') && <Button text={t('failures.seen')} press={() => markSeen([ip])} />}
    </section>
  )
}
