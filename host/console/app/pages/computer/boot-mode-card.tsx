// Sets the boot mode of the computer, after a look at the files that it would get.
import { useSignal } from '@preact/signals'
import type { ComputerAnswer, ModePreviewAnswer } from '../../../../contract/answers.ts'
import type { StreamEvent } from '../../../../contract/fleet-events.ts'
import { wordsOf } from '../../actions/field-values.ts'
import { bootModes, useListedValues } from '../../actions/listed-values.ts'
import { post } from '../../api/request.ts'
import { t } from '../../language/translate.ts'
import { Button } from '../../parts/button.tsx'
import { Select } from '../../parts/fields.tsx'
import { ResourceView } from '../../parts/resource-view.tsx'
import { ScrollBox } from '../../parts/scroll-box.tsx'
import { labelOfName } from '../../state/commands.ts'
import { report } from '../../state/notices.ts'
import { type Resource, useResource } from '../../state/resource.ts'
import { may } from '../../state/session.ts'

/** Whether an event says that the record of the computer has changed. */
export const hasChanged = (ip: string) => (event: StreamEvent) =>
  event.type === 'computer-changed' && event.clients.includes(ip)

export function BootModeCard({ ip, record }: { ip: string; record: Resource<ComputerAnswer> }) {
  const modes = useListedValues(bootModes)
  const chosen = useSignal('')
  return (
    <section class="card" aria-labelledby="boot-mode">
      <h2 id="boot-mode">{t('field.mode.mode')}</h2>
      <ResourceView resource={record}>
        {({ boot }) => {
          const mode = chosen.value || boot
          const list = modes.some(({ value }) => value === boot) ? modes : [wordsOf(boot), ...modes]
          const { label = mode } = list.find(({ value }) => value === mode) ?? {}
          return (
            <>
              <div class="row">
                <Select
                  aria-label={t('field.mode.mode')}
                  value={mode}
                  options={list.map(({ value, label }) => [
                    value,
                    value === boot ? t('computer.currentMode', { mode: label }) : label,
                  ])}
                  change={mode => (chosen.value = mode)}
                />
                {may('operate') && mode !== boot && (
                  <Button text={labelOfName('mode')} class="primary" press={() => setMode(ip, mode, label)} />
                )}
              </div>
              <Preview key={mode} ip={ip} mode={mode} boot={boot} />
            </>
          )
        }}
      </ResourceView>
    </section>
  )
}

async function setMode(ip: string, mode: string, label: string): Promise<void> {
  report(await post('/mode', { clients: [ip], mode }), t('computer.modeSet', { mode: label }))
}

function Preview({ ip, mode, boot }: { ip: string; mode: string; boot: string }) {
  const preview = useResource<ModePreviewAnswer>(
    `/mode/preview?clients=${ip}&mode=${encodeURIComponent(mode)}`,
    hasChanged(ip),
  )
  return (
    <>
      <p class="hint">{mode === boot ? t('computer.modeFiles') : t('computer.modePreview')}</p>
      <ResourceView resource={preview}>
        {({ files }) => (
          <>
            {files.length === 0 && <p class="hint">{t('computer.noModeFiles')}</p>}
            {files.map(({ path, content }) => (
              <details key={path}>
                <summary>
                  <code>{path}</code>
                </summary>
                <ScrollBox class="output" label={path}>
                  <pre>{content}</pre>
                </ScrollBox>
              </details>
            ))}
          </>
        )}
      </ResourceView>
    </>
  )
}
