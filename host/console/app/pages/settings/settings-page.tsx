// Who uses the page; for administrators also tokens, users, the audit log and the backup.
import type { CallerAnswer } from '../../../../contract/answers.ts'
import { urlOf } from '../../api/request.ts'
import { t } from '../../language/translate.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { linkTo, route } from '../../state/route.ts'
import { may, me } from '../../state/session.ts'
import { AccountList } from './account-list.tsx'
import { limitWords } from './account-words.ts'
import { AuditLog } from './audit-log.tsx'

const sections = ['account', 'tokens', 'users', 'audit', 'backup'] as const

export function SettingsPage() {
  const isAdmin = may('admin')
  const section = sections.find(each => each === route.value.rest[0]) ?? 'account'
  return (
    <>
      <PageHead title={t('nav.settings')} />
      {isAdmin && (
        <nav class="section-nav" aria-label={t('settings.sections')}>
          {sections.map(each => (
            <a
              class="nav-link"
              href={linkTo('settings', each)}
              aria-current={each === section ? 'page' : undefined}
              key={each}
            >
              {t(`settings.${each}`)}
            </a>
          ))}
        </nav>
      )}
      {me.value && (!isAdmin || section === 'account') && <OwnAccount caller={me.value} />}
      {isAdmin && (section === 'tokens' || section === 'users') && <AccountList kind={section} key={section} />}
      {isAdmin && section === 'audit' && <AuditLog />}
      {isAdmin && section === 'backup' && <Backup />}
    </>
  )
}

function OwnAccount({ caller }: { caller: CallerAnswer }) {
  return (
    <section class="card">
      <h2>{t('settings.account')}</h2>
      <dl class="facts">
        <dt>{t('records.name')}</dt>
        <dd>{caller.name}</dd>
        <dt>{t('accounts.role')}</dt>
        <dd>
          {t(`role.${caller.role}`)} · {t(`accounts.roleHint.${caller.role}`)}
        </dd>
        <dt>{t('accounts.computers')}</dt>
        <dd>{limitWords(caller)}</dd>
      </dl>
    </section>
  )
}

function Backup() {
  return (
    <section class="card">
      <h2>{t('settings.backup')}</h2>
      <p>{t('settings.backupText')}</p>
      <p class="hint">{t('settings.backupHint')}</p>
      <a class="button" href={urlOf('/backup')} download>
        {t('settings.download')}
      </a>
    </section>
  )
}
