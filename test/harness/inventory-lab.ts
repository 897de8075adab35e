// A lab whose computers have inventories, for searches in them.
import { type Lab, startLab } from './lab.ts'

const disk = { disk: '1', partition: '0', code: '2', filesystem: '', os: '', size: '0', used_size: '0' }
const place = { disk: '1', partition: '1' }

/** Rows of a disk of so many GiB with a system on its first partition. */
export const reported = (size: number, os: string, used: string) => ({
  disk_setup: [{ ...disk, size: String(size * 1024 * 1024) }],
  partition_setup: [{ ...disk, partition: '1', code: '7', filesystem: 'NTFS', os, used_size: used }],
})

/** Connects an agent that reports these, and is gone when they are stored. */
export async function takeInventory(
  lab: Lab,
  addr: string,
  body: object,
  hardware: string,
  software: string,
): Promise<void> {
  const agent = await lab.agent(addr, { refresh: { status: 200, body } })
  await lab.command(addr, agent, 'POST /hardware', {}, { hardware })
  await lab.command(addr, agent, 'POST /software', place, { partition: '1', software })
  const gone = lab.event('client-gone', { addr })
  agent.destroy()
  await gone
}

/** Four computers, the first two in room 1: two with Blender, one with a disk only, one without an inventory. */
export async function startInventoryLab(subnet: string): Promise<Lab & { addresses: string[] }> {
  const lab = await startLab({ subnet, rooms: true, repository: true })
  const addresses = [1, 2, 3, 4].map(number => `${subnet}.${number}`)
  const [one = '', two = '', three = ''] = addresses
  await lab.status('POST /room/update', { room: 1, name: 'Room 1' })
  await lab.status('POST /client/update', { ip: one, name: 'lab-r01-1', tags: ['cad', 'left'] })
  await lab.status('POST /client/update', { ip: two, name: 'lab-r01-2', serial_number: '=1+1' })
  await takeInventory(
    lab,
    one,
    reported(465, 'Windows 11 Pro', '96'),
    'mem=15.5 GiB\ndis=Samsung NVMe 980\ncpu=Intel Core i5-12400\n',
    'Windows 11\nBlender 3.6.2\nGIMP 2.10\n',
  )
  await takeInventory(
    lab,
    two,
    reported(232, 'Debian 13', '10'),
    'mem=3.8 GiB\nmod=OptiPlex 7010\n',
    'Debian\nBlender 2.83.5-1\nBlender 3.6.2\n',
  )
  const agent = await lab.agent(three, { refresh: { status: 200, body: reported(100, 'Windows 10', '0') } })
  agent.destroy()
  return { ...lab, addresses }
}
