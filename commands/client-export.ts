// Returns all computers as CSV, in the form that client/import reads.
import type { CommandOf } from 'fleet-host'

const rows = `name,ip,mac,room,netmask,boot,remote,serial_number,hardware_id,repo_id,netiface,netdriver,livedir,maintenance,row,column
pc-20,10.1.1.20,001b210a0b0c,Science faculty/Room 1,255.255.255.0,pxe,false,CZC8473H2K,0,default,eth0,generic,ogLive,false,1,4
`

const returns = { type: 'string', examples: [rows] } as const

export default {
  summary: 'Export computers as CSV',
  group: 'Centers, rooms and computers',
  route: 'GET /client/export',
  heavy: true,
  scoped: true,
  returns,
  mediaType: 'text/csv',
  answer: async ({ services, request }) =>
    services.text('text/csv; charset=utf-8', await services.computers.export(request.rights)),
} satisfies CommandOf<{ returns: typeof returns }>
