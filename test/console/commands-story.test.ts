// The console in a real browser: a command for a room with two busy computers, in two browsers at once.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { message } from '../../host/test-kit/agent-http.ts'
import type { Agent } from '../../host/test-kit/simulated-agent.ts'
import { chromiumProgram } from '../harness/chromium.ts'
import { findViolations, startConsoleLab } from '../harness/console-page.ts'
import { sayHello } from '../harness/hello.ts'
import { skipFile } from '../harness/skip-file.ts'

export const runs = { seconds: 12 }

if (chromiumProgram === undefined) skipFile('chromium')

const own = await startConsoleLab()
const { lab } = own
const addressOf = (index: number) => `127.0.67.${index + 1}`
const addresses = Array.from({ length: 40 }, (_, index) => addressOf(index))
const busy = addresses.slice(0, 2)

await lab.call('POST /center/add', { name: 'Center' })
await lab.call('POST /room/add', { name: 'Room 1', netmask: '255.255.255.0', center: 1 })
for (const [index, ip] of addresses.entries()) {
  const mac = (0x020000000000 + index).toString(16).padStart(12, '0')
  await lab.call('POST /client/add', { name: `pc-${index + 1}`, ip, mac, room: 1 })
}
const held: Agent[] = []
for (const addr of addresses) {
  const refresh = { '/refresh': { status: 200 } }
  if (busy.includes(addr)) held.push(await lab.agent(addr, { auto: refresh }))
  else await lab.agent(addr, { auto: { ...refresh, '/shell/run': { status: 200, body: { out: 'all the same\n' } } } })
}

/** The two busy computers end what they execute, once `before` has resolved. */
async function reply(before: (agent: Agent) => Promise<unknown> = async () => {}): Promise<void> {
  for (const agent of held) {
    await agent.next('/shell/run')
    await before(agent)
    agent.reply({ status: 200, body: { out: '' } })
  }
}

const test = suite('commands of the console')
test.after(() => own.stop())

test('40 computers are selected, a script runs on 38 of them, and the two busy ones are retried', async () => {
  const occupied = busy.map(addr => lab.event('client-state', { addr, state: 'BSY' }))
  await lab.call('POST /shell/run', { clients: busy, run: 'sleep 100', echo: true })
  await Promise.all(occupied)
  const { page, problems } = await own.open('/')
  const other = await own.open('/')
  await page.getByRole('option').nth(39).waitFor()
  equal(await page.locator('.tile[data-condition=busy]').count(), 2)
  await page.getByRole('checkbox', { name: 'Select all of Room 1' }).check()
  await page.getByText('40 computers selected').waitFor()
  await page.getByRole('button', { name: 'Run a script' }).click()
  await page
    .getByRole('dialog')
    .getByLabel(/^Script/)
    .fill('uname -r')
  await page.getByRole('dialog').getByRole('button', { name: 'Run a script' }).click()
  const drawer = page.getByRole('complementary')
  await drawer.getByText('Finished · 38 succeeded, 2 skipped: busy').waitFor()
  await reply()
  for (const each of [page, other.page]) {
    await each.locator('.tile[data-condition=busy]').first().waitFor({ state: 'detached' })
    equal(await each.locator('.tile[data-condition=ready]').count(), 40)
  }
  await drawer.getByRole('button', { name: 'Retry 2 skipped' }).click()
  await drawer.getByText('2 sent').waitFor()
  await reply()
  await drawer.getByText('Finished · 2 succeeded').waitFor()
  equal([...problems, ...other.problems], [])
})

test('what a script prints is shown while it runs, also to who opens its job later', async () => {
  const [agent] = held
  const addr = busy[0] ?? ''
  const known = lab.event('client-hello', { addr })
  if (agent) sayHello(agent, { name: 'pc-1', keys: ['pieces'] })
  await known
  await lab.call('POST /shell/run', { clients: [addr], run: 'make', echo: true })
  await agent?.next('/shell/run')
  const print = async (out: string) => {
    const printed = lab.event('job-output', { addr })
    agent?.send(message(103, { event: 'output', out }))
    return (await printed).job
  }
  const job = await print('one\n')
  const { page, problems } = await own.open(`/overview?job=${job}`)
  const drawer = page.getByRole('complementary')
  const heading = drawer.getByRole('heading', { name: 'pc-1 printed so far' })
  await heading.waitFor()
  await drawer.getByText('one').waitFor()
  await print('two\n')
  await drawer.getByText('two').waitFor()
  is(await drawer.locator('pre').innerText(), 'one\ntwo\n')
  agent?.reply({ status: 200, body: { out: 'one\ntwo\nthree\n', status: 0 } })
  await drawer.getByRole('heading', { name: 'pc-1 printed', exact: true }).waitFor()
  is(await drawer.locator('pre').innerText(), 'one\ntwo\nthree\n')
  is(await heading.count(), 0)
  equal([await findViolations(page), problems], [[], []])
})

test('the page of a job groups equal outputs, and another browser sees the same', async () => {
  const jobs = (await lab.call('GET /jobs?limit=10')).json.jobs
  const { id } = jobs.find((job: { counts: { success: number } }) => job.counts.success === 38)
  const pages = [await own.open(`/job/${id}`), await own.open(`/job/${id}`)]
  for (const { page, problems } of pages) {
    await page.getByText('38 computers printed the same').first().waitFor()
    match(await page.locator('main').innerText(), /all the same/)
    equal(problems, [])
  }
})

