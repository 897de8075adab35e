// The JSON Schema of the options file, with the defaults.
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))

const text = { type: 'string', minLength: 1 } as const
const ip = (fallback: string) => ({ ...text, default: fallback })
// Existing sites write ports as strings.
const port = (fallback: number) => ({
  type: ['integer', 'string'],
  minimum: 0,
  maximum: 65_535,
  pattern: '^[0-9]{1,5}$',
  description: '0 to 65535',
  default: fallback,
})
const count = (fallback?: number) => ({ type: 'integer', minimum: 1, default: fallback })
// Maximum: the longest time of one Node timer.
const seconds = (fallback?: number) => ({ type: 'number', exclusiveMinimum: 0, maximum: 2_147_483, default: fallback })
const networks = {
  type: 'array',
  minItems: 1,
  items: { type: 'string', format: 'network', expected: 'an address or a network like 10.1.0.0/16' },
}
// What the lines of a live system's console log mean.
const logPattern = {
  type: 'object',
  additionalProperties: false,
  required: ['means', 'pattern'],
  properties: {
    means: { enum: ['error', 'done', 'progress', 'ignore'] },
    pattern: { ...text, format: 'regex', expected: 'a regular expression' },
  },
  // Without the group a pattern for progress would never match.
  if: { properties: { means: { const: 'progress' } } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: {
    properties: { pattern: { type: 'string', pattern: '\\(\\?<percent>', expected: 'a group (?<percent>…)' } },
  },
}
const section = (properties: Record<string, object>, rest: object = {}) => ({
  type: 'object',
  additionalProperties: false,
  default: {},
  properties,
  ...rest,
})

export const optionsSchema = section({
  rest: section({
    ip: ip('127.0.0.1'),
    port: port(8888),
    // Characters that an HTTP header carries unchanged.
    api_token: { type: 'string', pattern: '^[!-~]+$', writeOnly: true, description: 'printable ASCII without spaces' },
    os_states: { type: 'boolean', default: false },
    open_metrics: { type: 'boolean', default: false },
    names: {
      type: 'array',
      items: { type: 'string', pattern: '^[A-Za-z0-9_.-]+$', expected: 'a host name such as fleet.example.org' },
      default: [],
    },
    proxies: { type: 'array', items: networks.items, default: [] },
    tls: {
      type: 'object',
      additionalProperties: false,
      required: ['cert', 'key'],
      properties: { cert: text, key: text },
    },
    proxy_user: {
      type: 'object',
      required: ['header', 'from'],
      additionalProperties: false,
      properties: {
        header: { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9-]*$', expected: 'the name of a header' },
        from: networks,
      },
    },
  }),
  agents: section({
    ip: ip('0.0.0.0'),
    port: port(8889),
    allow: {
      type: ['string', 'array'],
      pattern: '^(any|known)$',
      expected: '"any", "known" or a list of networks',
      minItems: networks.minItems,
      items: networks.items,
      default: 'any',
    },
    unknown: { ...count(1000), minimum: 0 },
    connections: count(10_000),
    // An agent that is restarted, or that tries again every second, needs less.
    connections_per_minute: count(60),
    adopt: {
      type: ['object', 'null'],
      required: ['room'],
      additionalProperties: false,
      properties: { room: count() },
      default: null,
    },
  }),
  store: section(
    { adapter: { ...text, default: 'lowdb' }, path: { ...text, default: './data' } },
    { additionalProperties: true },
  ),
  commands: { type: 'array', items: text, default: [] },
  images: section({
    log: section({
      off: { type: 'boolean', default: false },
      port: { type: 'integer', minimum: 1, maximum: 65_535, default: 80 },
      path: { type: 'string', pattern: '^/[!-~]*$', expected: 'a path', default: '/cgi-bin/LogCommand.sh' },
      period_seconds: { ...seconds(5), minimum: 1 },
      patterns: { type: 'array', items: logPattern, default: [] },
    }),
  }),
  repository: section({
    directory: { ...text, default: './data/images' },
    keep_versions: { ...count(2), minimum: 0, maximum: 1000 },
    keep_days: { ...count(7), minimum: 0, maximum: 3650 },
    checksums: { type: 'boolean', default: true },
  }),
  boot: section({
    templates: { ...text, default: resolve(here, '../../boot-templates') },
    output: { ...text, default: './data/boot' },
    server: text,
    lang: { ...text, default: 'en_US.UTF-8' },
    oglives: text,
  }),
  wol: section({ interface: text }),
  limits: section({
    // Bytes of an incoming request, and of the body of a response to a read (the specification's limits).
    request: { ...count(131_072), minimum: 1024 },
    response: count(262_144),
    // The specification: the request size minus 700 bytes.
    forward: count(),
    // Characters of console output per client (the specification's limit).
    output: count(4095),
    answer_seconds: seconds(30),
    expiry_seconds: seconds(900),
    // Minimum: loading the command files at the start may take a part of it.
    hang_seconds: { ...seconds(60), minimum: 1 },
    // 1,600 bytes for each of 10,000 events.
    events_bytes: count(16 * 1024 * 1024),
    jobs_days: count(30),
    jobs_count: count(10_000),
    audit_months: { ...count(24), minimum: 0 },
    // 1 GiB. Minimum: one output of the largest request.
    outputs_bytes: { ...count(1_073_741_824), minimum: 1_048_576 },
    run_steps: count(1000),
    // 33 steps for each of 3,000 computers.
    run_parts: count(100_000),
    // At most 100 bytes of memory each. 50 steps for each of 10,000 computers may wait for one caller.
    waiting_parts: count(1_000_000),
    waiting_parts_per_caller: count(500_000),
    // About 20 KB of memory each.
    connections: count(10_000),
    connections_per_address: count(1000),
  }),
  deadlines: section({}, { additionalProperties: seconds() }),
  // Without it the daemon runs alone, so it has no default.
  cluster: {
    type: 'object',
    additionalProperties: false,
    properties: {
      name: {
        type: 'string',
        pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$',
        expected: 'a name of up to 63 letters, digits, _ . -',
      },
      // Minimum: a third of it, at which a heartbeat is written, and the second that a host keeps from its end.
      lease_seconds: { type: 'number', minimum: 3, maximum: 600, default: 6 },
    },
  },
  // A section of existing sites' files; the section `store` replaces it.
  database: { type: 'object' },
})
