// Lists of addresses and networks: which texts are valid, and which addresses are in a list.
import { suite } from 'uvu'
import { equal } from 'uvu/assert'
import { isNetwork, Networks } from '../../host/system/networks.ts'

const test = suite('networks')

test('an address and a network in the notation of CIDR are valid', () => {
  const texts = [
    '10.1.1.20',
    '10.1.1.20/32',
    '10.1.0.0/16',
    '10.1.1.20/16',
    '0.0.0.0/0',
    '2001:db8::/32',
    '::1',
    '::/128',
  ]
  equal(texts.filter(isNetwork), texts)
})

test('other texts are not valid', () => {
  const texts = [
    '',
    '10.1.0.0/',
    '10.1.0.0/33',
    '10.1.0.0/-1',
    '10.1.0.0/1.5',
    '10.1.0.0/16/8',
    '10.1.0/16',
    '010.1.0.0/16',
    ' 10.1.0.0/16',
    '10.1.0.0/16\n',
    '10.1.0.0/255.255.0.0',
    '10.1.0.0-10.1.0.9',
    '::/129',
    'fe80::1%eth0/64x',
    'lab.example.org',
    'any',
  ]
  equal(texts.filter(isNetwork), [])
})

test('a list has the addresses of its networks', () => {
  const networks = new Networks(['10.1.0.0/16', '10.2.2.130/25', '10.3.3.3', '2001:db8::/32'])
  const inside = ['10.1.0.0', '10.1.255.255', '10.2.2.128', '10.2.2.255', '10.3.3.3', '2001:db8:1::5']
  const outside = [
    '10.0.255.255',
    '10.2.2.127',
    '10.3.3.4',
    '127.0.0.1',
    '2001:db9::1',
    '::ffff:10.9.0.1',
    'no address',
  ]
  equal(
    [...inside, ...outside].filter(addr => networks.has(addr)),
    inside,
  )
})

test.run()
