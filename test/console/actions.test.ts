// The console's action bar, forms, drawer and job pages in a real browser.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { csvOf } from '../../host/console/app/parts/csv-text.ts'
import { chromiumProgram, type Page } from '../harness/chromium.ts'
import { findViolations, startConsoleLab } from '../harness/console-page.ts'
import { skipFile } from '../harness/skip-file.ts'

export const runs = { seconds: 17 }

if (chromiumProgram === undefined) skipFile('chromium')

const site = mkdtempSync(join(tmpdir(), 'fleet-console-'))
const { lab, open, stop } = await startConsoleLab({ options: { commands: [site] } })
const subnet = '127.88.4'
const addresses = [1, 2, 3].map(number => `${subnet}.${number}`)
const scripts: unknown[] = []
for (const addr of addresses) {
  await lab.addComputer(addr)
  await lab.agent(addr, {
    auto: {
      '/refresh': { status: 200 },
      '/probe': { status: 200, body: { status: 'OPG' } },
      '/poweroff': { status: 202 },
      '/greet': { status: 200 },
      '/shell/run': ({ body }, agent) => {
        scripts.push(body)
        const isBroken = agent.addr === addresses[2] && JSON.stringify(body).includes('fail')
        return isBroken ? { status: 500 } : { status: 200, body: { out: 'the same\n' } }
      },
    },
  })
}

/** The page of rooms with all computers selected. */
async function openSelected(): Promise<Page> {
  const { page } = await open('/')
  await page.getByRole('option').nth(2).waitFor()
  await page.keyboard.press('Control+a')
  await page.getByText('3 computers selected').waitFor()
  return page
}

async function runScript(page: Page, script: string): Promise<void> {
  await page.getByRole('button', { name: 'Run a script' }).click()
  await page.locator('textarea[name=run]').fill(script)
  await page.locator('dialog form [type=submit]').click()
  await page.locator('dialog form').waitFor({ state: 'detached' })
}

const test = suite('console: actions')

test.after(async () => {
  await stop()
  rmSync(site, { recursive: true, force: true })
})

test('the bar is there while computers are selected, which the palette does, too', async () => {
  const { page } = await open('/jobs')
  await page.getByRole('main').getByRole('heading', { name: 'Jobs' }).waitFor()
  const powerOff = page.getByRole('button', { name: 'Power off' })
  for (const typed of ['select all of', 'select all computers']) {
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill(typed)
    await page.keyboard.press('Enter')
    await page.getByText('3 computers selected').waitFor()
    await powerOff.waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('No computer selected').waitFor()
    equal(await powerOff.count(), 0)
  }
  // Without a selection a command is for the computers of a room.
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill('power off room')
  await page.keyboard.press('Enter')
  await page
    .getByRole('dialog', { name: 'Power off' })
    .getByText(/^Power off 3 computers/)
    .waitFor()
})

test('a script is sent to the selected addresses; the drawer follows the outcome, and the job page groups the output', async () => {
  const page = await openSelected()
  await runScript(page, 'hostname')
  const drawer = page.getByRole('complementary')
  await drawer.getByText('Finished · 3 succeeded').waitFor()
  equal(scripts.splice(0).length, 3)
  equal(await findViolations(page), [])
  await page.getByRole('button', { name: 'Run a script' }).click()
  await page.getByLabel('Run again').selectOption('hostname')
  is(await page.locator('textarea[name=run]').inputValue(), 'hostname')
  await page.keyboard.press('Escape')
  await drawer.getByRole('link', { name: 'Run a script' }).click()
  await page.getByText('3 computers printed the same').waitFor()
  equal(await findViolations(page), [])
})

test('a script of the library has a field for each of its parameters', async () => {
  await lab.call('POST /pack/enable', { pack: 'scripts' })
  const parameters = [
    { name: 'edition', type: 'text', choices: ['small', 'full'], default: 'small' },
    { name: 'server', type: 'text' },
  ]
  const script = { script: 'Install', text: 'echo', language: 'sh', parameters }
  is((await lab.call('POST /script/add', script)).status, 200)
  const page = await openSelected()
  await page.getByRole('button', { name: 'Run a script' }).click()
  await page.getByLabel('From the library').selectOption('Install')
  const form = page.getByRole('dialog', { name: 'Run a script of the library' })
  await form.getByLabel('server').fill('one')
  await form.getByLabel('edition').selectOption('full')
  equal(await findViolations(page), [])
  const sent = page.waitForRequest(request => request.method() === 'POST')
  await form.locator('[type=submit]').click()
  const { values, ...others } = (await sent).postDataJSON()
  equal([values, others.script], [{ server: 'one', edition: 'full' }, 'Install'])
})

