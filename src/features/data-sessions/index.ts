export { takeCells } from './cells/take-cells.ts';
export { OCTETS_MAX, type Restart, type SessionReport } from './session-report.ts';
export { createSessionTaker, type TakenReport } from './session-taker.ts';
export { listDoubts } from './sql-doubt.ts';
export { isLineConnected, listOpenSessions, listSessions } from './sql-listing.ts';
