// The faults of the lab: each is a failure with its reason, and never a success.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Api, endOf, fail, outputOf, succeed, untilLive, whenCopied } from './lab-api.ts'
import { compareFiles, fillWindows, linux, place, restoreOf, type Stage, second } from './lab-images.ts'
import { setCable } from './lab-network.ts'

/** Rejects unless the partition has no file system, so that nobody takes half an image for one. */
async function expectNothing(api: Api, client: string): Promise<void> {
  const type = await outputOf(api, client, 'blkid -p -o value -s TYPE /dev/vda2; true')
  if (type !== '') throw new Error(`expected no file system, got ${type}`)
}

/** Percent of the copy at which something happens to it. */
const middle = 40

/** Seconds that the cable is out: a copy goes on after the first, and fails with the second. */
const [shortBreak, longBreak] = [8, 150]

const pause = (seconds: number) => new Promise(resolve => setTimeout(resolve, seconds * 1000))

async function pullCable(number: number, seconds: number): Promise<void> {
  setCable(number, 'down')
  await pause(seconds)
  setCable(number, 'up')
}

/** With one bit in its middle that is not as it was. */
function damageImage(folder: string): void {
  const path = (name: string, end: string) => join(folder, 'data/images', name + end)
  for (const end of ['.img', '.img.full.sum', '.img.json']) cpSync(path('debian', end), path('damaged', end))
  const bytes = readFileSync(path('damaged', '.img'))
  const position = Math.floor(bytes.length / 2)
  bytes.writeUInt8(bytes.readUInt8(position) ^ 1, position)
  writeFileSync(path('damaged', '.img'), bytes)
}

/** A file system that gets full on the folder of the images, while `run` runs. */
async function withFullDisk(folder: string, run: () => Promise<void>): Promise<void> {
  const images = join(folder, 'data/images')
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=12m', 'tmpfs', images])
  // The daemon has made it at its start.
  mkdirSync(join(images, '.fleet-host'))
  await run().finally(() => execFileSync('umount', ['--lazy', images]))
}

/** Of images and disks. */
export const files: Stage = {
  computers: [2],
  async run({ api, folder, step }) {
    const restore = async (where: object) => endOf(api, await api('POST /image/restore', restoreOf([second], where)))
    await step('a partition that is too small is a failure', () =>
      fail(restore(place('debian', '1')), /smaller|image debian needs/),
    )
    await step('an image with a bit that was changed is a failure, after which there is no file system', async () => {
      damageImage(folder)
      await fail(restore(place('damaged', '2')), /zstd: |partclone.restore: |the image is damaged: /)
      await expectNothing(api, second)
    })
    await step('a disk of the server that gets full is a failure', () =>
      withFullDisk(folder, async () => {
        await outputOf(api, second, fillWindows)
        const image = { clients: [second], ...place('full', '3'), code: '7', description: 'Windows' }
        await fail(
          api('POST /image/create', image).then(job => endOf(api, job)),
          /ENOSPC|no space/i,
        )
      }),
    )
  },
}

/** Of the network, the daemon and the computer. */
export const faults: Stage = {
  computers: [2],
  async run(lab) {
    const { api, step } = lab
    const begin = async () => {
      const job = await api('POST /image/restore', restoreOf([second], linux))
      await whenCopied(api, job, middle)
      return job
    }
    await step('a daemon that is killed is a failure, also after its next start', async () => {
      const job = await begin()
      await lab.restartDaemon()
      await fail(endOf(api, job), /daemon restarted/)
      await untilLive(api, second)
      await expectNothing(api, second)
    })
    await step(`a cable that is out for ${shortBreak} s does no harm`, async () => {
      const job = await begin()
      await pullCable(2, shortBreak)
      const reason = await endOf(api, job)
      if (reason !== 'success') throw new Error(reason)
      await compareFiles(lab, second, linux)
    })
    await step(`a cable that is out for ${longBreak} s is a failure`, async () => {
      const job = await begin()
      await pullCable(2, longBreak)
      await fail(endOf(api, job), /connection lost|no data|no answer/)
      await untilLive(api, second)
      await expectNothing(api, second)
    })
    await step('a plug that is pulled is a failure', async () => {
      const job = await begin()
      await lab.pullPlug(2)
      await fail(endOf(api, job), /connection lost/)
    })
    await step('after its next start a restore succeeds', async () => {
      lab.powerOn(2)
      await untilLive(api, second)
      await succeed(api, 'POST /image/restore', restoreOf([second], linux))
      await compareFiles(lab, second, linux)
    })
  },
}
