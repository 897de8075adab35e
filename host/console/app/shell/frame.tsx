// What surrounds every page: navigation, state of the connection, and who is logged in.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { CallerAnswer } from '../../../contract/answers.ts'
import { urlOf } from '../api/request.ts'
import { t } from '../language/translate.ts'
import { CommandDialog, JobDrawer, PeekDrawer, pageNamed } from '../pages/page-list.ts'
import { Button } from '../parts/button.tsx'
import { Confirmation } from '../parts/confirmation.tsx'
import { ConnectionBanner } from '../parts/connection-banner.tsx'
import { choice } from '../state/commands.ts'
import { connection, lostSince } from '../state/event-stream.ts'
import { loadProblem, nameOf } from '../state/lab.ts'
import { report } from '../state/notices.ts'
import { peeked } from '../state/peek.ts'
import { linkTo, route } from '../state/route.ts'
import { shownJob } from '../state/running-jobs.ts'
import { logOut, me } from '../state/session.ts'
import { LanguageChoice } from './language-choice.tsx'
import { OwnPassword } from './own-password.tsx'
import { KeysButton, PageKeys } from './page-keys.tsx'
import { PlaceMenu, PlaceTabs } from './place-menu.tsx'
import { RunningJobsButton } from './running-jobs-button.tsx'
import { SearchBox } from './search-box.tsx'

export function Frame({ caller }: { caller: CallerAnswer }) {
  const { page: name, rest } = route.value
  const page = pageNamed(name)
  const main = useRef<HTMLElement>(null)
  const [id = ''] = rest
  const record = { job: t('panel.job', { id }), computer: nameOf(id) }[name]
  useEffect(() => {
    document.title = page ? `${(id && record) || t(page.title)} · fleet-host` : 'fleet-host'
  })
  const isFirst = useRef(true)
  // What had the focus may be gone with the last page. The room map keeps its place by itself.
  useEffect(() => {
    // The form of a command belongs to the page where it was opened: what was typed in it is kept.
    if (!isFirst.current) choice.value = undefined
    if (!isFirst.current && document.activeElement === document.body) main.current?.focus({ preventScroll: true })
    isFirst.current = false
    if (name !== '') scrollTo(0, 0)
  }, [name, rest.join()])
  const isLost = lostSince.value !== undefined
  return (
    <div class={isLost ? 'frame lost' : 'frame'} hidden={me.value === null}>
      <Button text={t('frame.skip')} class="skip" press={() => main.current?.focus()} />
      <Header caller={caller} />
      <PlaceMenu page={page} />
      <div class="banners" role="status">
        <ConnectionBanner />
        {!isLost && loadProblem.value && (
          <p class="banner bad">{t('frame.loadProblem', { reason: loadProblem.value })}</p>
        )}
      </div>
      <main id="main" tabIndex={-1} ref={main}>
        {page && <PlaceTabs page={page} />}
        {page ? <page.view /> : <NoPage name={name} />}
      </main>
      {shownJob.value !== undefined && <JobDrawer />}
      {peeked.value && <PeekDrawer />}
      {choice.value && <CommandDialog />}
      <Confirmation />
      <PageKeys />
    </div>
  )
}

function NoPage({ name }: { name: string }) {
  return (
    <p class="card">
      {t('frame.noPage', { name })} <a href={linkTo('')}>{t('plannedRestores.rooms')}</a>
    </p>
  )
}

function Header({ caller }: { caller: CallerAnswer }) {
  const [isChangingPassword, setChangingPassword] = useState(false)
  return (
    <header class="top">
      <a class="brand" href={linkTo('')} aria-label="fleet-host">
        <span class="logo" aria-hidden="true" /> <span class="brand-name">fleet-host</span>
      </a>
      <Button text="☰" class="plain menu-button" popovertarget="navigation" aria-label={t('frame.menu')} />
      <SearchBox />
      <KeysButton />
      <RunningJobsButton />
      <span
        class={`dot connection ${connection.value === 'live' ? 'good' : 'warn'}`}
        title={t(`connection.${connection.value}`)}
      >
        <span class="hidden-text">{t(`connection.${connection.value}`)}</span>
      </span>
      <Button text={caller.name} class="plain user cut" popovertarget="user-menu" />
      <div id="user-menu" popover="auto" class="menu card">
        <p>
          {caller.name} · {t(`role.${caller.role}`)}
        </p>
        <p class="hint">fleet-host {caller.version}</p>
        <a href={linkTo('account')}>{t('settings.account')}</a>
        <a href={urlOf('/docs')} target="_blank" rel="noreferrer">
          {t('nav.api')} <span aria-hidden="true">↗</span>
        </a>
        <LanguageChoice />
        {caller.name.startsWith('user ') && !caller.provider && (
          <Button text={t('frame.password')} press={() => setChangingPassword(true)} />
        )}
        <Button text={t('command.logout')} press={() => logOut().then(reply => report(reply))} />
      </div>
      {isChangingPassword && <OwnPassword onClose={() => setChangingPassword(false)} />}
    </header>
  )
}
