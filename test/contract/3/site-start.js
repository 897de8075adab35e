// A start page of the site, for browsers; plain JavaScript.
export default {
  contract: 3,
  summary: 'Start page of the site',
  route: 'GET /site/start',
  http: { startPage: true, browserLogin: true },
  mediaType: 'text/html',
  answer: ({ services }) => services.text('text/html; charset=utf-8', '<!doctype html><title>Site</title>'),
}
