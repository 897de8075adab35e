// Lists for asset systems, and what Ansible and Prometheus ask for.
import { suite } from 'uvu'
import { equal, is, match, not } from 'uvu/assert'
import { type AssetsLab, startAssets } from '../harness/assets-lab.ts'

const test = suite('assets')

async function withLab(clients: number, use: (lab: AssetsLab) => Promise<void>, settings = {}): Promise<void> {
  const lab = await startAssets({ clients, settings })
  try {
    await use(lab)
  } finally {
    await lab.stop()
  }
}

const hardware = 'mod=Dell Inc. OptiPlex 7010\nmem=DDR4 16 GiB 3200 MT/s\ncpu=Intel Core i5-12400\ndis=Samsung 500 GB'

/** With a token for room 1 alone. */
async function limitedCaller({ accepted }: AssetsLab) {
  const { json } = await accepted('/token/add', { name: 'room 1', role: 'read', rooms: [1] })
  return { Authorization: json.token }
}

test('an asset has what asset systems want to know', () =>
  withLab(1, async lab => {
    await lab.report(0, hardware)
    await lab.change(0, { serial_number: 'CZC8473H2K' })
    const { total, assets } = (await lab.get('/assets')).json
    is(total, 1)
    const [{ seen, macs, ...asset }] = assets
    match(seen, /^2026-03-02T/)
    match(macs[0], /^02:00:7f:/)
    equal(asset, {
      client: lab.addresses[0],
      name: `pc-${lab.addresses[0]}`,
      serial: 'CZC8473H2K',
      manufacturer: 'Dell Inc.',
      model: 'OptiPlex 7010',
      cpu: 'Intel Core i5-12400',
      memory: 16_384,
      disks: [{ name: 'Samsung 500 GB', size: 512_000 }],
      systems: [],
      room: 'Room',
      center: 'Center',
    })
  }))

test('what firmware has in place of a serial number is none', () =>
  withLab(
    1,
    async lab => {
      const junk = [
        'To be filled by O.E.M.',
        'System Serial Number',
        '00000000',
        'None',
        'Default string',
        '...',
        'X-Y',
      ]
      for (const serial_number of [...junk, 'Not Specified', '123456789', 'xxxxxxx']) {
        await lab.change(0, { serial_number })
        const [{ serial, junk_serial }] = (await lab.get('/assets')).json.assets
        equal([serial, junk_serial], [undefined, serial_number])
      }
      await lab.change(0, { serial_number: '1234A' })
      is((await lab.get('/assets')).json.assets[0].serial, '1234A')
    },
    { junk: ['x y'] },
  ))

test('two computers with one serial number are both listed, each with the other', () =>
  withLab(3, async lab => {
    const [one, two] = lab.addresses
    await lab.change(0, { serial_number: 'S-1' })
    await lab.change(1, { serial_number: 's-1' })
    await lab.change(2, { serial_number: 'S-2' })
    const { assets } = (await lab.get('/assets')).json
    equal(
      assets.map(({ serial, same_serial }: Record<string, unknown>) => [serial, same_serial]),
      [
        ['S-1', [two]],
        ['s-1', [one]],
        ['S-2', undefined],
      ],
    )
    const { rows } = (await lab.get('/view/assets/asset-report')).json
    is(rows[0].problem, `the same as of ${two}`)
    is(rows[2].problem, '')
  }))

test('a limited caller gets his computers, and conflicts among them only', () =>
  withLab(2, async lab => {
    await lab.accepted('/room/add', { name: 'Other', netmask: '255.255.255.0', center: 1 })
    await lab.change(0, { serial_number: 'S-1' })
    await lab.change(1, { serial_number: 'S-1' })
    await lab.accepted('/client/move', { clients: [lab.addresses[1]], room: 2 })
    const caller = await limitedCaller(lab)
    const { total, assets } = (await lab.get('/assets', caller)).json
    equal([total, assets.length, assets[0].client, assets[0].same_serial], [1, 1, lab.addresses[0], undefined])
    for (const path of [
      '/ansible/inventory',
      '/prometheus/targets',
      '/assets?format=csv',
      '/view/assets/asset-report',
    ]) {
      const { status, text } = await lab.get(path, caller)
      is(status, 200, path)
      match(text, lab.addresses[0] ?? '')
      not.match(text, lab.addresses[1] ?? '', path)
    }
  }))

