import { readFileSync, writeFileSync } from 'node:fs';

const readMb = (pid: number, field: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) /
  1024;

/** Resident memory of a process without its database, if the system reports it. */
export const residentMb = (pid: number): number => readMb(pid, 'VmRSS');

const peaksMb: number[] = [];

/** Records the peak memory of a process. Call it while the process runs. */
export function notePeak(pid: number): void {
  try {
    peaksMb.push(readMb(pid, 'VmHWM'));
  } catch {
    // Not a system with /proc: the table has no line for memory.
  }
}

/** Resets the peak of this process, so that earlier use is not counted. */
export function forgetPeak(): void {
  try {
    writeFileSync('/proc/self/clear_refs', '5');
  } catch {
    // Not a system with /proc.
  }
}

/** Returns all values recorded since the last call. */
export const takePeaksMb = (): readonly number[] => peaksMb.splice(0);
