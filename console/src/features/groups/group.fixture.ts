// Builds a group as the server returns it, for tests: `anyGroup({ idx: 3, children: [...] })`.
import type { Group } from '@acc/contract/groups'

export const anyGroup = (values: Partial<Group> = {}): Group => ({
  idx: 1,
  parentIdx: null,
  name: `group ${values.idx ?? 1}`,
  description: '',
  isMyPolicy: 0,
  isDmsParent: 0,
  isUnderDmsParent: 0,
  isTop: 0,
  isSync: 0,
  userCount: 0,
  maxUser: 2,
  maxPolicy: 2,
  maxFileExportApprove: 0,
  maxFileImportApprove: 0,
  maxLog: 0,
  revision: 1,
  children: [],
  ...values,
})
