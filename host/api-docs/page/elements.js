// Creates the elements of the page. Texts of commands are inserted as text and never as HTML.

function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties)
  element.append(...children.flat().filter(child => child !== undefined))
  return element
}

/** The text, with the words between backticks as code. */
const prose = text => text.split(/`([^`]+)`/).map((part, index) => (index % 2 ? make('code', {}, part) : part))

const chip = (text, kind = '', title = '') => make('span', { className: `chip ${kind}`, title }, text)

/** A text of code with a heading and a button that copies it. */
function codeCard(title, note, text, className = '') {
  const button = make('button', { className: 'copy', type: 'button', title: `Copy the ${title.toLowerCase()}` }, 'Copy')
  button.addEventListener('click', () => copy(text, button))
  const heading = make(
    'div',
    { className: 'card-title' },
    make('span', {}, title),
    make('span', { className: 'note' }, note),
  )
  heading.append(button)
  return make(
    'div',
    { className: `card ${className}` },
    heading,
    make('pre', { tabIndex: 0 }, make('code', {}, coloured(text))),
  )
}

async function copy(text, button) {
  const done = (await copyToClipboard(text)) ? 'Copied' : 'Not copied'
  button.textContent = done
  document.getElementById('status').textContent = done
  setTimeout(() => (button.textContent = 'Copy'), 1500)
}

/** Browsers offer their clipboard to pages of https and of this computer only. */
async function copyToClipboard(text) {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const area = document.body.appendChild(make('textarea', { value: text, className: 'hidden-text' }))
    area.select()
    const copied = document.execCommand('copy')
    area.remove()
    return copied
  }
}

/** Keys, texts, and other values of JSON; also in a command line. */
const token = /("(?:\\.|[^"\\])*")(\s*:)?|(?<![\w.:/-])(?:true|false|null|-?\d+(?:\.\d+)?)(?![\w.-])/g

function coloured(text) {
  const parts = []
  let end = 0
  for (const { 0: match, 1: quoted, 2: colon = '', index } of text.matchAll(token)) {
    const kind = quoted === undefined ? 'value' : colon ? 'key' : 'text'
    parts.push(text.slice(end, index), make('span', { className: kind }, quoted ?? match), colon)
    end = index + match.length
  }
  return [...parts, text.slice(end)]
}

/** Characters that fit into a line of a card. */
const lineLength = 46

/** JSON that is easy to read: what is short is on one line. `taken`: characters before the value on its line. */
function formatJson(value, indent = '', taken = indent.length) {
  const short = shortJson(value)
  if (!(value instanceof Object) || taken + short.length <= lineLength) return short
  const inner = `${indent}  `
  const entries = Array.isArray(value)
    ? value.map(one => formatJson(one, inner))
    : Object.entries(value).map(
        ([key, one]) => `${JSON.stringify(key)}: ${formatJson(one, inner, inner.length + key.length + 5)}`,
      )
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${entries.map(entry => inner + entry).join(',\n')}\n${indent}${close}`
}

function shortJson(value) {
  if (Array.isArray(value)) return `[${value.map(shortJson).join(', ')}]`
  if (!(value instanceof Object)) return JSON.stringify(value)
  const entries = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${shortJson(one)}`)
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`
}
