// Who uses the page; for administrators tokens, users, the audit log and the backup: each is a page.
import { urlOf } from '../../api/request.ts'
import { t } from '../../language/translate.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { may, me } from '../../state/session.ts'
import { AccountList } from './account-list.tsx'
import { type AccountKind, limitWords } from './account-words.ts'
import { AuditLog } from './audit-log.tsx'

export const UsersPage = () => <AccountsPage kind="users" />
export const TokensPage = () => <AccountsPage kind="tokens" />

function AccountsPage({ kind }: { kind: AccountKind }) {
  return may('admin') ? <AccountList kind={kind} key={kind} /> : <AccountPage />
}

export function AuditPage() {
  if (!may('admin')) return <AccountPage />
  return (
    <>
      <PageHead title={t('settings.audit')} />
      <AuditLog />
    </>
  )
}

export function AccountPage() {
  const caller = me.value
  if (!caller) return null
  return (
    <>
      <PageHead title={t('settings.account')} />
      <dl class="facts card">
        <dt>{t('field.name')}</dt>
        <dd>{caller.name}</dd>
        <dt>{t('accounts.role')}</dt>
        <dd>
          {t(`role.${caller.role}`)} · {t(`accounts.roleHint.${caller.role}`)}
        </dd>
        <dt>{t('place.computers')}</dt>
        <dd>{limitWords(caller)}</dd>
      </dl>
    </>
  )
}

export function BackupPage() {
  if (!may('admin')) return <AccountPage />
  return (
    <>
      <PageHead title={t('settings.backup')} />
      <section class="card">
        <p>{t('settings.backupText')}</p>
        <p class="hint">{t('settings.backupHint')}</p>
        <a class="button" href={urlOf('/backup')} download>
          {t('settings.download')}
        </a>
      </section>
    </>
  )
}
