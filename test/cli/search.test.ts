// `fleet search`: the computers that a query finds, as a table, as JSON and as CSV.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { openShellOf } from '../harness/cli-shell.ts'
import { startInventoryLab } from '../harness/inventory-lab.ts'

const lab = await startInventoryLab('127.0.37')
const { fleet, remove } = openShellOf(lab)

const test = suite('fleet search')
test.after(async () => {
  remove()
  await lab.stop()
})

test('a query finds computers, with the columns and the order of choice', async () => {
  const { out } = await fleet('search', 'room:"Room 1"', '--columns', 'name,ram,tags,software:blender', '--sort', 'ram')
  const lines = out.split('\n')
  match(lines[0] ?? '', /^NAME +RAM +TAGS +SOFTWARE:BLENDER$/)
  match(lines[1] ?? '', /^lab-r01-2 +3\.8 GiB +Blender 2\.83\.5-1, Blender 3\.6\.2$/)
  match(lines[2] ?? '', /^lab-r01-1 +15\.5 GiB +cad, left +Blender 3\.6\.2$/)
  is(lines[3], '2 computers')
})

test('without a query all computers are listed', async () => {
  match((await fleet('search')).out, /^CLIENT +NAME +ROOM +CENTER +STATE\n(?:.+\n){4}4 computers\n$/)
  is((await fleet('search', 'name:x')).out, 'no computer matches name:x\nat 1: no computer has name:x\n')
})

test('CSV and JSON are those of the API', async () => {
  is((await fleet('search', '--csv', '--columns', 'name', 'tag:cad')).out, 'name\r\nlab-r01-1\r\n')
  const { total, computers } = JSON.parse((await fleet('search', '--json', '--columns', 'name', 'tag:cad')).out)
  equal([total, computers], [1, [{ client: lab.addresses[0], name: 'lab-r01-1' }]])
})

test('a query that is wrong ends with the place', async () => {
  const { code, error } = await fleet('search', 'rom:x')
  equal([code, error], [1, 'fleet: where: at 1: there is no field rom; is room meant?\n'])
})

test('programs are listed with their versions and rooms', async () => {
  const { out } = await fleet('software', 'search', 'b')
  const lines = out.trimEnd().split('\n')
  match(lines[0] ?? '', /^PROGRAM +VERSION +COMPUTERS +ROOMS$/)
  equal(
    lines.slice(1).map(line => line.trim().split(/ {2,}/)),
    [
      ['Blender', '2 versions', '2', 'Room 1: 2'],
      ['2.83.5-1', '1'],
      ['3.6.2', '2'],
    ],
  )
  is((await fleet('software', 'search', 'photoshop')).out, 'no program\n')
})

test.run()