test('Escape closes the drawer and keeps the selection, the header opens it again, and another page has none', async () => {
  const occupied = busy.map(addr => lab.event('client-state', { addr, state: 'BSY' }))
  await lab.call('POST /shell/run', { clients: busy, run: 'sleep 100', echo: true })
  await Promise.all(occupied)
  const { page, problems } = await own.open('/')
  const [main, drawer] = [page.getByRole('main'), page.getByRole('complementary')]
  await main.getByRole('option').nth(39).waitFor()
  equal(await drawer.count(), 0)
  await page.keyboard.press('Control+a')
  await page.getByText('40 computers selected').waitFor()
  const running = page.getByRole('button', { name: '1 job has not finished' })
  await running.click()
  await drawer.getByText('2 sent').waitFor()
  const [beside, box] = [await main.boundingBox(), await drawer.boundingBox()]
  equal([beside && beside.x + beside.width, box?.width], [box?.x, 420])
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'detached' })
  await page.getByText('40 computers selected').waitFor()
  await running.click()
  await drawer.waitFor()
  // Back closes it, and the page stays.
  await page.goBack()
  await drawer.waitFor({ state: 'detached' })
  await page.getByText('40 computers selected').waitFor()
  await page.goForward()
  await drawer.waitFor()
  await page.getByRole('link', { name: 'Jobs', exact: true }).click()
  await drawer.waitFor({ state: 'detached' })
  await running.click()
  await drawer.getByRole('button', { name: 'Stop' }).click()
  const question = page.getByRole('dialog')
  match(await question.innerText(), /Stop what runs on 2 computers in Room 1/)
  await question.getByRole('button', { name: 'Stop' }).click()
  await reply(agent => agent.next('/stop'))
  await drawer.getByText('Finished · 2 stopped by admin').waitFor()
  await running.waitFor({ state: 'detached' })
  equal(problems, [])
})

test('a destructive command asks once, with the number of computers and their room', async () => {
  const { page } = await own.open('/')
  await page.getByRole('option').nth(39).waitFor()
  await page.keyboard.press('Control+a')
  await page.getByText('40 computers selected').waitFor()
  const requests = held.flatMap(agent => agent.requests).length
  await page.getByRole('button', { name: 'Power off' }).click()
  const question = page.getByRole('dialog')
  match(await question.innerText(), /40 computers in Room 1/)
  await question.getByRole('button', { name: 'Cancel' }).click()
  await question.waitFor({ state: 'detached' })
  is(held.flatMap(agent => agent.requests).length, requests)
})

test('what a computer that is off has not got is sent again, with a packet that wakes it', async () => {
  const [ip, mac] = [addressOf(40), '0200000000ff']
  await lab.call('POST /client/add', { name: 'pc-41', ip, mac, room: 1 })
  await lab.call('POST /shell/run?queue=1', { clients: [ip], run: 'date', echo: true })
  const [{ id }] = (await lab.call('GET /jobs?limit=1')).json.jobs
  await lab.call('POST /job/cancel', { id: String(id) })
  const { page, problems } = await own.open(`/jobs?job=${id}`)
  const sent = page.waitForRequest('**/job/retry')
  const drawer = page.getByRole('complementary')
  await drawer.getByRole('button', { name: 'Wake and retry 1 cancelled' }).click()
  equal((await sent).postDataJSON(), { id: String(id), wake: true })
  await drawer.getByText('0 of 1 ended · 1 waiting').waitFor()
  equal(problems, [])
})

test('letters open forms for what is selected, held or not, and send nothing', async () => {
  const { page, problems, context } = await own.open('/')
  const posted: string[] = []
  page.on('request', request => request.method() === 'POST' && posted.push(request.url()))
  await page.getByRole('checkbox', { name: 'Select all of Room 1' }).check()
  await page.locator('.command-buttons').getByText('Power off').first().waitFor()
  // The check box has the focus; it is no field with text.
  for (const [key, name] of Object.entries({ w: 'Wake', s: 'Run a script', r: 'Restore an image', p: 'Power off' })) {
    for (let times = 0; times < 3; times += 1) await page.keyboard.down(key)
    await page.keyboard.up(key)
    await page.getByRole('dialog', { name, exact: true }).waitFor()
    for (const area of await page.locator('dialog textarea').all()) equal([key, await area.inputValue()], [key, ''])
    await page.keyboard.press('Escape')
    await page.locator('dialog').first().waitFor({ state: 'detached' })
  }
  equal([posted, problems], [[], []])
  await context.close()
})

test('the boot mode is chosen among those that the daemon has', async () => {
  const { page, context } = await own.open('/')
  await page.getByRole('option').first().click()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('boot mode')
  await page.keyboard.press('Enter')
  const field = page.getByRole('dialog').getByLabel(/^Boot mode/)
  await field.selectOption({ label: 'The live system · pxe' })
  await page.getByRole('dialog').getByRole('button', { name: 'Set the boot mode' }).click()
  await page.getByText(/Set the boot mode.*pc-1/).waitFor()
  is((await lab.call(`GET /client/info?client=${addressOf(0)}`)).json.boot, 'pxe')
  await context.close()
})

test.run()
