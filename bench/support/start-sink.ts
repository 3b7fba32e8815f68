import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface Sink {
  readonly url: string;
  /** Arrival times of the messages under /timed since the last call, by webhook id, in milliseconds of real time. */
  takeArrivals(): Promise<ReadonlyMap<string, number>>;
  stop(): void;
}

/** Listens at one address of this machine, or with `0.0.0.0` at all of them: to a sender, each is a separate host. */
export async function startSink(host = '127.0.0.1'): Promise<Sink> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('sink.ts', import.meta.url)), host], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  const url = /on (\S+)/.exec(line)![1]!;
  return {
    url,
    async takeArrivals() {
      const arrivals = await (await fetch(`${url}/arrivals`)).json();
      return new Map(Object.entries(arrivals as Record<string, number>));
    },
    stop: () => child.kill(),
  };
}
