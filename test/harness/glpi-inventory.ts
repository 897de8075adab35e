// The parts of GLPI's inventory format that are used: names and types of keys, without any others, as GLPI checks them.
const text = { type: 'string', minLength: 1 } as const
const integer = { type: 'integer' } as const

const strict = (required: string[], properties: object) => ({
  type: 'object',
  required,
  properties,
  additionalProperties: false,
})

const list = (required: string[], properties: object) => ({ type: 'array', items: strict(required, properties) })

const network = {
  description: text,
  status: { type: 'string', pattern: '^(up|down)$' },
  type: { type: 'string', pattern: '^(ethernet|wifi|infiniband|aggregate|alias|dialup|loopback|bridge)$' },
  virtualdev: { type: 'boolean' },
  ipaddress: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+\\.\\d+$' },
  ipmask: text,
  mac: { type: 'string', pattern: '^([0-9a-f]{2}:){5}[0-9a-f]{2}$' },
}

const bios = {
  ssn: text,
  smanufacturer: text,
  smodel: text,
  mmanufacturer: text,
  mmodel: text,
}

export const glpiInventory = strict(['deviceid', 'content'], {
  deviceid: text,
  itemtype: { type: 'string', pattern: '^(Computer|Phone|NetworkEquipment|Printer)$' },
  action: { const: 'inventory' },
  content: strict(['versionclient'], {
    versionclient: text,
    hardware: strict([], { name: text, memory: integer, lastloggeduser: text }),
    bios: strict([], bios),
    networks: list(['description', 'status'], network),
    cpus: list([], { name: text }),
    memories: list([], { capacity: integer, description: text, type: text, speed: text }),
    storages: list([], { name: text, type: text, disksize: integer, model: text }),
    videos: list([], { name: text }),
    sounds: list([], { name: text }),
    softwares: list(['name'], { name: text, version: text }),
    operatingsystem: strict([], { name: text, full_name: text }),
    users: list([], { login: text }),
  }),
})
