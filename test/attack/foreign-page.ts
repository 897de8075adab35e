// A page of another origin posts a form to the daemon in a real browser that has shown /docs; needs chromium.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { token } from '../harness/rest-call.ts'
import type { Attack, Target } from './attack.ts'
import { textUntil } from './peers.ts'

const program = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync)
/** Milliseconds that the other page waits until the browser has shown /docs, and that the browser has in all. */
const pageDelay = 3000
const browserTime = 9000

export default {
  name: 'foreign-page',
  summary: 'a page of another origin in a browser that has shown /docs (needs chromium)',
  seconds: 10,
  async run(target) {
    if (program === undefined) return { figures: 'SKIPPED: chromium is not installed' }
    const agent = await target.agent(target.absent[0] ?? '')
    await textUntil(agent, '/refresh', 2000)
    agent.write('HTTP/1.0 200 OK\r\n\r\n')
    const received = textUntil(agent, '/shell/run', browserTime)
    const { shown, posted } = await browse(program, target)
    const ran = (await received).includes('/shell/run')
    const problems = [
      ...(ran ? ['the page of another origin ran a script'] : []),
      ...(shown ? [] : ['the browser has not loaded the page of the other origin']),
    ]
    return {
      figures: `the browser ${posted ? 'sent' : 'did not send'} the form, the script ${ran ? 'ran' : 'did not run'}`,
      problems,
    }
  },
} satisfies Attack

/** Shows /docs with the token in one tab and the other origin's page in another. */
async function browse(browser: string, { ports, absent }: Target): Promise<{ shown: boolean; posted: boolean }> {
  const payload = `{"clients":["${absent[0]}"],"run":"id","echo":true,"padding":"`
  const field = `<input type="hidden" name='${payload}' value='"}'>`
  const action = `http://127.0.0.1:${ports.rest}/shell/run`
  const page = `<form method="POST" enctype="text/plain" action="${action}">${field}</form><script>document.forms[0].submit()</script>`
  let shown = false
  const server = createServer((_, response) => {
    shown = true
    response.setHeader('Content-Type', 'text/html')
    setTimeout(() => response.end(page), pageDelay)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = address instanceof Object ? address.port : 0
  const profile = mkdtempSync(join(tmpdir(), 'attack-browser-'))
  const docs = `http://admin:${token}@127.0.0.1:${ports.rest}/docs`
  const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run']
  // A port for a debugger keeps the browser running until it is ended here.
  const args = [...flags, '--remote-debugging-port=0', `--user-data-dir=${profile}`, docs, `http://localhost:${port}/`]
  const child = spawn(browser, args, { stdio: 'ignore', detached: true })
  await new Promise(resolve => setTimeout(resolve, browserTime))
  // The process group that was started here: the browser has several processes.
  if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
  server.close()
  server.closeAllConnections()
  rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
  return { shown, posted: shown }
}
