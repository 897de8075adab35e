// Keeps one note in memory while this version is in service; plain JavaScript, an optional body.
let note = ''

export default {
  summary: 'Keep a note',
  route: 'POST /site/note',
  access: 'admin',
  body: 'optional',
  payload: { type: 'object', properties: { text: { type: 'string' } } },
  answer({ payload, services, request }) {
    note = payload.text ?? note
    services.signal.addEventListener('abort', () => {
      note = ''
    })
    request.created(1)
    return { note }
  },
}
