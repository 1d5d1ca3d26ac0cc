// The modifier key of shortcuts on this computer.

export const MODIFIER = navigator.platform.startsWith('Mac') ? '⌘' : 'Ctrl'