test('sizes of partitions are typed with a unit and sent in KiB, and 1 and 0 are words', async () => {
  const page = await openSelected()
  await page.getByRole('button', { name: 'All commands' }).click()
  await page.keyboard.insertText('Partition a disk')
  await page.keyboard.press('Enter')
  const form = page.getByRole('dialog', { name: 'Partition a disk' })
  await form.getByLabel('Disk').fill('1')
  await form.getByLabel('Cache *', { exact: true }).selectOption('yes')
  await form.getByRole('spinbutton', { name: 'Size of the cache' }).fill('512')
  await form.getByLabel('Unit: Size of the cache').selectOption('MiB')
  await form.getByLabel('Type, row 1').fill('LINUX')
  await form.getByLabel('File system, row 1', { exact: true }).fill('EXT4')
  await form.getByRole('spinbutton', { name: 'Size, row 1' }).pressSequentially('1.5')
  await form.getByLabel('Create the file system, row 1').selectOption('yes')
  equal(await findViolations(page), [])
  await form.locator('[type=submit]').click()
  // No agent has to do it.
  await page.route('**/setup', route => route.fulfill({ status: 200 }))
  const sent = page.waitForRequest('**/setup')
  await page.locator('dialog .danger').last().click()
  const { cache, cache_size, partition_setup } = (await sent).postDataJSON()
  equal([cache, cache_size], ['1', String(512 * 1024)])
  const [first, second] = partition_setup
  equal(first, { partition: '1', code: 'LINUX', filesystem: 'EXT4', size: String(1.5 * 1024 ** 2), format: '1' })
  equal(second, { partition: '2', code: 'EMPTY', filesystem: 'EMPTY', size: '0', format: '0' })
})

test('failed ones and all that did not succeed are retried by two buttons', async () => {
  const page = await openSelected()
  await runScript(page, 'fail')
  await page.getByRole('button', { name: 'Retry 1 failed', exact: true }).click()
  await page.getByRole('complementary').getByText('Finished · 1 failed').waitFor()
  const [retried] = (await lab.call('GET /jobs?limit=1')).json.jobs
  is(retried.origin, 'retry')
})

test('a refusal is shown at the form with what was typed', async () => {
  const page = await openSelected()
  await page.getByRole('button', { name: 'All commands' }).click()
  await page.keyboard.type('software')
  await page.keyboard.press('Enter')
  await page.locator('[name=disk]').fill('x')
  await page.locator('[name=partition]').fill('1')
  await page.locator('dialog form [type=submit]').click()
  const problem = page.locator('dialog form [role=alert]')
  await problem.filter({ hasText: 'Refused: disk: expected' }).waitFor()
  is(await page.locator('[name=disk]').inputValue(), 'x')
})

test('a destructive command asks with the number of computers and their rooms', async () => {
  const page = await openSelected()
  await page.getByRole('button', { name: 'Power off' }).click()
  match(await page.locator('dialog .target').innerText(), /^Power off 3 computers in \S/)
  equal(await findViolations(page), [])
})

test('a command of the site is in the menu when its file is saved, without a reload', async () => {
  const page = await openSelected()
  const loaded = lab.event('module-loaded')
  writeFileSync(
    join(site, 'greet.ts'),
    `export default { summary: 'Greet people', route: 'POST /greet', destructive: true,
  payload: { type: 'object', required: ['clients', 'times'], properties: { clients: { $ref: 'clients' }, times: { type: 'integer', minimum: 1 }, tone: { enum: ['warm', 'cool'] } } },
  forward: { to: 'POST /greet' } }\n`,
  )
  await loaded
  await page.getByRole('button', { name: 'All commands' }).click()
  await page.getByRole('button', { name: 'Greet people' }).click()
  await page.locator('[name=times]').fill('2')
  await page.locator('[name=tone]').selectOption('cool')
  await page.locator('dialog form [type=submit]').click()
  await page
    .getByText(/Greet people: 3 computers in/)
    .last()
    .waitFor()
  await page.locator('dialog button.danger').last().click()
  await page.getByRole('complementary').getByText('Finished · 3 succeeded').waitFor()
})

test('the list of jobs is live and is filtered by the address', async () => {
  const { page } = await open('/jobs?command=shell-run')
  await page.locator('.rows-box').waitFor()
  const rows = page.locator('.rows-box tbody tr')
  const before = await rows.count()
  await lab.call('POST /shell/run', { clients: [addresses[0]], run: 'date', echo: true })
  await rows.getByText('date', { exact: true }).waitFor()
  is(await rows.count(), before + 1)
  equal(await findViolations(page), [])
})

test('CSV cells that a spreadsheet would calculate are texts', () => {
  is(csvOf([['=1+1', '-2', '@a', '\tb', 'a,b', 'say "x"', '']]), `'=1+1,'-2,'@a,'\tb,"a,b","say ""x""",\r\n`)
})

test.run()
