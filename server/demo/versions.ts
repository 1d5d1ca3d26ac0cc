// The client versions of the sample organization: small programs that start and end, uploaded and deployed over the sixty days.
import { Readable } from 'node:stream'
import { deployVersion, removeVersion, uploadVersion } from '../src/domains/clientVersions/clientVersions.service.ts'
import { type Calendar, DAYS } from './days.ts'
import { contextOf, type DemoActor, type Moment, type Step } from './past.ts'
import { makeProgram } from './program.ts'
import { seeded } from './random.ts'

type Numbers = readonly [number, number, number, number]
/** Days of the upload and of the deployment; versions that were found bad are deleted instead. The newest one is of today. */
type Plan = { numbers: Numbers; uploaded: number; deployed?: number; removed?: number }

const PLANS: readonly Plan[] = [
  { numbers: [4, 1, 1, 131], uploaded: 1, deployed: 1 },
  { numbers: [4, 1, 2, 148], uploaded: 2, deployed: 2 },
  { numbers: [4, 2, 0, 204], uploaded: 24, removed: 26 },
  { numbers: [4, 2, 0, 212], uploaded: 29, deployed: 30 },
  { numbers: [4, 2, 1, 226], uploaded: 47 },
  { numbers: [4, 3, 0, 240], uploaded: 58 },
  { numbers: [4, 3, 1, 247], uploaded: DAYS },
]
/** Bytes behind the program, as an installer carries its files. */
const PAYLOAD = { min: 6_400_000, max: 7_900_000 }

/** Uploads as a form would: from memory. */
function upload(numbers: Numbers) {
  return (moment: Moment) => {
    const random = seeded(numbers[3])
    const payload = Buffer.alloc(random.int(PAYLOAD.min, PAYLOAD.max), numbers.join(''))
    const bytes = makeProgram(numbers, payload)
    const file = {
      name: `ACC_Client_Setup_${numbers.join('.')}.exe`,
      size: bytes.length,
      chunks: Readable.from([bytes]),
    }
    return uploadVersion({ ...contextOf(moment), file })
  }
}

export const versionSteps = ({ at, ago }: Calendar, by: DemoActor): Step[] =>
  PLANS.flatMap(({ numbers, uploaded, deployed, removed }): Step[] => {
    const version = numbers.join('.')
    return [
      { at: uploaded === DAYS ? ago(170) : at(uploaded, 13, 20), by, run: upload(numbers) },
      ...(deployed === undefined
        ? []
        : [{ at: at(deployed, 18, 30), by, run: (moment: Moment) => deployVersion(contextOf(moment), { version }) }]),
      ...(removed === undefined
        ? []
        : [{ at: at(removed, 9, 5), by, run: (moment: Moment) => removeVersion(contextOf(moment), { version }) }]),
    ]
  })
