// The console in a real browser: a restore is planned, deleted, run at once, and its report is read.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { chromiumProgram, startChromium } from '../harness/chromium.ts'
import { findViolations, openConsole } from '../harness/console-page.ts'
import { replyToNext, startLab } from '../harness/lab.ts'
import { skipFile } from '../harness/skip-file.ts'

if (chromiumProgram === undefined) skipFile('chromium')

const lab = await startLab({ repository: true })
const [good, bad] = [await lab.computer(), await lab.computer()]
await lab.addComputer('127.0.5.92', { maintenance: true, name: 'pc-broken' })
await lab.create(good, { description: 'A system' }, { content: 'one' })
const browser = await startChromium()

const test = suite('restores in the console')
test.after(async () => {
  await browser.close()
  await lab.stop()
})

test('the page shows what a restore would do, plans it after a question, and deletes the plan', async () => {
  const { page, problems } = await openConsole(browser, lab, '/planned-restores')
  await page.getByText('No restore is planned.').waitFor()
  const plan = page.getByRole('button', { name: 'Plan', exact: true })
  is(await plan.isDisabled(), true)
  await page.getByText('Choose computers, an image and where it goes.').waitFor()
  await page.getByText('All of a center').click()
  await page.getByLabel('At once').fill('20')
  const preview = page.getByRole('region', { name: 'What it will do' })
  await preview.getByText(/^3 computers, /).waitFor()
  await preview.getByText('pc-broken').waitFor()
  equal(await findViolations(page), [])
  await plan.click()
  await page.getByText('Overwrite disk 1, partition 1 with the image linux: 2 computers in Room?').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Plan' }).click()
  await page
    .getByText(
      /until 06:30 · 20 at once · wakes computers · waits for logouts · then power off · only where it succeeded/,
    )
    .waitFor()
  const then = 'poweroff'
  const { plans } = (await lab.call('GET /image/plans')).json
  equal(plans[0].options, { wake: true, when_idle: true, until: '06:30', batch: 20, then, then_after: 'success' })
  await page.getByRole('button', { name: /^Delete/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No restore is planned.').waitFor()
  equal((await lab.call('GET /tasks')).json.tasks, [])
  equal(problems, [])
})

test('what would be refused is said, and cannot be planned', async () => {
  const { page } = await openConsole(browser, lab, '/planned-restores')
  await page.getByText('All of a room').click()
  await page.getByText('Another partition').click()
  await page.getByLabel('Partition', { exact: true }).fill('9')
  await page.getByText('disk 1 has no partition 9').first().waitFor()
  await page.getByLabel('Partition', { exact: true }).fill('')
  await page.getByText('Choose computers, an image and where it goes.').waitFor()
  is(await page.getByRole('button', { name: 'Plan', exact: true }).isDisabled(), true)
})

test('a restore that starts now leads to its job, whose report says who has the image, with a button to retry', async () => {
  const { page, problems } = await openConsole(browser, lab, '/planned-restores', { width: 400, colorScheme: 'dark' })
  await page.getByText('All of a room').click()
  await page.getByRole('main').getByText('Now', { exact: true }).click()
  await page.getByLabel('Afterwards').selectOption('nothing')
  await page.getByRole('button', { name: 'Start now' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Start now' }).click()
  const report = page.getByRole('region', { name: 'Who has the image' })
  await report.getByText('0 of 3 computers have it').waitFor()
  for (const { agent } of [good, bad]) {
    await replyToNext(agent, '/run/schedule')
    await agent.next('/image/restore')
  }
  good.agent.reply({ status: 200, body: { disk: '1', partition: '1', image_id: '1' } })
  bad.agent.answer(500)
  await report.getByText('1 of 3 computers have it').waitFor()
  await report.getByText('the agent answered with an error (500)').waitFor()
  await report.getByText('maintenance').waitFor()
  await page.getByRole('button', { name: 'Retry 1 failed', exact: true }).waitFor()
  equal(await findViolations(page), [])
  is(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
  await page.goto(page.url().replace(/#.*/, '#/jobs'))
  await page
    .getByRole('link', { name: /^Restore an image: / })
    .first()
    .waitFor()
  // Its procedure and task are for this time only.
  await page.goto(page.url().replace(/#.*/, '#/procedures'))
  await page.getByText('There are no procedures yet.').waitFor()
  await page.getByText('There are no tasks yet.').waitFor()
  equal(problems, [])
})

test.run()
