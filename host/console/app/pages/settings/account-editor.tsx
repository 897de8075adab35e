// The form of a token or a user: name, role, the computers it is limited to, and expiry or password.
import type { Signal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import type { AccountAnswer, CallerAnswer, GroupsAnswer, Role } from '../../../../contract/answers.ts'
import { post } from '../../api/request.ts'
import { t } from '../../language/translate.ts'
import { savedWithoutUndo } from '../../parts/change-words.ts'
import { useFormRecord } from '../../parts/changed-meanwhile.ts'
import { Check, NameField, TextField } from '../../parts/fields.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { PasswordField } from '../../parts/password-field.tsx'
import { RadioList } from '../../parts/radio-list.tsx'
import { useDraft } from '../../state/drafts.ts'
import { centers } from '../../state/lab.ts'
import { useResource } from '../../state/resource.ts'
import { type AccountKind, pathOf, roles } from './account-words.ts'

type Scope = Required<Pick<CallerAnswer, 'centers' | 'rooms' | 'groups'>>

const scopeOf = ({ centers = [], rooms = [], groups = [] }: Partial<Scope>): Scope => ({ centers, rooms, groups })
const isEmpty = (scope: Scope) => Object.values(scope).every(ids => ids.length === 0)

interface AccountDraft {
  name: string
  role: Role
  scope: Scope
  isScoped: boolean
  /** `yyyy-mm-dd`, '' for never. */
  expires: string
}

export interface AccountEditorProps {
  kind: AccountKind
  /** Undefined for a new one. */
  account: AccountAnswer | undefined
  onClose(): void
  /** A new token is handed over, which cannot be read again. */
  onSaved(token: string | undefined): void
}

export function AccountEditor({ kind, account, onClose, onSaved }: AccountEditorProps) {
  const form = `${kind.slice(0, -1)}/${account?.id}`
  const { draft, change } = useDraft<AccountDraft>(form, {
    name: account?.name ?? '',
    role: account?.role ?? 'read',
    scope: scopeOf(account ?? {}),
    isScoped: !isEmpty(scopeOf(account ?? {})),
    expires: dayOf(account?.expires ?? 0),
  })
  const { before, save } = useFormRecord(form, {
    record: account && { ...account, ...scopeOf(account) },
    take({ centers, rooms, groups, expires, ...theirs }) {
      const parts = { ...(centers && { centers }), ...(rooms && { rooms }), ...(groups && { groups }) }
      const scope = { ...draft.value.scope, ...parts }
      change({ ...theirs, scope, isScoped: !isEmpty(scope), ...(expires !== undefined && { expires: dayOf(expires) }) })
    },
  })
  const token = useRef<string | undefined>(undefined)
  const send = async (element: HTMLFormElement) => {
    const { isScoped, scope } = draft.value
    // Without any the account would reach all computers.
    if (isScoped && isEmpty(scope)) return { key: 'scope', text: t('accounts.noLimit') }
    const password = new FormData(element).get('password')
    const typed = { ...payloadOf(kind, draft.value, before.current), ...(password && { password }) }
    return save(typed, async changed => {
      const payload = { ...(account && { id: String(account.id) }), ...changed }
      const reply = await post<{ token?: string }>(`${pathOf(kind)}/${account ? 'update' : 'add'}`, payload)
      token.current = reply.value?.token
      return reply
    })
  }
  const { name, role, scope, isScoped } = draft.value
  return (
    <FormDialog
      form={form}
      title={t(account ? `accounts.edit.${kind}` : `accounts.new.${kind}`)}
      action={t(account ? 'records.save' : 'records.add')}
      send={send}
      onClose={onClose}
      onSaved={() => onSaved(token.current)}
      {...(account && { saved: savedWithoutUndo })}
    >
      <NameField name={name} change={change} maxLength={64} />
      <RadioList
        legend={t('accounts.role')}
        options={roles.map(key => ({ key, name: t(`role.${key}`), note: t(`accounts.roleHint.${key}`) }))}
        value={role}
        onChange={key => change({ role: roles.find(each => each === key) ?? 'read' })}
      />
      <ScopeFields scope={scope} isScoped={isScoped} change={change} />
      <KindFields kind={kind} draft={draft} isNew={!account} change={change} />
    </FormDialog>
  )
}

interface KindFieldsProps {
  kind: AccountKind
  draft: Signal<AccountDraft>
  isNew: boolean
  change(part: Partial<AccountDraft>): void
}

function KindFields({ kind, draft, isNew, change }: KindFieldsProps) {
  const { expires } = draft.value
  if (kind === 'tokens') {
    return (
      <TextField
        label={t('accounts.expiryDate')}
        hint={t('accounts.expiryHint')}
        name="expires"
        type="date"
        value={expires}
        change={expires => change({ expires })}
      />
    )
  }
  return (
    <PasswordField
      label={t(isNew ? 'login.password' : 'accounts.newPassword')}
      hint={t(isNew ? 'accounts.passwordHint' : 'accounts.samePassword')}
      isRequired={isNew}
    />
  )
}

type ScopeProps = Pick<AccountDraft, 'scope' | 'isScoped'> & { change(part: Partial<AccountDraft>): void }

function ScopeFields({ scope, isScoped, change }: ScopeProps) {
  const { groups = [] } = useResource<GroupsAnswer>('/groups').value.value ?? {}
  const set = (key: keyof Scope, id: number, isOn: boolean) =>
    change({ scope: { ...scope, [key]: isOn ? [...scope[key], id] : scope[key].filter(each => each !== id) } })
  return (
    <fieldset class="group stack">
      <legend>{t('place.computers')}</legend>
      <Check
        label={t('accounts.limit')}
        isOn={isScoped}
        change={isOn => change({ isScoped: isOn, ...(!isOn && { scope: scopeOf({}) }) })}
      />
      {isScoped && (
        <div class="check-list boxed scroll">
          {centers.value.map(({ id, name, rooms }) => (
            <fieldset key={id}>
              <legend>
                <Check
                  name="scope"
                  label={t('accounts.centerName', { name })}
                  isOn={scope.centers.includes(id)}
                  change={isOn => set('centers', id, isOn)}
                />
              </legend>
              {rooms.map(room => (
                <Check
                  name="scope"
                  key={room.id}
                  label={room.name}
                  isOn={scope.rooms.includes(room.id)}
                  change={isOn => set('rooms', room.id, isOn)}
                />
              ))}
            </fieldset>
          ))}
          {groups.length > 0 && (
            <fieldset>
              <legend>{t('nav.groups')}</legend>
              {groups.map(({ id, name }) => (
                <Check
                  name="scope"
                  key={id}
                  label={name}
                  isOn={scope.groups.includes(id)}
                  change={isOn => set('groups', id, isOn)}
                />
              ))}
            </fieldset>
          )}
        </div>
      )}
    </fieldset>
  )
}

/** The day in the time zone of the page. */
function dayOf(seconds: number): string {
  if (seconds === 0) return ''
  const date = new Date(seconds * 1000)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 'yyyy-mm-dd'.length)
}

/** An expiry that was not changed is not sent: it may be at any time of its day, or in the past. */
function payloadOf(kind: AccountKind, draft: AccountDraft, account: AccountAnswer | undefined) {
  const { name, role, scope, expires } = draft
  const record = { name: name.trim(), role, ...scope }
  if (kind === 'users') return record
  if (expires === dayOf(account?.expires ?? 0)) return record
  return { ...record, expires: expires ? Math.floor(new Date(`${expires}T23:59:59`).getTime() / 1000) : 0 }
}
