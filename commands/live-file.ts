// Serves the files of the live systems that this server has built: computers that start one have no token.
import type { Command } from 'fleet-host'

export default {
  summary: 'Download a file of a live system',
  group: 'Boot',
  route: 'GET /live',
  access: 'none',
  http: { rest: true },
  mediaType: 'application/octet-stream',
  answer: ({ services, request }) => services.boot.liveFile(request),
} satisfies Command
