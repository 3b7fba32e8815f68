export { moveLine } from './move-line.ts';
export { lineMover } from './move-lines.ts';
