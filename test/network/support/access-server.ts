import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freeUdpPort } from './addresses.ts';
import { isInstalled, type PeerProcess, startPeer } from './peer-process.ts';

const PROGRAM = 'freeradius';
const HOST = '127.0.0.1';
const START_LIMIT_MS = 60_000;

/** A reason to skip the tests, or false. */
export const accessServerIsMissing = isInstalled(PROGRAM) ? false : 'freeradius is not installed';
export const SECRET = 'testing123';

/**
 * A real RADIUS server instead of an access server. It disconnects and changes the sessions of any line, except by the end of
 * the IMSI: it refuses 503 because it has no such session, 506 because it is short of resources, and 401 for good.
 */
export interface AccessServer {
  /** Its address for Disconnect and CoA requests. */
  readonly address: string;
  /** Its address for accounting. */
  readonly accounting: string;
  readonly process: () => PeerProcess;
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): void;
  goOn(): void;
  /** One line for each request that it accepted: its code, IMSI, number, session, plan and time. */
  seen(): readonly string[];
  remove(): Promise<void>;
}

const settingsOf = (folder: string, port: number, accountingPort: number) => `
name = freeradius
libdir = /usr/lib/freeradius
logdir = ${folder}
run_dir = ${folder}
max_request_time = 5
cleanup_delay = 2
max_requests = 16384
log {
  destination = stdout
}
security {
  max_attributes = 200
  status_server = yes
}
proxy_requests = no
client tests {
  ipaddr = 127.0.0.0/8
  secret = ${SECRET}
}
thread pool {
  start_servers = 1
  max_servers = 2
  min_spare_servers = 1
  max_spare_servers = 2
  max_requests_per_server = 0
}
modules {
  always reject {
    rcode = reject
  }
  always ok {
    rcode = ok
  }
  linelog seen {
    filename = ${join(folder, 'seen.log')}
    format = "%{Packet-Type} %{3GPP-IMSI} %{Calling-Station-Id} %{Acct-Session-Id} %{Filter-Id} %{integer:Event-Timestamp}"
  }
}
server network {
  listen {
    type = coa
    ipaddr = ${HOST}
    port = ${port}
  }
  listen {
    type = acct
    ipaddr = ${HOST}
    port = ${accountingPort}
  }
  preacct {
    ok
  }
  accounting {
    seen
    ok
  }
  recv-coa {
    seen
    if (&3GPP-IMSI =~ /503$/) {
      update reply {
        Error-Cause := 503
      }
      reject
    }
    elsif (&3GPP-IMSI =~ /506$/) {
      update reply {
        Error-Cause := 506
      }
      reject
    }
    elsif (&3GPP-IMSI =~ /401$/) {
      update reply {
        Error-Cause := 401
      }
      reject
    }
    ok
  }
}
`;

export async function startAccessServer(): Promise<AccessServer> {
  const [port, accountingPort] = [await freeUdpPort(HOST), await freeUdpPort(HOST)];
  const folder = mkdtempSync(join(tmpdir(), 'linekeeper-access-'));
  writeFileSync(join(folder, 'radiusd.conf'), settingsOf(folder, port, accountingPort));
  let running: PeerProcess;
  const start = async () => {
    running = startPeer(PROGRAM, ['-f', '-l', 'stdout', '-d', folder]);
    const until = performance.now() + START_LIMIT_MS;
    while (!running.output().includes('Ready to process requests')) {
      if (performance.now() > until) throw new Error(`freeradius does not start: ${running.output()}`);
      await sleep(50);
    }
  };
  await start();
  return {
    address: `${HOST}:${port}`,
    accounting: `${HOST}:${accountingPort}`,
    process: () => running,
    kill: () => running.kill(),
    start,
    stop: () => running.stop(),
    goOn: () => running.goOn(),
    seen: () => readFileSync(join(folder, 'seen.log'), 'utf8').trimEnd().split('\n'),
    async remove() {
      await running.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
