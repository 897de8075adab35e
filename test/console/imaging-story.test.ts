// The console in a real browser: the page of a job whose clients copy an image.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { tellBuild } from '../../host/live-system/build-state.ts'
import { chromiumProgram, startChromium } from '../harness/chromium.ts'
import { openConsole } from '../harness/console-page.ts'
import { startLab } from '../harness/lab.ts'
import { skipFile } from '../harness/skip-file.ts'

if (chromiumProgram === undefined) skipFile('chromium')

const lab = await startLab({ subnet: '127.0.63', logs: { period_seconds: 1 } })
const browser = await startChromium()

const test = suite('copies of images in the console')
test.after(async () => {
  await browser.close()
  await lab.stop()
})

test('the page of a job shows how far each computer is, and why one has failed', async () => {
  const [good, bad, silent] = [await lab.imagingClient(), await lab.imagingClient(), await lab.imagingClient()]
  const job = await lab.restore(good, bad, silent)
  const { page, problems } = await openConsole(browser, lab, `/job/${job}`)
  const rowOf = ({ addr }: { addr: string }) => page.locator('.part-row').filter({ hasText: `pc-${addr}` })
  await rowOf(good).waitFor()
  is(await page.getByRole('progressbar', { name: 'Progress of the copy' }).count(), 0)
  good.log.text = 'Completed: 45.67%, Rate: 6.00GB/min, Remaining: 00:01:30\n'
  await rowOf(good).getByText('45 % · 100 MB/s · 2 min left').waitFor()
  is(await rowOf(good).getByRole('progressbar').getAttribute('value'), '45.6')
  // Read with the job, not from events.
  await page.reload()
  await rowOf(good).getByText('45 % · 100 MB/s · 2 min left').waitFor()
  good.log.text = 'Completed: 100.00%\n'
  bad.log.text = 'lzop: No space left on device\n'
  for (const client of [good, bad, silent]) await lab.reply(job, client)
  await rowOf(bad).getByText('lzop: No space left on device').waitFor()
  await rowOf(good).locator('[data-state=success]:not(.unconfirmed)').first().waitFor()
  await rowOf(silent).getByText('not confirmed: the log says nothing about this command').waitFor()
  equal(await page.locator('.unconfirmed').count(), 1)
  is(await page.getByRole('progressbar', { name: 'Progress of the copy' }).count(), 0)
  equal(problems, [])
})

test('beside any page, a job shows its copies together and each of them, while there are some', async () => {
  const [first, second] = [await lab.imagingClient(), await lab.imagingClient()]
  const job = await lab.restore(first, second)
  const { page, problems } = await openConsole(browser, lab, `/jobs?job=${job}`)
  const copies = page.locator('.copies')
  await page.locator('.outcomes').first().waitFor()
  is(await copies.count(), 0)
  first.log.text = 'Completed: 40.00%, Rate: 6.00GB/min, Remaining: 00:01:30\n'
  await copies.getByText('20 % · 100 MB/s', { exact: true }).waitFor()
  second.log.text = 'Completed: 60.00%, Rate: 6.00GB/min, Remaining: 00:01:00\n'
  await copies.getByText('All computers').waitFor()
  await copies.getByText('50 % · 200 MB/s · 2 min left').waitFor()
  const row = copies.locator('li').filter({ hasText: `pc-${second.addr}` })
  await row.getByText('60 % · 100 MB/s · 1 min left').waitFor()
  second.log.text = 'Completed: 100.00%\n'
  await lab.reply(job, second)
  await copies.getByText('70 % · 100 MB/s · 2 min left').waitFor()
  first.log.text = 'Completed: 100.00%\n'
  await lab.reply(job, first)
  await copies.waitFor({ state: 'detached' })
  equal(problems, [])
})

test('the images have the live systems of the server, and how far a build is', async () => {
  const live = join(lab.folder, 'data/live')
  mkdirSync(live)
  const { page, context } = await openConsole(browser, lab, '/images')
  const card = page.getByRole('region', { name: 'Live systems' })
  await card.getByText('None was built here').waitFor()
  const state = tellBuild(live, 'exam')
  state.update(42, 'Unpacking zstd')
  await card.getByText('exam is built: 42 %').waitFor()
  await state.close()
  await card.getByText('exam is built').waitFor({ state: 'detached' })
  await context.close()
})

test.run()
