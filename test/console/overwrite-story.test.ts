// The console in a real browser: a restore goes where the image was made, and shows the system that it would replace.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { chromiumProgram, type Page, startChromium } from '../harness/chromium.ts'
import { findViolations, openConsole } from '../harness/console-page.ts'
import { startLab } from '../harness/lab.ts'
import { layout, root, swap } from '../harness/lab-images.ts'
import { skipFile } from '../harness/skip-file.ts'

export const runs = { seconds: 15 }

if (chromiumProgram === undefined) skipFile('chromium')

const lab = await startLab({ repository: true })
const second = { ...root, partition: '2' }
const source = await lab.computer({ ...layout, partition_setup: [root, second] })
await lab.computer({
  ...layout,
  partition_setup: [
    { ...root, os: 'Windows 10' },
    { ...second, os: 'Windows 10' },
  ],
})
await lab.computer({ ...layout, partition_setup: [root, swap] })
await lab.create(source, { description: 'A system' }, { content: 'one' })
const create = { clients: ['127.0.9.9'], disk: '1', partition: '2', code: '131', repository: '10.9.9.9', id: '0' }
await lab.call('POST /image/create', { ...create, name: 'unmade', description: 'x' })
lab.write('unmade.img', 'content')
const browser = await startChromium()

const test = suite('restores where another system stands, in the console')
test.after(async () => {
  await browser.close()
  await lab.stop()
})

for (const colorScheme of ['light', 'dark'] as const)
  test(`in ${colorScheme} colours, preview and question have a line of warning for another system`, async () => {
    const { page, problems } = await openConsole(browser, lab, '/planned-restores', { colorScheme })
    await page.getByText('Disk and partition are those that the image was made of.').waitFor()
    equal([await page.getByLabel('Disk').inputValue(), await page.getByLabel('Partition').inputValue()], ['1', '1'])
    await page.getByLabel('Center', { exact: true }).check()
    const line = '▲ Windows 10 · disk 1, partition 1 · 1 computer · another system, which is lost'
    const preview = page.getByRole('region', { name: 'What it will do' })
    await preview.getByText(line).waitFor()
    await preview.getByText('Debian 12 · disk 1, partition 1 · 2 computers').waitFor()
    is(await preview.locator('.content-lines .problem').count(), 1)
    await page.getByRole('button', { name: 'Plan', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Overwrite disk 1, partition 1 with the image linux: 3 computers in Room?').waitFor()
    await dialog.getByText('There now:').waitFor()
    await dialog.getByText(line).waitFor()
    lab.host.events.emit({ type: 'session-login', addr: source.addr, user: colorScheme })
    await dialog.getByText(`1 of them is in use: ${colorScheme}`).waitFor()
    equal(await findViolations(page), [])
    await page.getByRole('dialog').getByRole('button', { name: 'Plan' }).click()
    await page.getByText('disk 1, partition 1 · 3 computers').first().waitFor()
    const { plans } = (await lab.call('GET /image/plans')).json
    is(plans.length, 1)
    await lab.call('POST /image/unplan', { id: String(plans[0].schedule) })
    equal(problems, [])
  })

test('of an image that was made nobody knows where, the partition must be entered', async () => {
  const { page } = await openConsole(browser, lab, '/planned-restores')
  await page.getByLabel('Center', { exact: true }).check()
  await page.getByLabel('Image').selectOption('unmade')
  await page.getByText('It is not known where this image was made: enter disk and partition.').waitFor()
  is(await page.getByLabel('Partition').inputValue(), '')
  is(await page.getByRole('button', { name: 'Plan', exact: true }).isDisabled(), true)
  await page.getByLabel('Disk').fill('1')
  await page.getByLabel('Partition').fill('2')
  await page.getByText('▲ Windows 10 · disk 1, partition 2').waitFor()
  await page.getByText('No known system (LINUX-SWAP) · disk 1, partition 2').waitFor()
})

/** Opens the question of a restore on what is selected. */
async function restoreSelected(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'All commands' }).click()
  await page.keyboard.type('restore an image')
  await page.keyboard.press('Enter')
  const form = page.locator('.command-form')
  const values = { disk: '1', partition: '1', name: 'linux', repository: '10.9.9.9', type: 'UNICAST', profile: '0' }
  for (const [name, value] of Object.entries(values)) await form.locator(`[name=${name}]`).fill(value)
  await form.locator('[type=submit]').click()
}

test('the question of a direct restore names the system that it would replace, and that it is skipped', async () => {
  const { page } = await openConsole(browser, lab, '/')
  await page.getByLabel('Select all of Room').check()
  await restoreSelected(page)
  await page.getByText('▲ Windows 10 · disk 1, partition 1 · 1 computer · another system: skipped without').waitFor()
})

test('the question of a direct restore says so when it is not known what is there now, and why', async () => {
  const { page } = await openConsole(browser, lab, '/')
  const preview = '**/image/restore?dry_run=1'
  await page.route(preview, route => route.abort())
  await page.getByLabel('Select all of Room').check()
  await restoreSelected(page)
  const unknown = page.getByRole('dialog').getByText('What is there now is not known')
  is(await unknown.innerText(), 'What is there now is not known: The daemon does not answer.')
  equal(await findViolations(page), [])
  await page.getByRole('button', { name: 'Cancel' }).last().click()
  await page.route(preview, route => route.fulfill({ status: 503, headers: { 'X-Reason': 'busy' } }))
  await page.locator('.command-form [type=submit]').click()
  is(await unknown.innerText(), 'What is there now is not known: busy')
})

test('the question of a direct restore says that a computer without an inventory has no known system', async () => {
  await lab.addComputer('127.0.5.93', { name: 'pc-new' })
  const { page } = await openConsole(browser, lab, '/')
  await page.locator('.tile').getByText('pc-new').click()
  await restoreSelected(page)
  await page.getByRole('dialog').getByText('No known system · disk 1, partition 1 · 1 computer').waitFor()
})

test.run()
