// Style sheets that the bundler takes in.
declare module '*.css'
