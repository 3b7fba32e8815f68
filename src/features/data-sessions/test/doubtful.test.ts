import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SessionReport } from '../index.ts';
import { ACCOUNT, at, imeiOf, makeSessionWorld, report, STRANGER } from './scene.ts';

const world = await makeSessionWorld();
const taker = world.taker();

type Said = [kind: SessionReport['kind'] | 'restart', minute: number, input?: number, chargingId?: number];
let sessions = 0;

/** The bytes that a session id counts, and those that are doubtful, after messages in the order of their arrival. */
async function countedOf(said: readonly Said[]): Promise<readonly [number, number]> {
  const nas = `gw-${++sessions}`;
  const before = await world.total();
  const left = [...said];
  while (left.length > 0) {
    const next = left.findIndex(([kind]) => kind === 'restart');
    const some = left.splice(0, next === 0 ? 1 : next < 0 ? left.length : next);
    await Promise.all(
      some.map(([kind, minute, input = 0, chargingId]) => {
        const given = { n: 0, nas, sessionId: 'again', atMs: at(minute), input, chargingId };
        return taker.take(kind === 'restart' ? { kind, nas, atMs: at(minute) } : report({ ...given, kind }));
      }),
    );
  }
  await taker.closed();
  const listed = await list(`accountName=${ACCOUNT}`);
  const doubtful = listed.filter((one) => one.nas === nas).reduce((sum, { bytes }) => sum + bytes, 0);
  return [(await world.total()) - before, doubtful];
}

interface Listed {
  readonly nas: string;
  readonly bytes: number;
  readonly recordId: string;
}

async function list(query: string): Promise<Listed[]> {
  const all: Listed[] = [];
  for (let page: string | undefined = ''; page !== undefined; ) {
    const answer = await world.operator('GET', `/usage/doubtful?limit=2&${query}${page}`);
    assert.equal(answer.statusCode, 200, answer.body);
    all.push(...answer.json());
    const next = answer.headers['x-next'];
    page = next === undefined ? undefined : `&page=${next}`;
  }
  return all;
}

describe('a session id that is used again', () => {
  // proves usage/sessions-without-charging-ids
  // proves usage/late-restarts
  for (const [what, said, expected] of [
    [
      'starts in the second of the Stop before',
      [
        ['stop', 1, 1_000],
        ['start', 1],
        ['stop', 2, 800],
      ],
      1_800,
    ],
    [
      'starts in the second of a Stop that is overtaken',
      [
        ['interim', 0, 900],
        ['start', 1],
        ['stop', 1, 1_000],
        ['stop', 2, 800],
      ],
      1_800,
    ],
    [
      'has a Start that is overtaken',
      [
        ['stop', 1, 1_000],
        ['interim', 3, 700],
        ['start', 2],
        ['stop', 4, 800],
      ],
      1_800,
    ],
    [
      'has a Stop and a Start that are overtaken',
      [
        ['interim', 1, 300],
        ['interim', 4, 700],
        ['stop', 2, 400],
        ['start', 3],
      ],
      1_100,
    ],
    [
      'follows a restart that is overtaken',
      [
        ['interim', 1, 300],
        ['interim', 3, 700],
        ['restart', 2],
        ['stop', 4, 900],
      ],
      1_200,
    ],
    [
      'follows a restart that is overtaken by its last report',
      [
        ['interim', 1, 300],
        ['stop', 3, 700],
        ['restart', 2],
      ],
      1_000,
    ],
    [
      'has a first report that is overtaken by one after the next restart',
      [
        ['interim', 1, 300],
        ['restart', 2],
        ['restart', 4],
        ['interim', 5, 200],
        ['interim', 3, 700],
      ],
      1_200,
    ],
    [
      'has a first report before the last restart',
      [
        ['restart', 4],
        ['interim', 5, 200],
        ['interim', 3, 700],
      ],
      900,
    ],
    [
      'has a charging id in some of its reports',
      [
        ['start', 1],
        ['interim', 2, 500, 77],
        ['stop', 3, 700],
      ],
      700,
    ],
    [
      'has another charging id each time',
      [
        ['stop', 2, 500, 1],
        ['stop', 2, 700, 2],
        ['interim', 1, 400, 1],
      ],
      1_200,
    ],
  ] as const satisfies readonly (readonly [string, readonly Said[], number])[])
    it(`counts each use once, and no byte is doubtful, if it ${what}`, async () => {
      assert.deepEqual(await countedOf(said), [expected, 0]);
    });

  // proves usage/doubtful-usage
  it('counts a report in full, and lists it, if two uses may have sent it', async () => {
    const said: readonly Said[] = [
      ['interim', 1, 900],
      ['start', 2],
      ['interim', 2, 1_000],
    ];
    assert.deepEqual(await countedOf(said), [2_000, 1_100]);
  });

  // proves usage/repeated-stops
  it('counts a Stop once that an access server without a clock of its own sends again', async () => {
    const nas = 'no-clock';
    const before = await world.total();
    for (const ms of [0, 400, 900])
      await taker.take(report({ nas, sessionId: 'again', kind: 'stop', atMs: at(1) + ms, input: 600 }));
    assert.equal((await world.total()) - before, 600);
  });

  it('counts every use when there are many, and a repeated report of a forgotten one as doubtful, once', async () => {
    const many: Said[] = Array.from({ length: 40 }, (_, n): Said[] => [
      ['start', 2 * n],
      ['interim', 2 * n, 50],
      ['stop', 2 * n + 1, 100],
    ]).flat();
    assert.deepEqual(await countedOf(many), [4_000, 0]);
    const again: Said = ['stop', 1, 100];
    assert.deepEqual(await countedOf([...many, again, again]), [4_100, 100]);
  });
});

describe('the list of doubtful usage', () => {
  // proves usage/doubtful-usage
  it('names the line, the session and the record, newest first, in pages, and can be narrowed to an account', async () => {
    const said: readonly Said[] = [
      ['interim', 1, 900],
      ['start', 2],
      ['interim', 2, 1_000],
    ];
    for (let n = 0; n < 3; n++) await countedOf(said);
    const all = await list('');
    assert.deepEqual(await list(`accountName=${ACCOUNT}`), all);
    assert.deepEqual(await list(`accountName=${STRANGER}`), []);
    assert.equal(new Set(all.map(({ recordId }) => recordId)).size, all.length);
    const [newest] = all.filter(({ nas }) => nas === `gw-${sessions}`);
    assert.deepEqual(
      { ...newest, recordId: '', noticedAt: '' },
      {
        accountName: ACCOUNT,
        device: imeiOf(0),
        nas: `gw-${sessions}`,
        sessionId: 'again',
        chargingId: null,
        at: new Date(at(2)).toISOString(),
        bytes: 1_100,
        recordId: '',
        noticedAt: '',
      },
    );
    const refused = await world.operator('GET', '/usage/doubtful?page=bm8');
    assert.equal(refused.statusCode, 400);
  });
});