test('who is logged in is left out unless the setting allows it', () =>
  withLab(1, async lab => {
    await lab.clients[0]?.login('anna')
    not.match((await lab.get('/assets')).text, 'anna')
    await lab.accepted('/pack/settings', { pack: 'assets', settings: { users: true } })
    is((await lab.get('/assets')).json.assets[0].user, 'anna')
  }))

test('pages follow each other, and CSV has all of them', () =>
  withLab(3, async lab => {
    await lab.change(0, { serial_number: '=1+2' })
    const first = (await lab.get('/assets?limit=2')).json
    const second = (await lab.get(`/assets?limit=2&after=${first.next}`)).json
    equal([first.assets.length, second.assets.length, second.next, second.total], [2, 1, undefined, 3])
    const { text, headers } = await lab.get('/assets?format=csv')
    is(headers['content-type'], 'text/csv; charset=utf-8')
    const lines = text.trimEnd().split('\r\n')
    match(lines[0] ?? '', /^client,name,serial,same_serial,junk_serial,manufacturer,/)
    is(lines.length, 4)
    match(lines[1] ?? '', /,'=1\+2,/)
    is((await lab.get('/assets?where=rom:x')).status, 400)
  }))

test('Ansible gets groups with names that it takes, and the variables of each host', () =>
  withLab(2, async lab => {
    const [one = '', two = ''] = lab.addresses
    await lab.change(0, { name: 'lab-1', tags: ['cad', 'seat:left'] })
    await lab.accepted('/room/update', { room: '1', name: 'Aula 1 – Informática', tags: ['exam'] })
    await lab.accepted('/room/add', { name: '教室', netmask: '255.255.255.0', center: 1 })
    await lab.accepted('/client/move', { clients: [two], room: 2 })
    await lab.accepted('/group/add', { name: 'Exam seats', where: 'tag:cad' })
    await lab.report(0, 'mod=OptiPlex {{ lookup("pipe", "id") }}')
    const { _meta, all, ...groups } = (await lab.get('/ansible/inventory')).json
    equal(all.hosts, ['lab-1', `pc-${two}`].sort())
    for (const name of Object.keys(groups)) match(name, /^[a-z_][a-z0-9_]*$/)
    equal(
      Object.keys(groups).filter(name => groups[name].hosts.includes('lab-1')),
      ['room_aula_1_informatica', 'center_center', 'tag_cad', 'tag_seat_left', 'tag_exam', 'group_exam_seats'],
    )
    equal(Object.keys(groups).filter(name => /^room_[0-9a-f]{6}$/.test(name)).length, 1)
    const { fleet_mac, ...variables } = _meta.hostvars['lab-1']
    match(fleet_mac, /^02:00:/)
    equal(variables, {
      ansible_host: one,
      fleet_address: one,
      fleet_name: 'lab-1',
      fleet_room: 'Aula 1 – Informática',
      fleet_center: 'Center',
      fleet_tags: ['cad', 'seat:left', 'exam'],
      fleet_systems: [],
      fleet_state: 'oglive',
      fleet_maintenance: false,
    })
    is((await lab.get('/ansible/inventory?where=rom:x')).status, 400)
  }))

test('two computers of one name are hosts by their addresses', () =>
  withLab(2, async lab => {
    for (const at of [0, 1]) await lab.change(at, { name: 'same' })
    equal((await lab.get('/ansible/inventory')).json.all.hosts, [...lab.addresses].sort())
  }))

test('Prometheus gets a target for each computer', () =>
  withLab(1, async lab => {
    await lab.change(0, { tags: ['cad'] })
    const { json, headers } = await lab.get('/prometheus/targets?port=9182')
    match(String(headers['content-type']), /^application\/json/)
    const [{ targets, labels }] = json
    equal(targets, [`${lab.addresses[0]}:9182`])
    equal([labels.fleet_room, labels.__meta_fleet_tags], ['Room', ',cad,'])
    is((await lab.get('/prometheus/targets?port=70000')).status, 400)
  }))

test.run()
