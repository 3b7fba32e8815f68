import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { freeLoopback, untilListening } from './addresses.ts';
import { isInstalled, type PeerProcess, startPeer } from './peer-process.ts';

const CONTROL_PORT = 4259;
const PORTS = [CONTROL_PORT, 4258, 4222];
const PROGRAM = 'osmo-hlr';

/** A reason to skip the tests, or false. */
export const registerIsMissing = isInstalled(PROGRAM) ? false : 'osmo-hlr is not installed';

export interface RegisterLine {
  readonly imsi: string;
  readonly msisdn: string | null;
  readonly circuit: boolean;
  readonly packet: boolean;
}

/** A real register on its own loopback address, with its SQLite file in a folder that is deleted with it. */
export interface Register {
  /** The address of its control interface. */
  readonly address: string;
  readonly process: () => PeerProcess;
  /** Like `kill -9`; `start` runs it again on the same file. */
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): void;
  goOn(): void;
  /** Writes to its file directly, while it is not running: a hundred thousand lines take a second. */
  seed(lines: readonly Partial<RegisterLine>[]): void;
  /** The content of its file, in the order of IMSIs. */
  lines(): readonly RegisterLine[];
  /** Kills it and deletes its file. */
  remove(): Promise<void>;
}

const settingsOf = (host: string, folder: string) => `log stderr
 logging level set-all error
line vty
 bind ${host}
ctrl
 bind ${host}
hlr
 database ${join(folder, 'hlr.db')}
 gsup
  bind ip ${host}
`;

/** The register creates the file at its first start. */
export async function startRegister(): Promise<Register> {
  const host = await freeLoopback(PORTS);
  const folder = mkdtempSync(join(tmpdir(), 'linekeeper-register-'));
  const [settings, file] = [join(folder, 'hlr.cfg'), join(folder, 'hlr.db')];
  writeFileSync(settings, settingsOf(host, folder));
  let running: PeerProcess;
  const start = async () => {
    running = startPeer(PROGRAM, ['-c', settings]);
    await untilListening(host, CONTROL_PORT).catch((error) => {
      throw new Error(`the register does not start: ${running.output()}`, { cause: error });
    });
  };
  await start();
  return {
    address: `${host}:${CONTROL_PORT}`,
    process: () => running,
    kill: () => running.kill(),
    start,
    stop: () => running.stop(),
    goOn: () => running.goOn(),
    seed: (lines) => seedLines(file, lines),
    lines: () => readLines(file),
    async remove() {
      await running.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function seedLines(file: string, lines: readonly Partial<RegisterLine>[]): void {
  const db = new DatabaseSync(file);
  const insert = db.prepare('insert into subscriber (imsi, msisdn, nam_cs, nam_ps) values (?, ?, ?, ?)');
  db.exec('begin');
  for (const { imsi, msisdn = null, circuit = true, packet = true } of lines)
    insert.run(imsi!, msisdn, Number(circuit), Number(packet));
  db.exec('commit');
  db.close();
}

function readLines(file: string): RegisterLine[] {
  const db = new DatabaseSync(file, { readOnly: true });
  const rows = db.prepare('select imsi, msisdn, nam_cs, nam_ps from subscriber order by imsi').all() as {
    imsi: string;
    msisdn: string | null;
    nam_cs: number;
    nam_ps: number;
  }[];
  db.close();
  return rows.map(({ imsi, msisdn, nam_cs, nam_ps }) => ({
    imsi,
    msisdn,
    circuit: nam_cs === 1,
    packet: nam_ps === 1,
  }));
}
