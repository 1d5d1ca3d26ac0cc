// The console's build and its development server. Assets are found relative to the page, so that the server can serve
// one build under any front route; nothing is inlined, as the strict CSP requires.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import mantine from 'postcss-preset-mantine'
import { defineConfig, type Plugin } from 'vite'

/** Target of calls in development: the path of every call begins with a capital letter, that of no page does. */
const server = 'http://127.0.0.1:8080'

/** Writes compressed copies of the assets, so that the server need not compress on each request. */
const precompress = (): Plugin => ({
  name: 'precompress',
  apply: 'build',
  writeBundle: ({ dir = '' }) => {
    for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
      if (!/\.(js|css|svg)$/.test(name)) continue
      const bytes = readFileSync(join(dir, name))
      writeFileSync(join(dir, `${name}.br`), brotliCompressSync(bytes))
      writeFileSync(join(dir, `${name}.gz`), gzipSync(bytes, { level: 9 }))
    }
  },
})

/** The faces of Latin, punctuation and the most common Hangul. */
const COMMON = /subset\.(8[7-9]|9[01])\.woff2/

/**
 * Pretendard comes in 92 faces by letter. Each of them costs time for every size and weight of the first layout.
 * `?common` after its stylesheet is the few faces of the first paint, `?rare` is all others.
 */
const splitFont = (): Plugin => ({
  name: 'split-font',
  enforce: 'pre',
  transform: (css, id) => {
    const part = /pretendard.*\.css\?(common|rare)$/.exec(id)?.[1]
    if (part === undefined) return
    const faces = css.match(/@font-face \{[^}]*\}/g) ?? []
    return faces.filter((face) => COMMON.test(face) === (part === 'common')).join('\n')
  },
})

/** Icons without a label are decoration, which screen readers skip. */
const hideIcons = (): Plugin => ({
  name: 'hide-icons',
  transform: (code, id) => {
    if (!/@tabler\/icons-react\/.*createReactComponent/.test(id)) return
    const attributes = '...defaultAttributes[type],'
    if (!code.includes(attributes))
      throw new Error('The icons are written in another way: adapt console/vite.config.ts')
    return code.replace(attributes, `${attributes} 'aria-hidden': rest['aria-label'] === undefined || undefined,`)
  },
})

const PDF_JS = join(import.meta.dirname, '../node_modules/pdfjs-dist')

/**
 * What pdf.js fetches by name: character maps, the fonts that every PDF may use without containing them, and decoders
 * of images that need no WebAssembly.
 */
const pdfFiles = (): Plugin => ({
  name: 'pdf-files',
  apply: 'build',
  generateBundle() {
    const { version }: { version: string } = JSON.parse(readFileSync(join(PDF_JS, 'package.json'), 'utf8'))
    for (const folder of ['cmaps', 'standard_fonts', 'wasm'])
      for (const name of readdirSync(join(PDF_JS, folder)).filter((one) => !/\.wasm$|quickjs/i.test(one)))
        this.emitFile({
          type: 'asset',
          fileName: `assets/pdfjs-${version}/${folder}/${name}`,
          source: readFileSync(join(PDF_JS, folder, name)),
        })
  },
})

/** The modules that the portal loads: all but the console, and the register step, which a server needs once. */
const portal = new Set<string>()
const findPortal = (): Plugin => ({
  name: 'find-portal',
  apply: 'build',
  buildEnd() {
    const ids = [...this.getModuleIds()].filter((id) => this.getModuleInfo(id)?.isEntry)
    for (const id of ids) {
      if (portal.has(id) || /\/(MainApp|RegisterPage)\.tsx$/.test(id)) continue
      portal.add(id)
      const info = this.getModuleInfo(id)
      ids.push(...(info?.importedIds ?? []), ...(info?.dynamicallyImportedIds ?? []))
    }
  },
})

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [findPortal(), splitFont(), hideIcons(), react(), pdfFiles(), precompress()],
  worker: { format: 'es' },
  css: { postcss: { plugins: [mantine()] } },
  build: {
    outDir: 'dist',
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // `debugger` is what disableDevTools works with (app/start/start.ts).
      output: {
        minify: { compress: { dropDebugger: false } },
        // One script each for the first paint, for what pages of the portal share, and for what screens share, in place
        // of ninety: each request costs a slow processor 10 ms.
        codeSplitting: {
          groups: [
            { name: 'first', tags: ['$initial'], priority: 2 },
            { name: 'portal', test: (id) => portal.has(id), minShareCount: 2, priority: 1 },
            { name: 'console', minShareCount: 2 },
          ],
        },
      },
    },
    chunkSizeWarningLimit: 700,
  },
  server: { port: 5173, strictPort: true, proxy: { '^/[A-Z]': { target: server, changeOrigin: false } } },
})
