// The console in a real browser: a failure stays, also when its computer goes off, until somebody has seen it.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import type { Agent } from '../../host/test-kit/simulated-agent.ts'
import { chromiumProgram, type Page, startChromium } from '../harness/chromium.ts'
import { findViolations, openConsole } from '../harness/console-page.ts'
import { jobIdOf } from '../harness/job-results.ts'
import { replyToNext, startLab } from '../harness/lab.ts'
import { skipFile } from '../harness/skip-file.ts'

export const runs = { seconds: 11 }

if (chromiumProgram === undefined) skipFile('chromium')

const lab = await startLab({ repository: true })
const [maker, broken] = [await lab.computer(), await lab.computer()]
await lab.create(maker, { description: 'A system' }, { content: 'one' })
const image = (await lab.image('linux')).id
const browser = await startChromium()

const test = suite('failures in the console')
test.after(async () => {
  await browser.close()
  await lab.stop()
})

const tileOf = (page: Page, { addr } = broken) => page.locator(`.tile[data-ip="${addr}"]`)
const place = { disk: '1', partition: '1' }

async function failRestore(): Promise<void> {
  const payload = { ...place, name: 'linux', id: String(image), type: 'UNICAST', profile: '1', repository: '10.9.9.9' }
  const ended = lab.event('job-finished')
  await lab.call('POST /image/restore', { clients: [broken.addr], ...payload })
  await broken.agent.next('/image/restore')
  broken.agent.answer(500)
  await ended
}

test('a computer whose restore failed keeps its mark when it is off, also after a reload, until seen', async () => {
  const { page, problems } = await openConsole(browser, lab, '/')
  await tileOf(page).waitFor()
  is(await page.getByRole('button', { name: /failed/ }).count(), 0)
  await failRestore()
  await tileOf(page).getByText('failed').waitFor()
  const gone = lab.event('client-gone', { addr: broken.addr })
  broken.agent.destroy()
  await gone
  const off = page.locator(`.tile[data-ip="${broken.addr}"][data-condition="off"]`)
  await off.getByText('failed').waitFor()
  await page.reload()
  await off.getByText('failed').waitFor()
  await page.getByRole('button', { name: 'failed 1' }).click()
  await tileOf(page).waitFor()
  await page.locator(`.tile[data-ip="${maker.addr}"]`).waitFor({ state: 'hidden' })
  equal(await findViolations(page), [])
  await page.goto(`${new URL(page.url()).origin}/console#/computer/${broken.addr}`)
  const failures = page.getByRole('region', { name: 'Failures' })
  await failures.getByText('Restore an image has failed').waitFor()
  await failures.getByText('the agent answered with an error (500)').waitFor()
  await failures.getByRole('link', { name: /^Job \d+$/ }).waitFor()
  equal(await findViolations(page), [])
  await failures.getByRole('button', { name: 'Seen' }).click()
  await failures.waitFor({ state: 'detached' })
  await page.goto(`${new URL(page.url()).origin}/console#/`)
  await off.waitFor()
  is(await off.getByText('failed').count(), 0)
  equal(problems, [])
})

/** Returns when the computer is free again. */
async function stopNew(path: string, payload: object): Promise<void> {
  const { addr, agent } = maker
  const ended = lab.event('job-finished')
  const job = jobIdOf(await lab.call(`POST ${path}`, { clients: [addr], ...payload }))
  await agent.next(path)
  await lab.call('POST /job/stop', { id: String(job) })
  await agent.next('/stop')
  await ended
  agent.answer(500)
}

test('what somebody has stopped says who did, and has not failed, unless a partition is half written', async () => {
  const { page, problems } = await openConsole(browser, lab, '/')
  await stopNew('/shell/run', { run: 'sleep 60', echo: true })
  await tileOf(page, maker).getByText('stopped', { exact: true }).waitFor()
  is(await page.getByRole('button', { name: /failed/ }).count(), 0)
  await page.goto(`${new URL(page.url()).origin}/console#/jobs`)
  const row = page.getByRole('row', { name: /sleep 60/ })
  await row.getByText('1 stopped').waitFor()
  is(await row.getByText('failed').count(), 0)
  await row.getByRole('link', { name: 'Run a script' }).click()
  const progress = page.getByRole('region', { name: 'Progress' })
  await progress.getByText('Finished · 1 stopped by admin').waitFor()
  await progress.locator('.outcomes').getByText('stopped by admin').waitFor()
  await page.getByRole('region', { name: 'Outcome per computer' }).getByText('stopped by admin').waitFor()
  await page.getByRole('button', { name: 'Retry 1 stopped' }).waitFor()
  is(await page.getByText('failed').count(), 0)
  await page.goto(`${new URL(page.url()).origin}/console#/overview`)
  await page.getByText(/^stopped by admin · /).waitFor()
  await lab.call('POST /failure/seen', { clients: [maker.addr] })
  await page.getByText(/^stopped by admin · /).waitFor({ state: 'detached' })
  const repository = { type: 'UNICAST', profile: '1', repository: '10.9.9.9' }
  await stopNew('/image/restore', { ...place, name: 'linux', id: String(image), ...repository })
  await page.getByRole('link', { name: '1 computer has failures that nobody has seen', exact: true }).waitFor()
  await lab.call('POST /failure/seen', { clients: [maker.addr] })
  equal(problems, [])
})

