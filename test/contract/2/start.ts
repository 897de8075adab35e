// A start page of the site, for browsers.
import type { Command } from 'fleet-host'

export default {
  summary: 'Start page of the site',
  route: 'GET /site/start',
  startPage: true,
  browserLogin: true,
  mediaType: 'text/html',
  answer: ({ services }) => services.text('text/html; charset=utf-8', '<!doctype html><title>Site</title>'),
} satisfies Command
