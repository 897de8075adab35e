// The computers of the measurements of the console.
import type { ConsoleLab } from '../../../harness/console-page.ts'

const perRoom = 50

export const addressOf = (index: number) => `127.1.${Math.floor(index / 200)}.${(index % 200) + 1}`

export async function addComputers({ lab }: ConsoleLab, computers: number): Promise<void> {
  await lab.call('POST /center/add', { name: 'Center' })
  const rooms = Math.ceil(computers / perRoom)
  for (let room = 1; room <= rooms; room += 1) {
    await lab.call('POST /room/add', { name: `Room ${room}`, netmask: '255.255.0.0', center: 1 })
  }
  const rows = Array.from({ length: computers }, (_, index) => {
    const mac = (0x020000000000 + index).toString(16).padStart(12, '0')
    return `pc-${index + 1},${addressOf(index)},${mac},${Math.floor(index / perRoom) + 1}`
  })
  const perImport = 1000
  for (let from = 0; from < rows.length; from += perImport) {
    const text = ['name,ip,mac,room', ...rows.slice(from, from + perImport)].join('\n')
    const { status, headers } = await lab.call('POST /client/import', { format: 'csv', text })
    if (status !== 200) throw new Error(`import: ${status} ${headers['x-reason']}`)
  }
}