test('two scripts that have failed have a row each, with its job', async () => {
  const jobs: string[] = []
  for (const run of ['one', 'two']) {
    const ended = lab.event('job-finished')
    const reply = await lab.call('POST /shell/run', { clients: [maker.addr], run, echo: true })
    await replyToNext(maker.agent, '/shell/run', 500)
    await ended
    jobs.push(`Job ${jobIdOf(reply)}`)
  }
  const { page } = await openConsole(browser, lab, `/computer/${maker.addr}`)
  const rows = page.getByRole('region', { name: 'Failures' }).getByRole('listitem')
  await rows.nth(1).waitFor()
  equal((await rows.getByRole('link').allInnerTexts()).sort(), jobs)
  await lab.call('POST /failure/seen', { clients: [maker.addr] })
})

test('a selection is marked as seen by one button, in every open console', async () => {
  const second = await lab.computer()
  const [one, other] = [
    await openConsole(browser, lab, '/'),
    await openConsole(browser, lab, '/overview', { width: 400 }),
  ]
  const ended = lab.event('job-finished')
  await lab.call('POST /session', { clients: [maker.addr, second.addr], ...place })
  for (const { agent } of [maker, second]) {
    await agent.next('/session')
    agent.answer(500)
  }
  await ended
  await other.page.getByRole('main').getByText('2 computers have failures that nobody has seen').waitFor()
  await one.page.getByRole('button', { name: 'failed 2' }).waitFor()
  await one.page.locator('.tile').first().focus()
  await one.page.keyboard.press('Control+a')
  await one.page.getByRole('button', { name: 'Mark failures as seen (2)' }).click()
  await one.page.getByRole('button', { name: 'failed 2' }).waitFor({ state: 'detached' })
  await other.page.getByRole('main').getByText('2 computers have failures').waitFor({ state: 'detached' })
  equal((await lab.call('GET /failures')).json.failures, [])
  equal([...one.problems, ...other.problems], [])
})

test('a success of the same command removes the mark, as does the deletion of the record', async () => {
  const [again, deleted] = [await lab.computer(), await lab.computer()]
  const { page, problems } = await openConsole(browser, lab, '/')
  const send = async (clients: { addr: string; agent: Agent }[], status: number) => {
    await lab.call('POST /session', { clients: clients.map(({ addr }) => addr), ...place })
    for (const { agent } of clients) await replyToNext(agent, '/session', status)
  }
  await send([again, deleted], 500)
  await page.getByRole('button', { name: 'failed 2' }).waitFor()
  await send([again], 200)
  await page.getByRole('button', { name: 'failed 1' }).waitFor()
  await lab.call('POST /client/delete', { clients: [deleted.addr] })
  await page.getByRole('button', { name: 'failed 1' }).waitFor({ state: 'detached' })
  await lab.addComputer(deleted.addr, { name: 'pc-new' })
  await tileOf(page, deleted).getByText('pc-new').waitFor()
  await tileOf(page, deleted).getByText('failed').waitFor({ state: 'detached' })
  equal(problems, [])
})

test('who may only read sees the failure and has no button', async () => {
  await lab.call('POST /user/add', { name: 'reader', password: 'a password of hers', role: 'read' })
  const ended = lab.event('job-finished')
  await lab.call('POST /session', { clients: [maker.addr], ...place })
  await replyToNext(maker.agent, '/session', 500)
  await ended
  const { page, context } = await openConsole(browser, lab, '/', { isLoggedIn: false })
  const origin = new URL(page.url()).origin
  await context.request.post(`${origin}/login`, { data: { name: 'reader', password: 'a password of hers' } })
  await page.reload()
  await page.goto(`${origin}/console#/computer/${maker.addr}`)
  await page.getByRole('region', { name: 'Failures' }).waitFor()
  is(await page.getByRole('button', { name: 'Seen' }).count(), 0)
})

test.run()
