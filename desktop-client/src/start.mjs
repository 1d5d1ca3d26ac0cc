#!/usr/bin/env node
// The entry of acc-client in plain JavaScript: a Node that cannot read TypeScript prints one clear line.
if (process.features.typescript) await import('./main.ts')
else {
  const isKorean = /^ko/i.test(process.env.LC_ALL || process.env.LC_MESSAGES || process.env.LANG || '')
  process.stderr.write(
    isKorean
      ? `acc-client: Node ${process.versions.node}에서는 실행할 수 없습니다. Node 24 이상을 사용하거나 npx acc-client로 실행하세요.\n`
      : `acc-client: Node ${process.versions.node} is too old. Use Node 24 or later, or run npx acc-client.\n`,
  )
  process.exitCode = 1
}
