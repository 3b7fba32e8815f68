export { FIRING_CAUSES, type Firing, LEVEL_KINDS, type LevelKind } from './firing.ts';
export { nameLines } from './name-lines.ts';
export { areActionsPaused, pauseActions, resumeActions } from './pause-actions.ts';
export { recordFirings } from './record-firings.ts';
export { deviceName, recordSource, WireFiring } from './schemas.ts';
export {
  countFiringsByDay,
  type FiringPage,
  findFiringMark,
  listCausedFirings,
  listFired,
  listFiringPage,
  listFirings,
  listFiringsById,
  listFiringsOfDevice,
  namedRecord,
} from './sql.ts';
