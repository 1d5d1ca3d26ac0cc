// Renders the PDF of a manual in a thread of its own, since it takes a second.
import { parentPort, workerData } from 'node:worker_threads'
import { renderPdf } from './manuals.pdf.ts'
import { type ManualSource, readManual } from './manuals.source.ts'

const source: ManualSource = workerData
parentPort?.postMessage(await renderPdf(await readManual(source)))
