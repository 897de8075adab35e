// Fills the page with the groups of operations, and searches in them.

const main = document.getElementById('main')
const list = document.getElementById('list')
const search = document.getElementById('search')
const menu = document.getElementById('menu')
document.title = `${api.info.title} API`
document.getElementById('brand').textContent = api.info.title
main.append(overview())

/** The operations in the sequence of the groups. */
const groups = api.tags.map(({ name, description }) => {
  const heading = make(
    'div',
    { className: 'group' },
    make('h2', {}, name),
    description ? make('p', {}, prose(description)) : undefined,
  )
  const links = make('div', {}, make('h2', {}, name))
  main.append(heading)
  list.append(links)
  const entries = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([verb, operation]) => {
      if (operation.tags[0] !== name || path.endsWith('/{rest}')) return []
      const article = operationOf(path, verb, operation, api.paths[`${path}/{rest}`]?.[verb])
      const link = make(
        'a',
        { href: `#${operation.operationId}`, title: operation.summary },
        method(verb),
        make('span', {}, path),
      )
      main.append(article)
      links.append(link)
      return [{ link, article, words: `${name} ${verb} ${path} ${article.textContent}`.toLowerCase() }]
    }),
  )
  return { heading, links, entries }
})
const nothing = main.appendChild(make('p', { className: 'nothing', hidden: true }, 'Nothing found.'))

search.addEventListener('input', () => {
  const searched = search.value.toLowerCase().split(/\s+/).filter(Boolean)
  document.getElementById('top').hidden = searched.length > 0
  let count = 0
  for (const { heading, links, entries } of groups) {
    let shown = 0
    for (const { link, article, words } of entries) {
      const isShown = searched.every(word => words.includes(word))
      link.hidden = article.hidden = !isShown
      shown += isShown ? 1 : 0
    }
    heading.hidden = links.hidden = shown === 0
    count += shown
  }
  nothing.hidden = count > 0
  if (searched.length > 0) scrollTo(0, 0)
})

document.addEventListener('keydown', event => {
  const isTyping = event.target instanceof HTMLInputElement
  if (event.key === 'Escape' && isTyping) {
    search.value = ''
    search.dispatchEvent(new Event('input'))
    search.blur()
  }
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  search.focus()
})

/** On narrow screens the list opens over the page. */
function openMenu(isOpen) {
  document.getElementById('nav').classList.toggle('open', isOpen)
  menu.setAttribute('aria-expanded', String(isOpen))
}
menu.addEventListener('click', () => openMenu(menu.getAttribute('aria-expanded') !== 'true'))
list.addEventListener('click', () => openMenu(false))

/** The link of the operation that is read. */
const byId = new Map(groups.flatMap(({ entries }) => entries.map(({ link, article }) => [article.id, link])))
let current
const observer = new IntersectionObserver(
  seen => {
    const first = seen.find(({ isIntersecting }) => isIntersecting)
    if (!first) return
    current?.removeAttribute('aria-current')
    current = byId.get(first.target.id)
    current?.setAttribute('aria-current', 'true')
    if (current && list.scrollHeight > list.clientHeight) current.scrollIntoView({ block: 'nearest' })
  },
  { rootMargin: '-10% 0px -80% 0px' },
)
for (const article of main.querySelectorAll('article')) observer.observe(article)

// The browser has looked for the target of the link before the operations were rendered.
if (location.hash) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView()
