// What other sites can do with a visitor's session, and what a link or the Back button gives away (threats of the
// browser): forged writes, temporary tokens in addresses, data after signing out.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { api } from '@acc/contract'
import type { Route } from '@acc/contract/core/route'
import type { Page } from '@playwright/test'
import { type AccServer, ADMIN } from './accServer.ts'
import { addUser } from './arrange.ts'
import { enter, FRONT_ROUTE, menuOf, openScreen, signIn } from './screens.ts'
import { expect, test } from './test.ts'

const routes: Route[] = Object.values(api).flatMap((domain): Route[] => Object.values(domain))
/** One write of each kind: that all are refused, server/src/http/route.api.test.ts tries. */
const writes = [
  ...new Map(routes.map(({ method, kind, path }) => [`${method} ${kind}`, { method, path }])).values(),
].filter(({ method }) => method !== 'GET')

/** Serves an empty page on another port; resolves with the port and a function that stops it. */
async function serveElsewhere() {
  const http = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end('<title>x</title>'),
  )
  http.listen(0)
  await once(http, 'listening')
  return { port: (http.address() as AddressInfo).port, stop: () => http.close() }
}

/** Returns the logged refusals of POSTs by path: 415 for the type of the body, 980 for origin or marker. */
function refusalsOf({ output }: AccServer): Map<string, number> {
  const counts = new Map<string, number>()
  for (const line of output()
    .split('\n')
    .filter((text) => text.startsWith('{'))) {
    const { method, path, status, code } = JSON.parse(line)
    if (method === 'POST' && (status === 415 || code === 980)) counts.set(path, (counts.get(path) ?? 0) + 1)
  }
  return counts
}

/** Sends each write in every way that a page has: simple requests with the cookie, requests with a preflight, forms. */
async function forge(page: Page, baseUrl: string): Promise<void> {
  await page.evaluate(
    async ({ baseUrl, writes }) => {
      const json = JSON.stringify({ id: 'admin', pw: 'x', idx: 1, idxes: [1], name: 'forged' })
      const bodies = () => [
        new Blob([json], { type: 'text/plain' }),
        new URLSearchParams({ id: 'admin', idx: '1' }),
        Object.entries({ id: 'admin', idx: '1' }).reduce((form, [name, value]) => {
          form.append(name, value)
          return form
        }, new FormData()),
      ]
      for (const { method, path } of writes) {
        const send = (init: RequestInit) =>
          fetch(baseUrl + path, { credentials: 'include', ...init }).catch(() => undefined)
        if (method === 'POST') await Promise.all(bodies().map((body) => send({ method, body, mode: 'no-cors' })))
        await send({
          method,
          body: json,
          headers: { 'content-type': 'application/json', 'x-requested-with': 'XMLHttpRequest' },
        })
      }
      for (const { path } of writes.filter(({ method }) => method === 'POST')) {
        const frame = document.createElement('iframe')
        frame.name = path
        document.body.append(frame)
        const form = document.createElement('form')
        Object.assign(form, { method: 'post', enctype: 'text/plain', action: baseUrl + path, target: path })
        const field = document.createElement('input')
        Object.assign(field, { name: '{"id":"admin","x":"', value: '"}' })
        form.append(field)
        document.body.append(form)
        form.submit()
      }
    },
    { baseUrl, writes },
  )
}

/** What the forged calls would have changed. */
async function stateOf({ admin }: AccServer): Promise<unknown> {
  const { items, totalCount } = await admin.users.search({ rowsCount: 1000 })
  const { groups } = await admin.groups.searchAuthGroups({})
  const { sessions } = await admin.session.search({})
  const users = items.map(({ idx, id, name, state, groupIdx }) => [idx, id, name, state, groupIdx])
  return { totalCount, users, groups: groups.map(({ idx, name }) => [idx, name]), sessions: sessions.length }
}

test('a page of another origin changes nothing, on the same host or another', async ({ browser, page, server }) => {
  await enter(page)
  // The same session in a browser whose many reports of refused requests are expected.
  const visitor = await browser.newContext({ storageState: await page.context().storageState() })
  const foreign = await visitor.newPage()
  const elsewhere = await serveElsewhere()
  const before = await stateOf(server)
  const posts = writes.filter(({ method }) => method === 'POST').map(({ path }) => path)
  for (const host of ['127.0.0.1', 'localhost']) {
    const known = refusalsOf(server)
    await foreign.goto(`http://${host}:${elsewhere.port}/`)
    await forge(foreign, server.baseUrl)
    // Three requests and a form each; PUT and DELETE end at the preflight.
    const refused = () => posts.filter((path) => (refusalsOf(server).get(path) ?? 0) - (known.get(path) ?? 0) === 4)
    await expect.poll(refused, host).toEqual(posts)
    expect(await stateOf(server), host).toEqual(before)
  }
  await visitor.close()
  elsewhere.stop()
  await page.goto('/acc')
  await expect(menuOf(page)).toBeVisible()
})

test('a temporary token is in no referrer, no later address and no history, and one that was used says what to do', async ({
  page,
  server,
}) => {
  const { tmpToken } = await server.admin.session.createTmpToken({})
  const seen: string[] = []
  page.on('request', (request) => {
    const isConsumed = request.url().endsWith('/Account/ConsumeTmpToken')
    if (request.isNavigationRequest()) return
    seen.push(request.url(), JSON.stringify(request.headers()), isConsumed ? '' : (request.postData() ?? ''))
  })
  await page.goto(`/acc?tmpToken=${tmpToken}`)
  await expect(menuOf(page)).toBeVisible()
  await openScreen(page, '사용자')
  expect(seen.filter((text) => text.includes(tmpToken))).toEqual([])
  expect(
    await page.evaluate(() => `${document.referrer} ${JSON.stringify(history.state)} ${location.href}`),
  ).not.toContain(tmpToken)
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
  expect(kept).not.toContain(tmpToken)
  await page.goBack()
  await expect(page).toHaveURL(FRONT_ROUTE)
  expect(page.url()).not.toContain(tmpToken)
  await page.context().clearCookies()
  await page.goto(`/acc?tmpToken=${tmpToken}`)
  await expect(page.getByRole('dialog')).toContainText('클라이언트에서 다시 열어 주세요.')
})

test('after signing out, Back shows no data, in this page and after leaving it', async ({ page, server }) => {
  await addUser(server, 'secret.name', '숨은 이름')
  await signIn(page, ADMIN)
  await openScreen(page, '사용자')
  await expect(page.getByText('secret.name', { exact: true })).toBeVisible()
  await openScreen(page, '이력')
  await page.getByRole('button', { name: '로그아웃', exact: true }).click()
  await expect(page.getByRole('heading', { name: '로그인' })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { name: '로그인' })).toBeVisible()
  await expect(page.getByText('secret.name')).toBeHidden()
  await page.goto('about:blank')
  await page.goBack()
  await expect(page.getByRole('heading', { name: '로그인' })).toBeVisible()
  await expect(page.getByText('secret.name')).toBeHidden()
  expect(await page.content()).not.toContain('secret.name')
  await expect(menuOf(page)).toBeHidden()
})
