// The console in a real browser with a real provider: logging in by it and out, and what the page says when it fails.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { chromiumProgram } from '../harness/chromium.ts'
import { findViolations, startConsoleLab } from '../harness/console-page.ts'
import { client, startOidcProvider } from '../harness/oidc-provider.ts'
import { skipFile } from '../harness/skip-file.ts'

export const runs = { seconds: 12 }

if (chromiumProgram === undefined) skipFile('chromium')

const provider = await startOidcProvider({
  anna: { preferred_username: 'anna', groups: ['/teachers'] },
  carla: { preferred_username: 'carla', groups: ['/students'] },
})
const rules = [{ claims: { groups: '/teachers' }, role: 'operate' }]
const oidc = { issuer: provider.issuer, ...client, label: 'University account', rules }
const { lab, open, stop } = await startConsoleLab({ options: { oidc } })
const address = `http://127.0.0.1:${lab.host.ports.rest}/console`
provider.serve(address)

const test = suite('single sign-on in the console')
test.after(async () => {
  await stop()
  await provider.stop()
})

type Page = Awaited<ReturnType<typeof open>>['page']

const toProvider = (page: Page) => page.getByRole('button', { name: 'Log in with University account' })

async function signIn(page: Page, name: string): Promise<void> {
  await toProvider(page).click()
  await page.getByPlaceholder('Enter any login').fill(name)
  await page.getByPlaceholder('and password').fill('any')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
}

test('a person logs in by the provider, comes back to the page that was asked for, and logs out there', async () => {
  const { page, problems } = await open('/jobs', { isLoggedIn: false })
  await toProvider(page).waitFor()
  equal(await findViolations(page), [])
  await signIn(page, 'anna')
  const user = page.getByRole('button', { name: 'user anna' })
  await user.waitFor()
  is(page.url(), `${address}#/jobs`)
  // The page of the provider's tests names fonts elsewhere, and who has no session is 401.
  equal(
    problems.filter(text => !text.startsWith('Failed to load resource')),
    [],
  )
  await user.click()
  is(await page.getByRole('button', { name: 'Change the password' }).count(), 0)
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.getByRole('button', { name: /Yes, sign me out/ }).click()
  await toProvider(page).waitFor()
  is(page.url(), address)
})

test('a person without a rule stays at the login, which says why', async () => {
  const { page } = await open('/', { isLoggedIn: false })
  await signIn(page, 'carla')
  const problem = page.getByText('Your account may not use this server')
  match(await problem.innerText(), /: no rule of oidc\.rules is for the claims of this person$/)
  is(page.url(), `${address}#/`)
})

test('while the provider is away the login says so, and users of the server log in', async () => {
  await lab.call('POST /user/add', { name: 'local', password: 'a password of hers', role: 'read' })
  const { page } = await open('/', { isLoggedIn: false, colorScheme: 'dark' })
  await toProvider(page).waitFor()
  equal(await findViolations(page), [])
  await page.goto(`${address}?error=server_error&state=x`)
  await page.getByText('The login with the other service has failed.').waitFor()
  const form = page.locator('.login')
  await form.getByLabel('Name').fill('local')
  await form.getByLabel('Password').fill('a password of hers')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'user local' }).waitFor()
})

test.run()
