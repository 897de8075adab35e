// `fleet pack` against a real host.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { openShellOf } from '../harness/cli-shell.ts'
import { startNotes } from '../harness/notes-pack.ts'

const packs = suite('fleet pack')
const site = await startNotes()
const shell = openShellOf(site.lab)
packs.after(async () => {
  shell.remove()
  await site.stop()
})

packs('lists packs, and what their settings lack', async () => {
  const { out } = await shell.fleet('pack', 'list')
  match(out, /notes +on +operate +1\.0\.0 +3 /)
  match(out, /notes: settings: sender is missing/)
})

packs('changes some settings and keeps the others', async () => {
  is((await shell.fleet('pack', 'settings', 'notes', '--set', 'sender=a@b', 'limit=7')).error, '')
  is((await shell.fleet('pack', 'settings', 'notes', '--set', 'limit=8')).error, '')
  equal((await site.entry()).settings, { sender: 'a@b', limit: 8 })
  is((await shell.fleet('pack', 'settings', 'notes', '--unset', 'limit')).error, '')
  const { out } = await shell.fleet('pack', 'settings', 'notes')
  equal(JSON.parse(out), { settings: { sender: 'a@b', limit: 5 }, secrets: { 'mail.password': false } })
})

packs('a misspelt setting is refused with the nearest one', async () => {
  const { error } = await shell.fleet('pack', 'settings', 'notes', '--set', 'limt=8')
  match(error, /settings: expected limit, got unknown key "limt"/)
})

packs('settings take the names of rooms in place of their ids', async () => {
  await site.lab.addComputer('127.0.0.2')
  const set = (room: string) =>
    shell.fleet('pack', 'settings', 'dhcp', '--set', `boot=${JSON.stringify([{ room, bios: 'pxe.0' }])}`)
  equal(await set('Room'), { code: 0, out: 'settings of dhcp are stored\n', error: '' })
  const { packs } = (await site.lab.call('GET /packs')).json
  const { settings, stored } = packs.find(({ name }: { name: string }) => name === 'dhcp')
  equal([settings.boot, stored], [[{ room: 1, bios: 'pxe.0' }], true])
  match((await set('Rom')).error, /room: expected Room, got Rom/)
})

packs('disables, purges after a question only, and enables', async () => {
  is((await shell.fleet('pack', 'role', 'notes', '--role', 'read')).out.trim(), 'notes has the role read')
  is((await shell.fleet('pack', 'disable', 'notes', '--yes')).out.trim(), 'notes is off')
  match((await shell.fleet('pack', 'purge', 'notes')).error, /pack purge: expected --yes/)
  is((await shell.fleet('pack', 'purge', 'notes', '--yes')).out.trim(), '0 documents of notes deleted')
  match((await shell.fleet('pack', 'enable', 'notes')).out, /^notes is on, but: settings: sender is missing/)
})

packs.run()
