// What a restore would do as things are now: asked of the daemon while the form is filled in.
import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { PreviewAnswer } from '../../../contract/answers.ts'
import { postAgain } from '../api/request.ts'
import { formatTime, t } from '../language/translate.ts'
import { ContentLines } from '../parts/content-lines.tsx'
import { ScrollBox } from '../parts/scroll-box.tsx'
import { dropRead, readAgain } from '../state/events.ts'

export interface Preview<Value> {
  value: Signal<Value | undefined>
  /** Why it would be refused. */
  problem: Signal<string>
}

/** Milliseconds without a change of the form before the daemon is asked. */
const quietTime = 250

/** `payload`: of a request that does nothing; undefined while something is missing. */
export function usePreview<Value>(path: string, payload: object | undefined): Preview<Value> {
  const value = useSignal<Value | undefined>(undefined)
  const problem = useSignal('')
  const key = payload && JSON.stringify(payload)
  useEffect(() => {
    value.value = undefined
    problem.value = ''
    if (key === undefined) return
    let isOver = false
    const ask = async () => {
      const reply = await postAgain<Value>(path, JSON.parse(key))
      if (isOver) return
      if (reply.status === 0) readAgain(read)
      value.value = reply.ok ? reply.value : undefined
      problem.value = reply.ok ? '' : reply.reason || t('notice.unreachable')
    }
    const read = () => void ask()
    const timer = setTimeout(read, quietTime)
    return () => {
      isOver = true
      dropRead(read)
      clearTimeout(timer)
    }
  }, [key])
  return { value, problem }
}

export function RestorePreview({ preview, isComplete }: { preview: Preview<PreviewAnswer>; isComplete: boolean }) {
  const answer = preview.value.value
  return (
    <section class="card" aria-label={t('plannedRestores.preview')}>
      <h2>{t('plannedRestores.preview')}</h2>
      {preview.problem.value && (
        <p class="problem" role="alert">
          {preview.problem.value}
        </p>
      )}
      {answer ? (
        <PreviewTables answer={answer} />
      ) : (
        !preview.problem.value && (
          <p class="hint">{t(isComplete ? 'resource.loading' : 'plannedRestores.incomplete')}</p>
        )
      )}
    </section>
  )
}

function PreviewTables({ answer }: { answer: PreviewAnswer }) {
  const { starts, until, computers, content, disk, partition, rooms, refused } = answer
  const end = until === undefined ? '' : ` – ${formatTime(until)}`
  return (
    <>
      <p class="banner" role="status">
        {t('plannedRestores.sentence', { n: computers, when: `${formatTime(starts)}${end}` })}
      </p>
      <p>
        <ContentLines content={content} disk={disk} partition={partition} />
      </p>
      <ScrollBox class="table-box" label={t('plannedRestores.rooms')}>
        <table>
          <thead>
            <tr>
              <th>{t('field.room')}</th>
              <th class="number">{t('place.computers')}</th>
              <th class="number">{t('plannedRestores.off')}</th>
              <th class="number">{t('plannedRestores.inUse')}</th>
              <th class="number">{t('plannedRestores.refused')}</th>
            </tr>
          </thead>
          <tbody>
            {rooms.map(room => (
              <tr key={room.id}>
                <th scope="row">
                  {room.name} <small class="hint">{room.center}</small>
                </th>
                {[room.computers, room.off, room.in_use, room.refused].map((count, index) => (
                  <td class="number" key={index}>
                    {count}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
      {refused.length > 0 && (
        <details open={refused.length <= 12}>
          <summary>{t('plannedRestores.getNothing', { n: refused.length })}</summary>
          <ul>
            {refused.map(({ client, name, room, reason }) => (
              <li key={client}>
                <strong>{name}</strong> <span class="hint">{room}</span> {reason}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}
