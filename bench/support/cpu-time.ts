import { readdirSync, readFileSync } from 'node:fs';

const TICK_MS = 10;

/** Fields of /proc/<pid>/stat after the name, which may contain blanks. */
function statOf(pid: string | number): readonly string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
  } catch {
    return undefined;
  }
}

const sumOf = (stat: readonly string[], fields: readonly number[]) =>
  fields.reduce((sum, field) => sum + Number(stat[field]), 0) * TICK_MS;

/** Processor time of a single process, in ms. Undefined if the system does not report it. */
export function readCpuMsOf(pid: number): number | undefined {
  const stat = statOf(pid);
  return stat && sumOf(stat, [11, 12]);
}

/**
 * Processor time of a PostgreSQL server with all its children, including ended ones, in ms. Undefined if the
 * system does not report it.
 */
export function readServerCpuMs(serverPid: number): number | undefined {
  const server = statOf(serverPid);
  if (server === undefined) return undefined;
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(statOf)
    .filter((stat) => stat?.[1] === String(serverPid));
  return children.reduce((sum, stat) => sum + sumOf(stat!, [11, 12]), sumOf(server, [11, 12, 13, 14]));
}

/** Processor time of this process and of a PostgreSQL server. On a shared machine it means more than elapsed time. */
export function readCpuMs(serverPid: number): number | undefined {
  const ofServer = readServerCpuMs(serverPid);
  if (ofServer === undefined) return undefined;
  const { user, system } = process.cpuUsage();
  return ofServer + (user + system) / 1_000;
}
