// The tokens of programs, or the users, with what can be done with each.
import { useSignal } from '@preact/signals'
import type { AccountAnswer } from '../../../../contract/answers.ts'
import { post } from '../../api/request.ts'
import { formatTime, t } from '../../language/translate.ts'
import { deleteRecord, RecordButton } from '../../parts/record-actions.tsx'
import { ResourceView } from '../../parts/resource-view.tsx'
import { report } from '../../state/notices.ts'
import { useResource } from '../../state/resource.ts'
import { AccountEditor } from './account-editor.tsx'
import { type AccountKind, limitWords, pathOf } from './account-words.ts'
import { NewSecret } from './new-secret.tsx'

export function AccountList({ kind }: { kind: AccountKind }) {
  const list = useResource<Partial<Record<AccountKind, AccountAnswer[]>>>(`/${kind}`)
  const edited = useSignal<AccountAnswer | 'new' | undefined>(undefined)
  const secret = useSignal('')
  const edit = (account: AccountAnswer | 'new' | undefined) => {
    edited.value = account
  }
  return (
    <section aria-label={t(`settings.${kind}`)}>
      <div class="section-head">
        <div>
          <h2>{t(`settings.${kind}`)}</h2>
          <p class="hint">{t(`accounts.hint.${kind}`)}</p>
        </div>
        <button type="button" class="primary" onClick={() => edit('new')}>
          {t(`accounts.new.${kind}`)}
        </button>
      </div>
      <ResourceView resource={list}>
        {({ [kind]: accounts = [] }) =>
          accounts.length === 0 ? (
            <p class="card empty-state">{t(`accounts.none.${kind}`)}</p>
          ) : (
            <ul class="record-list">
              {accounts.map(account => (
                <AccountCard key={account.id} kind={kind} account={account} edit={edit} reload={list.reload} />
              ))}
            </ul>
          )
        }
      </ResourceView>
      {edited.value && (
        <AccountEditor
          kind={kind}
          account={edited.value === 'new' ? undefined : edited.value}
          onClose={() => edit(undefined)}
          onSaved={token => {
            secret.value = token ?? ''
            void list.reload()
          }}
        />
      )}
      {secret.value && <NewSecret token={secret.value} onClose={() => (secret.value = '')} />}
    </section>
  )
}

interface AccountCardProps {
  kind: AccountKind
  account: AccountAnswer
  edit(account: AccountAnswer): void
  reload(): Promise<void>
}

function AccountCard({ kind, account, edit, reload }: AccountCardProps) {
  const { id, name, role, disabled, created, by, used, expires = 0 } = account
  const toggle = async () => {
    const reply = await post(`${pathOf(kind)}/update`, { id: String(id), disabled: !disabled })
    report(reply, t(disabled ? 'accounts.enabled' : 'accounts.isDisabled', { name }))
    await reload()
  }
  const remove = async () => {
    const [title, text] = [t(`accounts.delete.${kind}`), t(`accounts.deleteText.${kind}`, { name })]
    await deleteRecord({ title, text, path: `${pathOf(kind)}/delete`, id, name })
    await reload()
  }
  const isExpired = expires > 0 && expires * 1000 < Date.now()
  return (
    <li class={disabled ? 'card record suspended' : 'card record'}>
      <div class="record-text">
        <h3>
          {name} <span class="badge">{t(`role.${role}`)}</span>{' '}
          {disabled && <span class="badge warn">{t('accounts.disabled')}</span>}{' '}
          {isExpired && <span class="badge bad">{t('accounts.expired')}</span>}
        </h3>
        <p>{limitWords(account)}</p>
        <p class="hint">
          {t('accounts.created', { time: timeOf(created), by })} ·{' '}
          {used ? t('accounts.used', { time: timeOf(used) }) : t('accounts.neverUsed')}
          {kind === 'tokens' &&
            ` · ${expires ? t('accounts.expires', { time: timeOf(expires) }) : t('accounts.noExpiry')}`}
        </p>
      </div>
      <div class="actions">
        <RecordButton label={t('records.edit')} name={name} onClick={() => edit(account)} />
        <RecordButton label={t(disabled ? 'accounts.enable' : 'accounts.disable')} name={name} onClick={toggle} />
        <RecordButton label={t('records.delete')} name={name} onClick={remove} />
      </div>
    </li>
  )
}

const timeOf = (seconds: number) => formatTime(seconds * 1000)
