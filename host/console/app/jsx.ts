// What the bundler makes of JSX: shorter than calls that have the children among the properties.
export { Fragment, h } from 'preact'
