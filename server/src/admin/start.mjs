#!/usr/bin/env node
// The entry of acc-admin in plain JavaScript: an older Node shows one clear line instead of a stack.
if (process.features.typescript) await import('./main.ts')
else {
  process.stderr.write(
    `acc-admin: Node ${process.versions.node} is too old. Use Node 24 or later, or run npx acc-admin.\n`,
  )
  process.exitCode = 1
}
