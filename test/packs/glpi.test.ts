// What the pack assets pushes to GLPI, and what becomes of refusals.
import { suite } from 'uvu'
import { equal, is, match, not } from 'uvu/assert'
import { namesIn, pushAll, replyJson, rowsOf, startAssets, startGlpi, withGlpi } from '../harness/assets-lab.ts'
import { reported } from '../harness/inventory-lab.ts'

const test = suite('pushes to GLPI')

const hardware = [
  'mod=Dell Inc. OptiPlex 7010',
  'boa=Dell Inc. 0WR7PY A01',
  'mem=Samsung DDR4 8 GiB 3200 MT/s',
  'mem=7.5 GiB',
  'cpu=Intel Core i5-12400, 12 threads',
  'vga=NVIDIA GeForce GT 1030',
  'aud=Intel HD Audio',
  'dis=Samsung SSD 980 500 GB',
].join('\n')

test('a computer with its whole inventory is a document that GLPI takes', () =>
  withGlpi({}, async (lab, glpi) => {
    const [address = ''] = lab.addresses
    lab.clients[0]?.replyTo('GET /refresh', reported(465, 'Debian 13', '10'))
    await lab.accepted('/refresh', { clients: lab.addresses })
    await lab.report(0, hardware, 'Debian 13\nBlender 3.6.2\nGIMP')
    await lab.change(0, { name: 'lab-1', serial_number: 'CZC8473H2K' })
    equal((await pushAll(lab)).json, { computers: 1 })
    const { deviceid, content, ...rest } = glpi.inventories.at(-1) ?? { content: {} }
    match(String(deviceid), /^fleet-host-1-0200[0-9a-f]{8}$/)
    equal(rest, { itemtype: 'Computer', action: 'inventory' })
    const { networks, ...sections } = content
    equal([networks[0].ipaddress, networks[0].status], [address, 'up'])
    equal(sections, {
      versionclient: 'fleet-host_v1.0.0',
      hardware: { name: 'lab-1', memory: 15_872 },
      bios: {
        ssn: 'CZC8473H2K',
        smanufacturer: 'Dell Inc.',
        smodel: 'OptiPlex 7010',
        mmanufacturer: 'Dell Inc.',
        mmodel: '0WR7PY A01',
      },
      cpus: [{ name: 'Intel Core i5-12400, 12 threads' }],
      memories: [
        { description: 'Samsung DDR4 8 GiB 3200 MT/s', capacity: 8192, type: 'DDR4', speed: '3200 MT/s' },
        { description: '7.5 GiB', capacity: 7680 },
      ],
      storages: [{ name: 'disk 1', type: 'disk', disksize: 476_160, model: 'Samsung SSD 980 500 GB' }],
      videos: [{ name: 'NVIDIA GeForce GT 1030' }],
      sounds: [{ name: 'Intel HD Audio' }],
      softwares: [{ name: 'Blender', version: '3.6.2' }, { name: 'GIMP' }],
      operatingsystem: { name: 'Debian 13', full_name: 'Debian 13' },
    })
    match(String(glpi.headers.at(-1)?.['glpi-agent-id']), /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    const [row] = await rowsOf(lab)
    equal([row.state, row.reason], ['pushed', ''])
  }))

test('a computer of which nothing is known yet is taken, too', () =>
  withGlpi({}, async (lab, glpi) => {
    await pushAll(lab)
    is(glpi.inventories.length, 1)
    is((await rowsOf(lab))[0].state, 'pushed')
  }))

test('new computers are found, a changed one follows within seconds, the others after some hours', () =>
  withGlpi({ clients: 2, settings: { hours: 2 } }, async (lab, glpi) => {
    await lab.advance('16 minutes')
    is(glpi.inventories.length, 2)
    await lab.change(0, { name: 'renamed' })
    await lab.advance('15 seconds')
    equal(namesIn(glpi).slice(2), ['renamed'])
    await lab.advance('100 minutes')
    is(glpi.inventories.length, 3)
    await lab.advance('25 minutes')
    is(glpi.inventories.length, 5)
  }))

test('only what the query finds is pushed, and what is deleted is forgotten', () =>
  withGlpi({ clients: 2, settings: { where: 'tag:glpi' } }, async (lab, glpi) => {
    await lab.change(0, { name: 'tagged', tags: ['glpi'] })
    await lab.change(1, { name: 'other' })
    await lab.advance('16 minutes')
    equal([...new Set(namesIn(glpi))], ['tagged'])
    match((await lab.post('/assets/push', { clients: [lab.addresses[1]] })).reason, /does not find/)
    await lab.accepted('/client/delete', { clients: [lab.addresses[0]] })
    equal(await lab.collections.pushes.list(), [])
  }))

test('when the query of the settings names a group that is gone, nothing is pushed, and the log says so', () =>
  withGlpi({}, async (lab, glpi) => {
    const { headers } = await lab.accepted('/group/add', { name: 'GLPI', where: 'name:*' })
    const settings = { glpi: { url: glpi.url, where: 'group:GLPI' } }
    await lab.accepted('/pack/settings', { pack: 'assets', settings })
    await lab.accepted('/group/delete', { group: Number(headers['x-id']) })
    match((await pushAll(lab)).reason, /^settings: glpi\.where: .*GLPI/)
    await lab.advance('16 minutes')
    is(glpi.inventories.length, 0)
    match(lab.log.join('\n'), /nothing is pushed: settings: glpi\.where/)
  }))

test('neither a shared nor a junk serial number reaches GLPI, which would join the computers', () =>
  withGlpi({ clients: 4 }, async (lab, glpi) => {
    const serials = ['S-1', 'S-1', 'None', 'S-2']
    for (const [at, serial_number] of serials.entries()) await lab.change(at, { serial_number })
    glpi.inventories.length = 0
    await pushAll(lab)
    equal(glpi.inventories.map(({ content }) => content.bios.ssn).sort(), ['S-2', undefined, undefined, undefined])
    is(new Set(glpi.inventories.map(({ deviceid }) => deviceid)).size, 4)
  }))

test('settings are stored when GLPI answers', async () => {
  const glpi = await startGlpi()
  const lab = await startAssets()
  const set = async (settings: object) =>
    (await lab.post('/pack/settings', { pack: 'assets', settings: { glpi: { seconds: 1, ...settings } } })).reason
  try {
    is(await set({ url: glpi.url }), '')
    match(await set({ url: 'glpi.example' }), /expected an address that begins with/)
    match(await set({ url: glpi.url.replace('://', '://user:secret@') }), /expected no login/)
    match(await set({ url: glpi.url, where: 'rom:x' }), /glpi\.where: at 1: there is no field rom/)
    glpi.reply = response => replyJson(response, 401, { status: 'error', message: 'Authorization header required' })
    match(await set({ url: glpi.url }), /GLPI replied 401: Authorization header required/)
    await glpi.close()
    match(await set({ url: glpi.url }), /ECONNREFUSED/)
    is(await set({ url: '' }), '')
  } finally {
    await lab.stop()
    await glpi.close()
  }
})

test('the password reaches GLPI and nobody else, also when GLPI repeats it', () =>
  withGlpi({ settings: { authorization: 'basic', user: 'fleet', password: 'very-secret' } }, async (lab, glpi) => {
    glpi.reply = (response, _, { authorization = '' }) => {
      const [, basic = ''] = authorization.split(' ')
      const message = `wrong: ${authorization} ${Buffer.from(basic, 'base64')}`
      replyJson(response, 401, { status: 'error', message })
    }
    await pushAll(lab)
    const sent = Buffer.from('fleet:very-secret').toString('base64')
    is(glpi.headers.at(-1)?.authorization, `Basic ${sent}`)
    is((await rowsOf(lab))[0].reason, 'GLPI replied 401: wrong: Basic *** fleet:***')
    const texts = await Promise.all(
      ['/view/assets/asset-report', '/packs', '/backup', '/audit', '/hooks'].map(
        async path => (await lab.get(path)).text,
      ),
    )
    for (const text of [...texts, lab.log.join('\n')]) {
      not.match(text, 'very-secret')
      not.match(text, sent)
    }
  }))

test('with OAuth a token for inventories is fetched once for a run', () =>
  withGlpi(
    { clients: 5, settings: { authorization: 'oauth', user: 'the-id', password: 'the-key' } },
    async (lab, glpi) => {
      glpi.others.length = 0
      await pushAll(lab)
      equal(glpi.others, [
        {
          path: '/glpi/api.php/token',
          body: 'grant_type=client_credentials&client_id=the-id&client_secret=the-key&scope=inventory',
        },
      ])
      is(glpi.headers.at(-1)?.authorization, 'Bearer the-access-token')
      is(glpi.inventories.length, 5)
      glpi.token = { error: 'invalid_client' }
      await pushAll(lab)
      is(glpi.inventories.length, 5)
      is((await rowsOf(lab))[0].reason, 'GLPI replied 200 to the request for a token')
    },
  ))

test('who is logged in is pushed only when the setting allows it', () =>
  withGlpi({}, async (lab, glpi) => {
    await lab.clients[0]?.login('anna')
    await pushAll(lab)
    not.match(JSON.stringify(glpi.inventories), 'anna')
    await lab.accepted('/pack/settings', { pack: 'assets', settings: { users: true, glpi: { url: glpi.url } } })
    await pushAll(lab)
    equal(glpi.inventories.at(-1)?.content.users, [{ login: 'anna' }])
  }))

test('disabled, nothing is pushed, and purged, nothing is kept', () =>
  withGlpi({}, async (lab, glpi) => {
    await pushAll(lab)
    await lab.post('/pack/disable', { pack: 'assets' })
    await lab.change(0, { name: 'renamed' })
    await lab.advance('1 hour')
    is(glpi.inventories.length, 1)
    is((await lab.get('/assets')).status, 404)
    is((await lab.post('/pack/purge', { pack: 'assets' })).status, 200)
    const { packs } = (await lab.get('/packs')).json
    const { documents, bytes, enabled } = packs.find(({ name }: { name: string }) => name === 'assets')
    equal({ documents, bytes, enabled }, { documents: 0, bytes: 0, enabled: false })
  }))

test.run()
