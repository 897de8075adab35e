// The console in a real browser: restores, new images and starts of systems by what the computers have.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { chromiumProgram, startChromium } from '../harness/chromium.ts'
import { findViolations, openConsole } from '../harness/console-page.ts'
import { startLab } from '../harness/lab.ts'
import { layout, root, swap } from '../harness/lab-images.ts'
import { skipFile } from '../harness/skip-file.ts'

export const runs = { seconds: 15 }

if (chromiumProgram === undefined) skipFile('chromium')

const lab = await startLab({ repository: true })
const second = { ...root, partition: '2' }
const source = await lab.computer({ ...layout, partition_setup: [root, second] })
const windows = await lab.computer({
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
    await page.getByText('All of a center').click()
    const origin = page.getByLabel(
      /^Debian 12 \(2\), Windows 10 \(1\) disk 1, partition 1 · 3 of 3 .* where the image was made/,
    )
    is(await origin.isChecked(), true)
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
  await page.getByText('All of a center').click()
  await page.getByRole('radio', { name: 'unmade' }).check()
  await page.getByText('It is not known where this image was made: enter disk and partition.').waitFor()
  is(await page.getByLabel('Partition', { exact: true }).inputValue(), '')
  is(await page.getByRole('button', { name: 'Plan', exact: true }).isDisabled(), true)
  await page.getByLabel('Disk', { exact: true }).fill('1')
  await page.getByLabel('Partition', { exact: true }).fill('2')
  await page.getByText('▲ Windows 10 · disk 1, partition 2').waitFor()
  await page.getByText('No known system (LINUX-SWAP) · disk 1, partition 2').waitFor()
})

test('what is selected is restored with one request, by the content of its partitions', async () => {
  await lab.addComputer('127.0.5.93', { name: 'pc-new' })
  const { page, problems } = await openConsole(browser, lab, '/')
  await page.getByLabel('Select all of Room').check()
  const posted: string[] = []
  page.on('request', request => {
    const { dry_run } = request.postDataJSON() ?? {}
    if (request.method() === 'POST' && !dry_run) posted.push(new URL(request.url()).pathname)
  })
  const open = async () => {
    await page.getByRole('button', { name: 'All commands' }).click()
    await page.keyboard.type('restore an image')
    await page.keyboard.press('Enter')
    await page.getByRole('radio', { name: /^linux/ }).waitFor()
  }
  await open()
  const form = page.getByRole('dialog', { name: 'Restore an image' })
  await form.getByLabel('At once').fill('3')
  await form.getByRole('button', { name: 'Cancel' }).click()
  await form.waitFor({ state: 'detached' })
  await open()
  is(await form.getByLabel('At once').inputValue(), '')
  await form.getByLabel('At once').fill('7')
  await form.getByRole('radio', { name: /^Debian 12 \(1\), Windows 10 \(1\)/ }).check()
  await form.getByText('▲ Windows 10 · disk 1, partition 2 · 1 computer · another system, which is lost').waitFor()
  await form.getByText('No known system · disk 1, partition 2 · 1 computer').waitFor()
  equal(await findViolations(page), [])
  await page.keyboard.press('Escape')
  await form.waitFor({ state: 'detached' })
  await page.getByText('What you typed is kept').waitFor()
  await open()
  is(await form.getByLabel('At once').inputValue(), '7')
  is(await form.getByRole('radio', { name: /^Debian 12 \(1\)/ }).isChecked(), true)
  equal(posted, [])
  await form.getByRole('button', { name: 'Start now' }).click()
  const sent = page.waitForRequest(request => request.url().endsWith('/image/plan') && !request.postDataJSON().dry_run)
  await page.getByText('Overwrite disk 1, partition 2 with the image linux: 4 computers in Room?').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Start now' }).last().click()
  const { clients, overwrite, batch, at } = (await sent).postDataJSON()
  equal([clients.length, overwrite, batch, at, posted], [4, true, 7, undefined, ['/image/plan']])
  await page.getByRole('region', { name: 'Who has the image' }).waitFor()
  equal(problems, [])
})

