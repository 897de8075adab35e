// Lists the live systems that clients may boot.
import type { Command } from 'fleet-host'
import { described, integer, list, result, text } from './_result-schemas.ts'

const liveSystem = result({
  distribution: text,
  kernel: text,
  architecture: text,
  revision: text,
  directory: described(text, 'the name to set'),
  iso: text,
})
const returns = result({ default: described(integer, 'index of the default one'), oglive: list(liveSystem) })

export default {
  summary: 'List live systems',
  route: 'GET /oglive/list',
  returns,
  answer: ({ services }) => services.boot.liveSystems(),
} satisfies Command
