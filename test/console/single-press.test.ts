// The console in a real browser: a command is never sent by the key press that chose it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { chromiumProgram, type Page } from '../harness/chromium.ts'
import { findViolations, startConsoleLab } from '../harness/console-page.ts'
import { skipFile } from '../harness/skip-file.ts'

export const runs = { seconds: 25 }

if (chromiumProgram === undefined) skipFile('chromium')

const site = mkdtempSync(join(tmpdir(), 'fleet-console-'))
const more = `payload: { type: 'object', required: ['clients'], properties: { clients: { $ref: 'clients' } } }`
for (const [name, destructive] of [
  ['lock', 'destructive: true, '],
  ['greet', ''],
]) {
  const declared = `route: 'POST /${name}', ${destructive}${more}, forward: { to: 'POST /${name}' }`
  writeFileSync(join(site, `${name}.ts`), `export default { summary: 'Site: ${name}', ${declared} }\n`)
}
const { lab, open, stop } = await startConsoleLab({ options: { commands: [site] } })
const addresses = [1, 2, 3].map(number => `127.0.72.${number}`)
for (const addr of addresses) {
  await lab.addComputer(addr)
  await lab.agent(addr)
}

/** The page with all computers selected, and the routes that it has posted to. */
async function openSelected(more = {}): Promise<{ page: Page; posted: string[] }> {
  const { page } = await open('/', more)
  const posted: string[] = []
  page.on('request', request => {
    const { pathname } = new URL(request.url())
    if (request.method() === 'POST' && pathname !== '/shell/output') posted.push(pathname)
  })
  await page.getByRole('option').nth(2).waitFor()
  await page.keyboard.press('Control+a')
  await page.locator('.action-bar').waitFor()
  // The commands have been read.
  await page.locator('.command-buttons').getByText('Power off').first().waitFor({ state: 'attached' })
  return { page, posted }
}

/** Presses the key, which repeats while it is held, as a keyboard does. */
async function hold(page: Page, key: string): Promise<void> {
  for (let times = 0; times < 3; times += 1) await page.keyboard.down(key)
  await page.keyboard.up(key)
}

async function readCommands(page: Page): Promise<string[]> {
  await page.getByRole('button', { name: 'All commands' }).focus()
  await page.keyboard.press('Enter')
  const names = page.locator('.command-groups button')
  await names.getByText('Site: greet').waitFor()
  const words = await names.allInnerTexts()
  await page.keyboard.press('Escape')
  return words
}

const ways = {
  menu: async (page: Page) => {
    await page.getByRole('button', { name: 'All commands' }).focus()
    await hold(page, 'Enter')
    await page.locator('#command-menu:popover-open').waitFor()
  },
  palette: async (page: Page) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').waitFor()
  },
}

const test = suite('one press of a key in the console')
test.after(async () => {
  await stop()
  rmSync(site, { recursive: true, force: true })
})

for (const [name, openWay] of Object.entries(ways)) {
  test(`of all commands of the ${name} none is sent by the Enter that chose it, held or not`, async () => {
    const { page, posted } = await openSelected()
    const words = await readCommands(page)
    ok(words.length > 15, `${words.length} commands`)
    for (const command of words) {
      await openWay(page)
      await page.keyboard.insertText(command)
      await hold(page, 'Enter')
      const dialog = page.getByRole('dialog', { name: command, exact: true })
      await dialog.waitFor()
      for (const area of await dialog.locator('textarea').all())
        equal([command, await area.inputValue()], [command, ''])
      await page.keyboard.press('Escape')
      await page.locator('dialog').first().waitFor({ state: 'detached' })
    }
    // Requests that a key press would have sent are before this one.
    await page.evaluate(`fetch('/me', { method: 'POST' })`)
    equal(posted, ['/me'])
  })
}

test('Ctrl+K finds from a field, Ctrl+Enter sends a form once, and g with j goes to the jobs', async () => {
  const { page, posted } = await openSelected()
  await page.getByRole('button', { name: 'Run a script' }).click()
  await page.keyboard.insertText('uname')
  await page.keyboard.down('Control')
  await hold(page, 'Enter')
  await page.keyboard.up('Control')
  await page.getByRole('complementary').waitFor()
  await page.locator('dialog').first().waitFor({ state: 'detached' })
  equal(posted, ['/shell/run'])
  await page.keyboard.press('/')
  await page.keyboard.type('wsrpu[')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('wsrpu[')
  is(await page.getByRole('dialog').getByRole('combobox').inputValue(), 'wsrpu[')
  await page.keyboard.press('Escape')
  await page.locator('dialog').first().waitFor({ state: 'detached' })
  await page.locator('body').click({ position: { x: 700, y: 5 } })
  await page.keyboard.press('g')
  await page.keyboard.press('j')
  await page.waitForURL(/#\/jobs$/)
})

test('a second Enter answers the question of each command that ends or overwrites something with no', async () => {
  const { page, posted } = await openSelected()
  for (const command of ['Power off', 'Reboot', 'Stop what runs', 'Site: lock']) {
    await ways.menu(page)
    await page.keyboard.insertText(command)
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: command, exact: true })
    await dialog.waitFor()
    await hold(page, 'Enter')
    await page.locator('dialog').first().waitFor({ state: 'detached' })
  }
  equal(posted, [])
})

