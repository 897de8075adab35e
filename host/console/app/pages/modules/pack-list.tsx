// The packs: what they are, whether they are in service, what they may do, and what they keep.
import { useSignal } from '@preact/signals'
import type { PackAnswer, PacksAnswer } from '../../../../contract/answers.ts'
import { post } from '../../api/request.ts'
import { formatBytes, t } from '../../language/translate.ts'
import { Button } from '../../parts/button.tsx'
import { confirmed } from '../../parts/confirmation.tsx'
import { Select } from '../../parts/fields.tsx'
import { ResourceView } from '../../parts/resource-view.tsx'
import { report } from '../../state/notices.ts'
import { useResource } from '../../state/resource.ts'
import { readLater } from '../../state/views.ts'
import { PackSettings } from './pack-settings.tsx'

export function PackList() {
  const packs = useResource<PacksAnswer>('/packs', ({ type }) => type.startsWith('module-'))
  const edited = useSignal<PackAnswer | undefined>(undefined)
  const reload = async () => {
    // The views of a pack come and go with it.
    readLater()
    await packs.reload()
  }
  return (
    <>
      <ResourceView resource={packs}>
        {({ packs: list }) =>
          list.length === 0 ? (
            <p class="card empty-state">{t('packs.none')}</p>
          ) : (
            <ul class="list">
              {list.map(pack => (
                <PackCard key={pack.name} pack={pack} edit={() => (edited.value = pack)} reload={reload} />
              ))}
            </ul>
          )
        }
      </ResourceView>
      {edited.value && (
        <PackSettings pack={edited.value} onClose={() => (edited.value = undefined)} onSaved={() => void reload()} />
      )}
    </>
  )
}

interface PackCardProps {
  pack: PackAnswer
  edit(): void
  reload(): Promise<void>
}

function PackCard({ pack, edit, reload }: PackCardProps) {
  const { name, summary, version, enabled, origin, documents, bytes, stored, problem, files } = pack
  const without = t(stored ? 'packs.keepsSettings' : 'packs.keepsNothing')
  const kept = documents > 0 ? t('packs.kept', { n: documents, size: formatBytes(bytes) }) : without
  return (
    <li class={enabled ? 'card row record' : 'card row record suspended'}>
      <div class="record-text">
        <h2>
          {name} {version !== undefined && <span class="hint">{version}</span>}{' '}
          <span class={enabled ? 'badge good' : 'badge'}>{t(enabled ? 'packs.on' : 'accounts.disabled')}</span>
        </h2>
        <p>{summary ?? t('packs.filesGone')}</p>
        <p class="hint">
          {origin !== undefined && (origin === 'built-in' ? t('modules.builtIn') : origin)} · {kept}
        </p>
        {problem !== undefined && <p class="problem">{problem}</p>}
        {files.map(({ file, error }) => error !== undefined && <p key={file} class="problem">{`${file}: ${error}`}</p>)}
      </div>
      <PackActions pack={pack} edit={edit} reload={reload} />
    </li>
  )
}

const roles = ['read', 'operate', 'admin'] as const

function PackActions({ pack, edit, reload }: PackCardProps) {
  const { name, enabled, role, origin, settings_schema: schema, documents, stored } = pack
  const isThere = origin !== undefined
  const send = async (path: string, done: string, more: object = {}) => {
    report(await post(path, { pack: name, ...more }), done)
    await reload()
  }
  const disable = async () => {
    if (await confirmed(t('packs.disableTitle', { name }), t('packs.disableText'), t('accounts.disable')))
      await send('/pack/disable', t('accounts.isDisabled', { name }))
  }
  const purge = async () => {
    if (await confirmed(t('packs.purgeTitle', { name }), t('packs.purgeText', { n: documents }), t('packs.purge')))
      await send('/pack/purge', t('packs.purged', { name }))
  }
  return (
    <div class="actions">
      {isThere && (
        // biome-ignore lint/a11y/noLabelWithoutControl: the control is a part
        <label class="row">
          {t('accounts.role')} <span class="hidden-text">{name}</span>
          <Select
            value={role}
            options={roles.map(each => [each, t(`role.${each}`)])}
            change={role => send('/pack/role', t('packs.roleSet', { name }), { role })}
          />
        </label>
      )}
      {schema && <Button text={t('packs.settings')} of={name} press={edit} />}
      {isThere &&
        (enabled ? (
          <Button text={t('accounts.disable')} of={name} press={disable} />
        ) : (
          <Button
            text={t('accounts.enable')}
            of={name}
            press={() => send('/pack/enable', t('accounts.enabled', { name }))}
          />
        ))}
      {!enabled && stored && <Button text={t('packs.purge')} of={name} press={purge} />}
    </div>
  )
}
