// pdf.js has no types for the part that a thread runs.
declare module 'pdfjs-dist/build/pdf.worker.mjs'
// The two parts of a font's stylesheet, made by `splitFont` in vite.config.ts.
declare module '*.css?common'
declare module '*.css?rare'
