// Shows what was read of the API: a line while it is read, the reason when it could not be, else its content.
import type { ComponentChildren } from 'preact'
import { t } from '../language/translate.ts'
import { lostSince } from '../state/event-stream.ts'
import type { Resource } from '../state/resource.ts'
import { Button } from './button.tsx'

export interface ResourceViewProps<Value> {
  resource: Resource<Value>
  children(value: Value): ComponentChildren
}

export function ResourceView<Value>({ resource, children }: ResourceViewProps<Value>) {
  const value = resource.value.value
  // Without a connection the frame says so.
  const problem = lostSince.value === undefined && resource.problem.value
  return (
    <>
      {problem && (
        <p class="banner bad" role="alert">
          {t('resource.problem', { reason: problem })}{' '}
          <Button text={t('action.tryAgain')} press={() => resource.reload()} />
        </p>
      )}
      {value === undefined ? !problem && <p class="hint">{t('resource.loading')}</p> : children(value)}
    </>
  )
}
