// The programs that tests start, each in one file: from its sources a server loads 1,400 modules, which takes more
// processor time than the rest of its start. `./acc` (launcher.api.test.ts) and end-to-end tests start the sources.
import { mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'vite'
import { SOURCES } from './process.ts'

const PACKAGES = join(import.meta.dirname, '../../node_modules')
/** Not bundled: they find their files or workers by their own place, or few tests load them. */
const EXTERNAL = ['@aws-sdk/client-s3', '@node-rs/argon2', 'pdfmake', 'pino', 'pino-pretty', 'recheck']

/** Leaves each source at its place, next to its workers, styles and migrations. */
const places: Plugin = {
  name: 'places',
  enforce: 'pre',
  transform: (code, id) =>
    id.startsWith('\0')
      ? undefined
      : code
          .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)))
          .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)),
}

/** Bundles the programs into a folder. */
export async function bundlePrograms(folder: string): Promise<void> {
  mkdirSync(folder)
  symlinkSync(PACKAGES, join(folder, 'node_modules'))
  await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    plugins: [places],
    ssr: { noExternal: true, external: EXTERNAL },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      rolldownOptions: {
        input: SOURCES,
        output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
      },
    },
  })
}
