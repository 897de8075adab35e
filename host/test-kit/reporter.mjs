// Prints the results of test files: a line for each test, why it failed, and the numbers at the end.

export default async function* report(source) {
  let passed = 0
  let failed = 0
  for await (const { type, data } of source) {
    if (type === 'test:stdout' || type === 'test:stderr') yield data.message
    if (type !== 'test:pass' && type !== 'test:fail') continue
    // A file without tests of its own is one that was run, or that could not be loaded.
    const isFile = data.name === data.file || data.file?.endsWith(data.name)
    if (type === 'test:pass') {
      if (isFile) continue
      passed += 1
      yield `ok    ${data.name}\n`
      continue
    }
    const { cause = data.details.error } = data.details.error
    if (isFile && data.details.error.failureType === 'subtestsFailed') continue
    failed += 1
    const reason = String(cause.stack ?? cause)
    yield `FAIL  ${data.name}\n${reason.replaceAll(/^/gm, '        ')}\n`
  }
  yield `${passed} passed, ${failed} failed\n`
}
