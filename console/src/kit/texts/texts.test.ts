import { expect, test } from 'vitest'

type Tree = { [key: string]: string | Tree }

const files = import.meta.glob<Tree>('../../**/*.{ko,en}.json', { eager: true, import: 'default' })
const names = [...new Set(Object.keys(files).map((path) => path.replace(/\.(ko|en)\.json$/, '')))]

const leaves = (tree: Tree, above = ''): [string, string][] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [[above + key, value] as [string, string]] : leaves(value, `${above}${key}.`),
  )
const placesIn = (text: string) => [...text.matchAll(/\{\{\s*(\w+)/g)].map(([, name]) => name).sort()

test('there are texts to compare', () => expect(names.length).toBeGreaterThan(3))

test.each(names)('%s names the same values in both languages', (name) => {
  const ko = new Map(leaves(files[`${name}.ko.json`] ?? {}))
  for (const [key, english] of leaves(files[`${name}.en.json`] ?? {})) {
    const korean = ko.get(key) ?? ko.get(key.replace(/_(one|other)$/, ''))
    if (korean !== undefined) expect(placesIn(english), key).toEqual(placesIn(korean))
  }
})

test.each(names)('%s leaves no text empty', (name) => {
  for (const language of ['ko', 'en'])
    for (const [key, text] of leaves(files[`${name}.${language}.json`] ?? {})) expect(text.trim(), key).not.toBe('')
})
