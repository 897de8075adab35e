// Lists the live systems that clients may boot.
import type { Command } from 'fleet-host'
import { described, integer, like, list, object, text } from './_schemas/objects.ts'

const liveSystem = object({
  distribution: like(text, 'noble'),
  kernel: like(text, '6.8.0-45'),
  architecture: like(text, 'amd64'),
  revision: like(text, '20260901'),
  directory: described(text, 'the name to set', 'ogLive'),
  iso: like(text, 'ogLive-noble-6.8.0-45-amd64-20260901.iso'),
})

const building = object({
  name: described(text, 'of the live system', 'debian'),
  percent: like(integer, 40),
  line: described(text, 'what it does', 'Unpacking linux-image-amd64'),
})

export default {
  summary: 'List live systems',
  group: 'Boot',
  route: 'GET /oglive/list',
  returns: object({
    default: described(integer, 'index of the default one', 0),
    oglive: list(liveSystem),
    'building?': described(building, 'the build of `fleet live build` that is running on this server'),
  }),
  scoped: true,
  answer: ({ services }) => services.boot.liveSystems(),
} satisfies Command
