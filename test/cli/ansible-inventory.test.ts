// `fleet ansible-inventory`: what Ansible gets from an inventory script.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { openShellOf } from '../harness/cli-shell.ts'
import { startInventoryLab } from '../harness/inventory-lab.ts'

const lab = await startInventoryLab('127.0.38')
const { fleet, remove } = openShellOf(lab)

const test = suite('fleet ansible-inventory')
test.after(async () => {
  remove()
  await lab.stop()
})

test('while the pack is not enabled, it says how to enable it', async () => {
  const { code, error } = await fleet('ansible-inventory', '--list')
  equal([code, error], [1, 'fleet: the pack assets is not enabled: fleet pack enable assets\n'])
})

test('--list has the groups with the variables of all hosts, --host those of one', async () => {
  is((await fleet('pack', 'enable', 'assets')).code, 0)
  const { _meta, ...groups } = JSON.parse((await fleet('ansible-inventory', '--list')).out)
  equal(Object.keys(_meta.hostvars).length, 4)
  equal(groups.system_windows_11_pro, { hosts: ['lab-r01-1'] })
  const variables = JSON.parse((await fleet('ansible-inventory', '--host', 'lab-r01-2')).out)
  equal(variables, _meta.hostvars['lab-r01-2'])
  equal(variables.fleet_systems, ['Debian 13'])
  is((await fleet('ansible-inventory', '--host', 'none')).out, '{}\n')
})

test('a query chooses the computers, and a wrong one ends with the place', async () => {
  const { all } = JSON.parse((await fleet('ansible-inventory', '--list', '--where', 'tag:cad')).out)
  equal(all, { hosts: ['lab-r01-1'] })
  is((await fleet('ansible-inventory', '--list', '--where', 'rom:x')).code, 1)
})

test('without one of both options it is a wrong usage', async () => {
  equal(
    [(await fleet('ansible-inventory')).code, (await fleet('ansible-inventory', '--list', '--host', 'a')).code],
    [2, 2],
  )
})

test.run()