test('a second click of a double click sends nothing', async () => {
  const { page, posted } = await openSelected()
  await page.getByRole('button', { name: 'All commands' }).click()
  await page.locator('.command-groups button').getByText('Refresh disks and state').click()
  const form = page.getByRole('dialog', { name: 'Refresh disks and state' })
  await form.waitFor()
  // As if the form had opened below the pointer, at once.
  const clickTwice = `(() => {
    document.querySelector('dialog form [type=button]').click()
    const entries = [...document.querySelectorAll('.command-groups button')]
    const entry = entries.find(each => each.innerText.startsWith('Refresh'))
    entry.click()
    const timeStamp = performance.now()
    return new Promise(resolve => setTimeout(resolve)).then(() => {
      const click = new MouseEvent('click', { detail: 2, bubbles: true, cancelable: true })
      // However long a busy machine has taken to draw the form.
      Object.defineProperty(click, 'timeStamp', { value: timeStamp })
      document.querySelector('dialog form [type=submit]').dispatchEvent(click)
    })
  })()`
  await page.evaluate(clickTwice)
  await form.waitFor()
  equal(posted, [])
})

test('the question says who is logged in and proposes the computers that are free', async () => {
  const { page, posted } = await openSelected()
  lab.host.events.emit({ type: 'session-login', addr: addresses[1] ?? '', user: 'student14' })
  await page.locator('.tile-user').getByText('student14').waitFor()
  await page.getByRole('button', { name: 'Power off' }).click()
  const dialog = page.getByRole('dialog')
  match(await dialog.innerText(), /Power off 3 computers in .*1 of them is in use: student14\s/s)
  const words = await dialog.locator('footer button').allInnerTexts()
  equal(words, ['Cancel', 'Power off: all 3', 'Only the 2 that are free'])
  equal(await page.evaluate('document.activeElement.textContent'), 'Cancel')
  equal(await findViolations(page), [])
  const sent = page.waitForRequest(request => request.method() === 'POST')
  await dialog.getByRole('button', { name: 'Only the 2' }).click()
  equal((await sent).postDataJSON().clients, [addresses[0], addresses[2]])
  equal(posted, ['/poweroff'])
})

test('the question of a procedure proposes the computers that are free, and its Enter is no', async () => {
  const [center] = (await lab.call('GET /scopes')).json.scope
  const steps = [{ command: 'poweroff', params: {} }]
  await lab.call('POST /procedure/add', { center: String(center.id), name: 'Evening', steps })
  const { page, posted } = await openSelected()
  lab.host.events.emit({ type: 'session-login', addr: addresses[1] ?? '', user: 'student16' })
  await page.locator('.tile-user').getByText('student16').waitFor()
  await page.getByRole('link', { name: 'Automation' }).click()
  await page.getByRole('link', { name: 'Procedures' }).click()
  await page.getByRole('button', { name: 'Run now Evening' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('1 of them is in use: student16').waitFor()
  const words = await dialog.locator('footer button').allInnerTexts()
  equal(words, ['Cancel', 'Run now: all 3', 'Only the 2 that are free'])
  equal(await findViolations(page), [])
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  equal(posted, [])
  await page.getByRole('button', { name: 'Run now Evening' }).click()
  const sent = page.waitForRequest('**/procedure/run')
  await dialog.getByRole('button', { name: 'Only the 2' }).click()
  equal((await sent).postDataJSON().clients, [addresses[0], addresses[2]])
})

test('a question that follows a form names them too, and its Enter is no', async () => {
  const { page, posted } = await openSelected()
  lab.host.events.emit({ type: 'session-login', addr: addresses[1] ?? '', user: 'student15' })
  await page.locator('.tile-user').getByText('student15').waitFor()
  await ways.menu(page)
  await page.keyboard.type('delete the records')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('1 of them is in use: student15').waitFor()
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  equal(posted, [])
})

test.run()
