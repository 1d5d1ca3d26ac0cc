// Makes the PDF of a manual beside the server's own thread, which it would hold up for a second.
import { parentPort, workerData } from 'node:worker_threads'
import { renderPdf } from './manuals.pdf.ts'
import { type ManualSource, readManual } from './manuals.source.ts'

const source: ManualSource = workerData
parentPort?.postMessage(await renderPdf(await readManual(source)))
