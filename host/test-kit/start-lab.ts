// `fleet-host/test`: what the tests of modules import. A lab ends with the file that has started it.
import { after } from 'node:test'
import type { StartLab } from '../contract/test-lab.ts'
import { createLab } from './lab.ts'

export const startLab: StartLab = async options => {
  const lab = await createLab(options)
  after(() => lab.stop())
  return lab
}
