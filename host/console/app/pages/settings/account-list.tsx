// The tokens of programs, or the users, with what can be done with each.
import { useSignal } from '@preact/signals'
import type { AccountAnswer } from '../../../../contract/answers.ts'
import { post } from '../../api/request.ts'
import { formatTime, t } from '../../language/translate.ts'
import { Button } from '../../parts/button.tsx'
import { type Column, DataTable, type Filter } from '../../parts/data-table.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { deleteRecord } from '../../parts/record-actions.tsx'
import { ResourceView } from '../../parts/resource-view.tsx'
import { report } from '../../state/notices.ts'
import { useResource } from '../../state/resource.ts'
import { AccountEditor } from './account-editor.tsx'
import { type AccountKind, limitWords, pathOf, roles } from './account-words.ts'
import { NewSecret } from './new-secret.tsx'

export function AccountList({ kind }: { kind: AccountKind }) {
  const list = useResource<Partial<Record<AccountKind, AccountAnswer[]>>>(`/${kind}`, ({ type }) =>
    type.startsWith('account-'),
  )
  const edited = useSignal<AccountAnswer | 'new' | undefined>(undefined)
  const secret = useSignal('')
  const edit = (account: AccountAnswer | 'new' | undefined) => {
    edited.value = account
  }
  /** As others have changed it meanwhile. */
  const liveOf = (account: AccountAnswer) => list.value.value?.[kind]?.find(({ id }) => id === account.id) ?? account
  return (
    <>
      <PageHead title={t(`settings.${kind}`)}>
        <Button text={t(`accounts.new.${kind}`)} class="primary" press={() => edit('new')} />
      </PageHead>
      <p class="hint">{t(`accounts.hint.${kind}`)}</p>
      <ResourceView resource={list}>
        {({ [kind]: accounts = [] }) => (
          <section class="card">
            <DataTable
              label={t(`settings.${kind}`)}
              rows={accounts}
              keyOf={({ id }) => id}
              columns={columnsOf(kind, edit, list.reload)}
              filters={filters()}
              classOf={({ disabled }) => (disabled ? 'suspended' : '')}
              empty={t(`accounts.none.${kind}`)}
              csvName={kind}
            />
          </section>
        )}
      </ResourceView>
      {edited.value && (
        <AccountEditor
          kind={kind}
          account={edited.value === 'new' ? undefined : liveOf(edited.value)}
          onClose={() => edit(undefined)}
          onSaved={token => {
            secret.value = token ?? ''
            void list.reload()
          }}
        />
      )}
      {secret.value && <NewSecret token={secret.value} onClose={() => (secret.value = '')} />}
    </>
  )
}

const isExpired = ({ expires = 0 }: AccountAnswer) => expires > 0 && expires * 1000 < Date.now()

function stateWords(account: AccountAnswer): string {
  if (account.disabled) return t('accounts.disabled')
  return isExpired(account) ? t('partState.expired') : t('accounts.active')
}

const filters = (): Filter<AccountAnswer>[] => [
  {
    id: 'role',
    any: t('accounts.anyRole'),
    options: roles.map(value => ({ value, word: t(`role.${value}`) })),
    matches: ({ role }, value) => role === value,
  },
  {
    id: 'state',
    any: t('accounts.anyState'),
    options: [
      { value: 'active', word: t('accounts.active') },
      { value: 'ended', word: t('accounts.ended') },
    ],
    matches: (account, value) => (account.disabled || isExpired(account)) === (value === 'ended'),
  },
]

function columnsOf(
  kind: AccountKind,
  edit: (account: AccountAnswer) => void,
  reload: () => Promise<void>,
): Column<AccountAnswer>[] {
  const time = (id: 'created' | 'used' | 'expires', none: string): Column<AccountAnswer> => ({
    id,
    head: t(`accounts.${id}`),
    text: ({ [id]: seconds = 0 }) => (seconds ? formatTime(seconds * 1000) : none),
    value: ({ [id]: seconds = 0 }) => (seconds ? new Date(seconds * 1000).toISOString() : ''),
  })
  return [
    { id: 'name', head: t('field.name'), text: ({ name }) => name, cell: ({ name }) => <b>{name}</b> },
    { id: 'role', head: t('accounts.role'), text: ({ role }) => t(`role.${role}`) },
    { id: 'computers', head: t('place.computers'), text: limitWords },
    {
      id: 'state',
      head: t('history.state'),
      text: stateWords,
      cell: account => <span class={badgeOf(account)}>{stateWords(account)}</span>,
    },
    time('used', t('when.never')),
    ...(kind === 'tokens' ? [time('expires', t('when.never'))] : []),
    time('created', ''),
    { id: 'by', head: t('accounts.by'), text: ({ by }) => by },
    {
      id: 'actions',
      head: t('table.actions'),
      width: 23,
      cell: account => <AccountActions kind={kind} account={account} edit={edit} reload={reload} />,
    },
  ]
}

function badgeOf(account: AccountAnswer): string {
  if (account.disabled) return 'badge warn'
  return isExpired(account) ? 'badge bad' : ''
}

interface AccountActionsProps {
  kind: AccountKind
  account: AccountAnswer
  edit(account: AccountAnswer): void
  reload(): Promise<void>
}

function AccountActions({ kind, account, edit, reload }: AccountActionsProps) {
  const { id, name, disabled } = account
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
  return (
    <>
      <Button text={t('records.edit')} of={name} press={() => edit(account)} />
      <Button text={t(disabled ? 'accounts.enable' : 'accounts.disable')} of={name} press={toggle} />
      <Button text={t('records.delete')} of={name} press={remove} />
    </>
  )
}
