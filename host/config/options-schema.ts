// The options: each one said once, as a JSON Schema with its default, from which its type follows.
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { StoreOptions } from '../../stores/store.ts'
import { oidc } from './oidc-options.ts'
import {
  count,
  flag,
  list,
  network,
  option,
  path,
  port,
  type RecordOf,
  record,
  seconds,
  section,
  text,
  typed,
  type ValueOf,
} from './option-kinds.ts'

const here = dirname(fileURLToPath(import.meta.url))

const tls = { cert: path(), key: path() }
const adopt = { room: count() }
const proxyUser = {
  /** The name of the header that the proxy sets to the user's name. */
  header: option<string>({
    type: 'string',
    pattern: '^[A-Za-z][A-Za-z0-9-]*$',
    expected: 'the name of a header',
  })(),
  /** The proxy's addresses or networks: from others the header means nothing. */
  from: option<string[]>({ type: 'array', minItems: 1, items: network })(),
}

interface LogPattern {
  means: 'error' | 'done' | 'progress' | 'ignore'
  pattern: string
}
// What the lines of a live system's console log mean.
const logPattern = {
  ...record({
    means: { enum: ['error', 'done', 'progress', 'ignore'] },
    pattern: { type: 'string', minLength: 1, format: 'regex', expected: 'a regular expression' },
  }),
  // Without the group a pattern for progress would never match.
  if: { properties: { means: { const: 'progress' } } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: {
    properties: { pattern: { type: 'string', pattern: '\\(\\?<percent>', expected: 'a group (?<percent>…)' } },
  },
}

const cluster = section({
  /** Of this host; default: the name of the machine. */
  name: option<string>({
    type: 'string',
    pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$',
    expected: 'a name of up to 63 letters, digits, _ . -',
  })(),
  // Minimum: a third of it, at which a heartbeat is written, and the second that a host keeps from its end.
  lease_seconds: { ...seconds(6), minimum: 3, maximum: 600 },
})

export const optionsSchema = section({
  rest: section({
    ip: text('127.0.0.1'),
    port: port(8888),
    // Characters that an HTTP header carries unchanged.
    api_token: option<string>({
      type: 'string',
      pattern: '^[!-~]+$',
      writeOnly: true,
      description: 'printable ASCII without spaces',
    })(),
    os_states: flag(false),
    open_metrics: flag(false),
    names: list({
      type: 'string',
      pattern: '^[A-Za-z0-9_.-]+$',
      expected: 'a host name such as fleet.example.org',
    })([]),
    /** Addresses and networks of proxies: the address that they forward is the caller's. */
    proxies: list(network)([]),
    tls: option<RecordOf<typeof tls>>(record(tls))(),
    /** A proxy that logs people in, by single sign-on for example. */
    proxy_user: option<RecordOf<typeof proxyUser>>(record(proxyUser))(),
  }),
  /** Which connections of agents are kept is read at each new connection. */
  agents: section({
    ip: text('0.0.0.0'),
    port: port(8889),
    allow: option<'any' | 'known' | string[]>({
      type: ['string', 'array'],
      pattern: '^(any|known)$',
      expected: '"any", "known" or a list of networks',
      minItems: 1,
      items: network,
    })('any'),
    unknown: { ...count(1000), minimum: 0 },
    connections: count(10_000),
    // An agent that is restarted, or that tries again every second, needs less.
    connections_per_minute: count(60),
    adopt: option<RecordOf<typeof adopt> | null>({ ...record(adopt), type: ['object', 'null'] })(null),
  }),
  store: typed<StoreOptions>({
    ...section({ adapter: text('lowdb'), path: path('./data') }),
    additionalProperties: true,
  }),
  /** Folders of a site's own command files. */
  commands: option<string[]>({ type: 'array', items: path() })([]),
  /** Of these folders only packs are loaded whose digest is in `pack.lock`. */
  commands_locked: flag(false),
  images: section({
    /** The console log that live systems serve by HTTP, which is read while a client copies an image. */
    log: section({
      off: flag(false),
      port: { ...count(80), maximum: 65_535 },
      path: option<string>({ type: 'string', pattern: '^/[!-~]*$', expected: 'a path' })('/cgi-bin/LogCommand.sh'),
      /** Between two reads. */
      period_seconds: { ...seconds(5), minimum: 1 },
      patterns: option<LogPattern[]>({ type: 'array', items: logPattern })([]),
    }),
    /** From where live systems that this server has built get images, at the address of `agents`. */
    transfer: section({
      port: { ...count(8890), minimum: 1, maximum: 65_535 },
      /** For restores of type MULTICAST. */
      multicast: section({
        // 0: off. Maximum: what a connection without data may last.
        wait_seconds: { ...count(60), minimum: 0, maximum: 100 },
        rate_mbit: { ...count(400), minimum: 1 },
        address: option<string>({
          type: 'string',
          pattern: '^2(2[4-9]|3\\d)(\\.\\d{1,3}){3}$',
          expected: 'a multicast address of IPv4',
        })('239.192.88.90'),
        // udp-sender uses the next one, too.
        port: { ...count(8892), minimum: 2, maximum: 65_534, multipleOf: 2 },
        // Networks that the packets reach: each router on the way takes one off.
        ttl: { ...count(1), minimum: 1, maximum: 255 },
      }),
    }),
  }),
  repository: section({
    directory: path('./data/images'),
    keep_versions: { ...count(2), minimum: 0, maximum: 1000 },
    keep_days: { ...count(7), minimum: 0, maximum: 3650 },
    checksums: flag(true),
  }),
  boot: section({
    templates: path(resolve(here, '../../boot-templates')),
    output: path('./data/boot'),
    server: text(),
    lang: text('en_US.UTF-8'),
    oglives: path(),
  }),
  // `seconds`: that a woken computer may take until its agent connects.
  wol: section({ interface: text(), seconds: seconds(60) }),
  limits: section({
    // Bytes of an incoming request, and of the body of a response to a read (the specification's limits).
    request: { ...count(131_072), minimum: 1024 },
    response: count(262_144),
    // Set by `loadOptions` where it is absent (the specification: the request size minus 700 bytes).
    forward: typed<number>(count()),
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
    history_days: { ...count(92), minimum: 0, maximum: 3650 },
    // 1 GiB. Minimum: one output of the largest request.
    outputs_bytes: { ...count(1_073_741_824), minimum: 1_048_576 },
    // 100 MB. Minimum: one document.
    collection_bytes: { ...count(100_000_000), minimum: 65_536 },
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
  // `users`: whether the history has the names of those who were logged in.
  history: section({ users: flag(false) }),
  // Without it nobody logs in by a provider, so it has no default.
  oidc,
  /** Seconds until a command of that name fails without a reply; they override the command's own deadline. */
  deadlines: option<Record<string, number>>({ type: 'object', additionalProperties: seconds() })({}),
  // Without it the daemon runs alone, so it has no default.
  cluster: typed<ValueOf<typeof cluster> | undefined>({ ...cluster, default: undefined }),
  // A section of existing sites' files; the section `store` replaces it.
  database: option<object>({ type: 'object' })(),
})

export type Options = Omit<ValueOf<typeof optionsSchema>, 'database'>
