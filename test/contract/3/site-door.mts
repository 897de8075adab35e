// A page for the screen at the door, and its files; anybody may see it.
import type { Command } from 'fleet-host'

export default {
  contract: 3,
  summary: 'Page for the door',
  route: 'GET /door',
  access: 'none',
  http: { rest: true },
  mediaType: 'text/html',
  answer({ services, request }) {
    if (request.rest.length === 0) return services.text('text/html; charset=utf-8', '<!doctype html><title>Door</title>')
    if (request.rest[0] === 'style.css') return services.text('text/css', 'body { color: black }', 200, { 'Cache-Control': 'no-store' })
    return services.text('text/plain', 'not here', 404)
  },
} satisfies Command
