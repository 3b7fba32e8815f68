import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { ConfigError, parseSettings } from './settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'linekeeper-network-'));
after(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'network.json');

function read(content: unknown) {
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return parseSettings({ LINEKEEPER_NETWORK: file }).network;
}

const hlr = { name: 'hlr-1', kind: 'osmo-hlr', address: '127.0.0.1:4259' };
const withoutRanges = { ...hlr, name: 'hlr-2' };
const range = (from: number, to: number) => `31148000000000${from}-31148000000000${to}`;

describe('the network file', () => {
  it('names elements, position sources and feeds, with secrets in it or in files next to it', () => {
    writeFileSync(join(folder, 'gw.secret'), 'from a file\n');
    const network = read({
      elements: [
        { ...hlr, imsi: ['311480000000000-311480999999999'] },
        {
          name: 'gw-1',
          kind: 'radius',
          address: '[::1]:3799',
          nasIdentifier: 'gw-1',
          secretFile: 'gw.secret',
        },
        {
          name: 'bss',
          kind: 'http',
          url: 'https://bss.example/lines',
          secret: 'whsec_c2VjcmV0',
          accounts: ['0000123456-00001'],
        },
      ],
      positions: [
        { name: 'gmlc', kind: 'mlp', url: 'http://127.0.0.1:9210/', client: 'linekeeper', password: 'p' },
      ],
      feeds: {
        radius: {
          listen: '127.0.0.1:1813',
          clients: [
            { address: '127.0.0.1/32', secret: 's' },
            { address: '192.0.2.7', secret: 't', swapDirections: true },
          ],
        },
        files: [{ folder: 'spool', mapping: 'mapping.json' }],
      },
    });
    assert.deepEqual(network?.elements[1], {
      name: 'gw-1',
      kind: 'radius',
      address: '[::1]:3799',
      nasIdentifier: 'gw-1',
      secret: 'from a file',
    });
    assert.deepEqual(network.feeds.files, [
      { name: 'files', folder: join(folder, 'spool'), mapping: join(folder, 'mapping.json') },
    ]);
    assert.deepEqual(network.feeds.radius?.clients, [
      { address: '127.0.0.1/32', secret: 's', swapDirections: false },
      { address: '192.0.2.7', secret: 't', swapDirections: true },
    ]);
    assert.equal(network.positions[0]?.name, 'gmlc');
  });

  it('may be empty or absent', () => {
    assert.deepEqual(read({}), { elements: [], positions: [], feeds: { files: [] } });
    assert.equal(parseSettings({}).network, undefined);
  });

  it('may give adjacent ranges to two registers, and the same range to elements of two kinds', () => {
    const network = read({
      elements: [
        { ...hlr, imsi: [range(0, 4)] },
        { ...hlr, name: 'hlr-2', imsi: [range(5, 9)] },
        { name: 'gw', kind: 'radius', address: 'gw.example:3799', secret: 's', imsi: [range(0, 9)] },
      ],
    });
    assert.equal(network?.elements.length, 3);
  });

  const wrong: readonly (readonly [what: string, content: unknown, says: RegExp])[] = [
    ['is not JSON', '{', /not valid JSON/],
    ['is not an object', [], /the file must be an object/],
    ['has an unknown key', { element: [] }, /the file has an unknown key: element\./],
    [
      'has an unknown kind',
      { elements: [{ ...hlr, kind: 'hlr' }] },
      /element hlr-1 has the unknown kind hlr; known are/,
    ],
    [
      'has a kind from the prototype',
      { elements: [{ ...hlr, kind: 'constructor' }] },
      /unknown kind constructor/,
    ],
    [
      'has an unknown key of an element',
      { elements: [{ ...hlr, port: 1 }] },
      /element hlr-1 has an unknown key: port/,
    ],
    ['has no address', { elements: [{ name: 'a', kind: 'osmo-hlr' }] }, /element a has no address/],
    [
      'has an address without port',
      { elements: [{ ...hlr, address: 'host' }] },
      /hlr-1\/address must be a host and a port/,
    ],
    [
      'has a port beyond the last',
      { elements: [{ ...hlr, address: 'host:70000' }] },
      /no port from 1 to 65535/,
    ],
    [
      'has an invalid address',
      { elements: [{ name: 'b', kind: 'http', url: 'http://[', secret: 's' }] },
      /not a valid address/,
    ],
    [
      'has another protocol',
      { elements: [{ name: 'b', kind: 'http', url: 'ftp://b', secret: 's' }] },
      /begins with http/,
    ],
    [
      'has no secret',
      { elements: [{ name: 'b', kind: 'http', url: 'http://b' }] },
      /neither secret nor secretFile/,
    ],
    [
      'has two secrets',
      { elements: [{ name: 'b', kind: 'http', url: 'http://b', secret: 's', secretFile: 'f' }] },
      /has both secret/,
    ],
    [
      'names a missing secret file',
      { elements: [{ name: 'b', kind: 'http', url: 'http://b', secretFile: 'none' }] },
      /secretFile of element b cannot be read \(ENOENT\)/,
    ],
    [
      'has a reserved name',
      { elements: [{ ...hlr, name: 'orders' }] },
      /element orders has a name that is reserved/,
    ],
    ['has a name twice', { elements: [hlr, hlr] }, /element hlr-1 is listed twice/],
    [
      'has a reversed range',
      { elements: [{ ...hlr, imsi: [range(5, 1)] }] },
      /does not go from a lower to a higher/,
    ],
    [
      'has a range of two lengths',
      { elements: [{ ...hlr, imsi: ['311480-3114801'] }] },
      /of the same length/,
    ],
    [
      'has a secret that cannot sign',
      { elements: [{ name: 'b', kind: 'http', url: 'http://b', secret: 's' }] },
      /the secret of element b must be whsec_ and base64/,
    ],
    [
      'has overlapping ranges of two registers',
      {
        elements: [
          { ...hlr, imsi: [range(0, 7)] },
          { ...hlr, name: 'hlr-2', imsi: [range(9, 9), range(7, 8)] },
        ],
      },
      /imsi ranges \S+ of element hlr-1 and \S+ of element hlr-2 overlap/,
    ],
    [
      'has a register without ranges beside one with ranges',
      { elements: [{ ...hlr, imsi: [range(0, 7)] }, withoutRanges] },
      /the elements hlr-1 and hlr-2 would both serve some lines: give each its own imsi ranges/,
    ],
    [
      'has two registers without ranges for one account',
      {
        elements: [
          { ...withoutRanges, name: 'hlr-1', accounts: ['1-1', '1-2'] },
          { ...withoutRanges, accounts: ['1-2'] },
        ],
      },
      /the elements hlr-1 and hlr-2 would both serve some lines/,
    ],
    [
      'has a feed with directions of text',
      {
        feeds: {
          radius: {
            listen: '127.0.0.1:1813',
            clients: [{ address: '127.0.0.1', secret: 's', swapDirections: 'no' }],
          },
        },
      },
      /swapDirections must be true or false/,
    ],
    [
      'has one folder for two feeds',
      {
        feeds: {
          files: [
            { folder: 'spool', mapping: 'a.json' },
            { folder: './spool/', mapping: 'b.json' },
          ],
        },
      },
      /the feeds files and files-2 have the same folder/,
    ],
    [
      'has a timeout of text',
      { positions: [{ name: 'p', kind: 'http', url: 'http://p', secret: 's', timeoutMs: '5' }] },
      /a whole number from 100 to 60000/,
    ],
  ];
  for (const [what, content, says] of wrong)
    it(`stops the start with one sentence when it ${what}`, () => {
      assert.throws(
        () => read(content),
        (error: unknown) => {
          assert.ok(error instanceof ConfigError);
          assert.match(error.message, says);
          assert.match(error.message, /^LINEKEEPER_NETWORK \(.*\): .*\.$/);
          return true;
        },
      );
    });

  it('stops the start when it is missing', () => {
    assert.throws(
      () => parseSettings({ LINEKEEPER_NETWORK: join(folder, 'none.json') }),
      /cannot be read \(ENOENT\)/,
    );
  });
});
