// Starts a real Chromium without a window, for tests of what browsers send and show.
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

export type { Browser, Page } from 'playwright-core'

const programs = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** The browser of this machine, or the one that the environment variable `CHROMIUM` names; undefined without one. */
export const chromiumProgram: string | undefined = [process.env.CHROMIUM ?? programs].flat().find(existsSync)

/** Every name leads to this machine: pages can have any origin, and nothing leaves it. */
const flags = ['--host-resolver-rules=MAP * 127.0.0.1']

/**
 * To be closed. Each of its contexts has cookies and passwords of its own. Give `page.evaluate` a text: a function that
 * was compiled with the names of its functions calls a helper that pages do not know.
 */
export function startChromium(): Promise<Browser> {
  if (chromiumProgram === undefined) throw new Error('browser: expected chromium, got none')
  return chromium.launch({ executablePath: chromiumProgram, args: flags })
}
