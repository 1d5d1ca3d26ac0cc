// pdf.js has no types for the part that a thread runs.
declare module 'pdfjs-dist/build/pdf.worker.mjs'
