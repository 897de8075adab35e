// How the console names jobs and what became of them, in a real browser.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { chromiumProgram } from '../harness/chromium.ts'
import { startConsoleLab } from '../harness/console-page.ts'
import { skipFile } from '../harness/skip-file.ts'

if (chromiumProgram === undefined) skipFile('chromium')

const own = await startConsoleLab()
const { lab } = own
const ip = '127.0.85.1'
await lab.addComputer(ip, { name: 'pc-1' })
await lab.agent(ip, {
  auto: {
    '/refresh': { status: 200 },
    '/probe': { status: 200, body: { status: 'OPG' } },
    '/shell/run': { status: 200 },
    '/session': { status: 200 },
  },
})
const idOf = async (route: string, payload: object) => {
  const { status, headers } = await lab.call(route, { clients: [ip], ...payload })
  is(status, 200)
  return headers['x-job-id']
}
const script = await idOf('POST /shell/run', { run: '#!/bin/sh\nset -e\n\napt-get update\nreboot', echo: true })
const start = await idOf('POST /session', { disk: '1', partition: '2' })
const wake = await idOf('POST /wol', { type: 'broadcast' })

const test = suite('names of jobs in the console')
test.after(() => own.stop())

test('the drawer of a job names it with its script and its computers', async () => {
  const { page, problems, context } = await own.open(`/jobs?job=${script}`)
  const drawer = page.getByRole('complementary')
  await drawer.getByRole('link', { name: `Job ${script} · Run a script` }).waitFor()
  await drawer.getByText(/^apt-get update … · pc-1 in Room/).waitFor()
  equal(problems, [])
  await context.close()
})

test('the list of jobs says in which room their computers are', async () => {
  const { page, context } = await own.open('/jobs')
  const row = page.getByRole('row', { name: /apt-get update/ })
  await row.getByRole('cell', { name: 'Room', exact: true }).waitFor()
  await context.close()
})

test('the last jobs of a computer are named with their scripts', async () => {
  const { page, context } = await own.open(`/computer/${ip}`)
  await page.locator('.last-jobs').getByText('Run a script apt-get update').waitFor()
  await context.close()
})

test('of a computer that was to be woken and is on is said that it is on, and no retry is offered', async () => {
  const { page, context } = await own.open(`/job/${wake}`)
  await page.getByText('1 skipped: on already').waitFor()
  await page.getByRole('region', { name: 'What was asked' }).getByText('Nothing but the computers.').waitFor()
  is(await page.getByRole('button', { name: /Retry/ }).count(), 0)
  await context.close()
})

test('what was asked has the words of forms', async () => {
  const { page, context } = await own.open(`/job/${start}`)
  const asked = page.getByRole('region', { name: 'What was asked' })
  await asked.getByText('Partition').waitFor()
  equal(await asked.locator('dt, dd').allInnerTexts(), ['Disk', '1', 'Partition', '2'])
  await context.close()
})

test.run()