test('a system is started by its name, on the computers that have it', async () => {
  const { page, problems } = await openConsole(browser, lab, '/')
  await page.getByLabel('Select all of Room').check()
  await page.getByRole('button', { name: 'Start a system' }).click()
  const form = page.getByRole('dialog', { name: 'Start a system' })
  await form.getByRole('radio', { name: /^Windows 10 disk 1, partition 2 · 1 of 4 computers/ }).check()
  await form.locator('.target').getByText(`pc-${windows.addr} in Room`).waitFor()
  equal(await findViolations(page), [])
  const sent = page.waitForRequest(request => request.method() === 'POST')
  await form.getByRole('button', { name: 'Start a system' }).click()
  equal((await sent).postDataJSON(), { clients: [windows.addr], disk: '1', partition: '2' })
  equal(problems, [])
})

test('an image is made of a partition by its content, as a new one or as a version', async () => {
  const { page, problems } = await openConsole(browser, lab, '/')
  await page.locator('.tile').getByText(`pc-${source.addr}`).click()
  const form = page.getByRole('dialog', { name: 'Make an image' })
  const open = async () => {
    await page.getByRole('button', { name: 'All commands' }).click()
    await page.keyboard.type('make an image')
    await page.keyboard.press('Enter')
    await form.getByRole('radio', { name: /^Debian 12 disk 1, partition 2 · EXT4/ }).check()
  }
  const send = async () => {
    const sent = page.waitForRequest(/\/image\/create$/)
    await form.getByRole('button', { name: 'Make an image' }).click()
    await form.waitFor({ state: 'detached' })
    return (await sent).postDataJSON()
  }
  const place = { clients: [source.addr], disk: '1', partition: '2', id: '0', code: '131', repository_id: '1' }
  await open()
  await form.getByText('New version of an image').click()
  await form.getByRole('radio', { name: /^linux / }).check()
  await form.getByText('New image').click()
  await form.getByLabel('Name').fill('fresh disk')
  await form.getByText('It would not be made now: dark is logged in').waitFor()
  await page.keyboard.press('Escape')
  await open()
  is(await form.getByLabel('Name').inputValue(), 'fresh disk')
  await form.getByLabel('Description').fill('Another system')
  equal(await findViolations(page), [])
  equal(await send(), { ...place, name: 'fresh disk', description: 'Another system' })
  await open()
  await form.getByText('New version of an image').click()
  await form.getByRole('radio', { name: /^linux / }).check()
  equal(await send(), { ...place, name: 'linux' })
  equal(problems, [])
})

test('what no agent has named is called by the type of its partition, and a step has no word code', async () => {
  const { page, problems } = await openConsole(browser, lab, '/')
  await page.route('**/client/setup?client=*', async route => {
    const { partitions, ...setup } = await (await route.fetch()).json()
    const unnamed = (row: { partition: number }) => ({ ...row, ...(row.partition === 2 && { filesystem: 99 }) })
    await route.fulfill({ json: { ...setup, partitions: partitions.map(unnamed) } })
  })
  await page.locator('.tile').getByText(`pc-${source.addr}`).click()
  await page.getByRole('button', { name: 'All commands' }).click()
  await page.keyboard.type('make an image')
  await page.keyboard.press('Enter')
  await page.getByRole('radio', { name: /^Debian 12 disk 1, partition 2 · Linux/ }).waitFor()
  await page.keyboard.press('Escape')
  await page.goto(page.url().replace(/#.*/, '#/procedures'))
  await page.getByRole('button', { name: 'New procedure' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Choose a step').selectOption('command:image-create')
  await dialog.getByRole('button', { name: 'Add step' }).click()
  await dialog.getByLabel('Type of the partition').waitFor()
  await dialog.getByText('The number of the type: 131 Linux, 7 Windows (NTFS).').waitFor()
  equal(problems, [])
})

test.run()
