// Asks for a name and a password, or for a token, or leads to the provider.
import { useSignal } from '@preact/signals'
import type { TargetedSubmitEvent } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { LoginProviderAnswer } from '../../../contract/answers.ts'
import { get, type Reply } from '../api/request.ts'
import { t } from '../language/translate.ts'
import { Button } from '../parts/button.tsx'
import { TextField } from '../parts/fields.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { refusal } from '../state/notices.ts'
import { type Credentials, goToProvider, logIn, loginNote, providerReason } from '../state/session.ts'
import { LanguageChoice } from './language-choice.tsx'

/** Browsers treat these as safe without TLS: what is typed does not leave the machine. */
const isSafe = isSecureContext

/** Above the dialogs of a page whose session has ended: they would take all keys and clicks. */
export function Login() {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const opener = document.activeElement
    dialog.current?.showModal()
    return () => {
      if (opener instanceof HTMLElement) requestAnimationFrame(() => opener.focus())
    }
  }, [])
  return (
    <dialog ref={dialog} aria-label={t('command.login')} onCancel={event => event.preventDefault()}>
      <LoginForm />
    </dialog>
  )
}

function LoginForm() {
  const isToken = useSignal(false)
  const problem = useSignal('')
  const isBusy = useSignal(false)
  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const data = new FormData(form)
    const field = (name: string) => String(data.get(name) ?? '')
    const credentials: Credentials = isToken.value
      ? { token: field('token').trim() }
      : { name: field('name').trim(), password: field('password') }
    isBusy.value = true
    const reply = await logIn(credentials)
    isBusy.value = false
    problem.value = reply.ok ? '' : problemOf(reply, isToken.value)
    // What is typed next replaces what was wrong.
    form.querySelector<HTMLInputElement>('input[type="password"]')?.select()
  }
  return (
    <main class="login">
      <form class="card" onSubmit={submit}>
        <h1>
          <span class="logo" aria-hidden="true" /> fleet-host
        </h1>
        {loginNote.value === 'ended' && <p class="hint">{t('login.ended')}</p>}
        {loginNote.value === 'link' && <p class="problem">{t('login.linkEnded')}</p>}
        {loginNote.value === 'provider' && <p class="problem">{providerProblem()}</p>}
        {loginNote.value === 'unreachable' && <p class="problem">{t('notice.unreachable')}</p>}
        <ProviderButton />
        <Tabs
          label={t('login.with')}
          options={[
            [false, t('login.user')],
            [true, t('login.token')],
          ]}
          value={isToken.value}
          onChange={choose}
        />
        {isToken.value ? <TokenField /> : <UserFields />}
        {!isSafe && <p class="problem">{t('login.notEncrypted')}</p>}
        <p class="problem" role="alert">
          {problem.value}
        </p>
        <button type="submit" class="primary" disabled={isBusy.value}>
          {t('command.login')}
        </button>
      </form>
      <LanguageChoice />
    </main>
  )

  function choose(token: boolean): void {
    isToken.value = token
    problem.value = ''
  }
}

function problemOf(reply: Reply<unknown>, isToken: boolean): string {
  const { status } = reply
  if (status === 401) return isToken ? t('login.wrongToken') : t('login.wrong')
  if (status === 403) return t('login.otherName', { name: location.hostname })
  return status === 429 ? t('login.tooMany') : refusal(reply)
}

const providerProblem = () =>
  providerReason.value === '' ? t('login.providerFailed') : t('login.noRights', { reason: providerReason.value })

/** Nothing without the option `oidc`. */
function ProviderButton() {
  const label = useSignal('')
  const problem = useSignal('')
  useEffect(() => {
    void get<LoginProviderAnswer>('/login/provider').then(({ value }) => (label.value = value?.label ?? ''))
  }, [])
  if (label.value === '') return null
  const go = async () => {
    problem.value = ''
    const reply = await goToProvider()
    if (reply.status === 403) problem.value = problemOf(reply, false)
    else if (!reply.ok) problem.value = t('login.providerAway', { name: label.value })
  }
  return (
    <>
      <Button text={t('login.provider', { name: label.value })} class="primary" press={go} />
      <p class="problem" role="alert">
        {problem.value}
      </p>
    </>
  )
}

function UserFields() {
  return (
    <>
      <TextField label={t('field.name')} name="name" autocomplete="username" required maxLength={64} autofocus />
      <TextField
        label={t('login.password')}
        name="password"
        type="password"
        autocomplete="current-password"
        required
        maxLength={256}
      />
    </>
  )
}

const TokenField = () => (
  <TextField label={t('login.token')} hint={t('login.tokenHint')} name="token" type="password" required autofocus />
)
