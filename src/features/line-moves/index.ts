export { lineMover, moveLine } from './move-lines.ts';
