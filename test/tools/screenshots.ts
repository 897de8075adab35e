// Takes the pictures of the console that README.md shows, of a daemon with a simulated lab.
//
//   npm run screenshots
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { chromiumProgram, startChromium } from '../harness/chromium.ts'
import { newFolder, removeFolder, startProgram } from '../harness/daemon-process.ts'
import { root } from '../harness/source-files.ts'

const folder = join(root, 'docs/images')
const token = 'screenshots'
const size = { width: 1280, height: 860 }

async function connected(page: Page): Promise<void> {
  await page.locator('.tile').first().waitFor()
  await page.locator('.tile[data-condition="off"]').first().waitFor({ state: 'detached' })
  // Somebody has logged in on most of the computers that run Linux or Windows.
  await page.locator('.tile-user:not(:empty)').nth(40).waitFor()
}

async function runScript(page: Page): Promise<void> {
  await page.getByLabel('Select all of Room 2').check()
  await page.getByRole('button', { name: 'Run a script' }).click()
  await page.locator('dialog textarea').first().fill('uname -r')
  await page.locator('dialog button[type=submit]').click()
  await page.locator('.tile-mark:not(:empty)').nth(1).waitFor()
  await page.evaluate("scrollTo(0, document.getElementById('room-2').offsetTop - 60)")
}

async function takePictures(port: number): Promise<void> {
  const browser = await startChromium()
  try {
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({
        viewport: size,
        colorScheme,
        locale: 'en-US',
        reducedMotion: 'reduce',
      })
      await context.request.post(`http://127.0.0.1:${port}/login`, { data: { token } })
      const page = await context.newPage()
      await page.goto(`http://127.0.0.1:${port}/console`)
      await connected(page)
      if (colorScheme === 'light') await runScript(page)
      else {
        await page.goto(`http://127.0.0.1:${port}/console#/overview`)
        await page.getByRole('heading', { name: 'Running jobs' }).waitFor()
      }
      const path = join(folder, `console-${colorScheme}.png`)
      await page.screenshot({ path })
      console.log(path)
      await context.close()
    }
  } finally {
    await browser.close()
  }
}

async function main(): Promise<void> {
  if (chromiumProgram === undefined) throw new Error('screenshots: expected chromium, got none')
  mkdirSync(folder, { recursive: true })
  const data = newFolder()
  const daemon = startProgram(data, { env: { FLEET_API_TOKEN: token } })
  try {
    const [port, agents] = [await daemon.port(), await daemon.agentsPort()]
    const ends = ['--rest', `127.0.0.1:${port}`, '--agents', `127.0.0.1:${agents}`, '--token', token]
    const lab = spawn(
      process.execPath,
      ['--import', 'tsx', 'test/tools/simulator/main.ts', ...ends, '--rooms', '4', '--computers', '96'],
      {
        cwd: root,
        stdio: 'ignore',
      },
    )
    await takePictures(port).finally(() => lab.kill())
    await once(lab, 'exit')
  } finally {
    daemon.kill('SIGTERM')
    await daemon.ended
    removeFolder(data)
  }
}

await main()
