import { readFileSync, writeFileSync } from 'node:fs';

const readMb = (pid: number, field: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) /
  1024;

/** Resident memory of a process without its database, where the system tells it. */
export const residentMb = (pid: number): number => readMb(pid, 'VmRSS');

const peaksMb: number[] = [];

/** The most that a process has ever held. Called while it is alive. */
export function notePeak(pid: number): void {
  try {
    peaksMb.push(readMb(pid, 'VmHWM'));
  } catch {
    // Not a system with /proc: the line of memory is missing from the table.
  }
}

/** Of this process, so that what it held before is not counted for what comes. */
export function forgetPeak(): void {
  try {
    writeFileSync('/proc/self/clear_refs', '5');
  } catch {
    // Not a system with /proc.
  }
}

/** All that were noted since it was last asked. */
export const takePeaksMb = (): readonly number[] => peaksMb.splice(0);
