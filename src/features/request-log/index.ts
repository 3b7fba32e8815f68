export { createCallQueue } from './call-queue.ts';
export { recordCalls } from './record-calls.ts';
export { openRecordings } from './recordings.ts';
export { deleteCallsOfAccount, eraseLocatedAnswers, findNewestCall } from './sql-call.ts';
export { RECORDING_CHANNEL } from './sql-recording.ts';
