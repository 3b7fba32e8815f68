import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEVICE_ID_KINDS, parseDeviceId } from '../src/kernel/device-id.ts';
import * as identifiers from './identifiers.ts';

test('a check digit is accepted only where it is right', () => {
  assert.equal(identifiers.passesLuhn('79927398713'), true);
  for (const last of '012456789') assert.equal(identifiers.passesLuhn(`7992739871${last}`), false, last);
});

test('every made-up identifier has the shape of its kind', () => {
  const made = {
    imei: identifiers.imeiOf('99710011', 1),
    iccid: identifiers.iccidOf(1),
    imsi: identifiers.imsiOf(1),
    mdn: identifiers.mdnOf('397', 0),
    eid: identifiers.eidOf(1),
    mac: identifiers.macOf(1),
    deveui: identifiers.deveuiOf(1),
  };
  for (const kind of DEVICE_ID_KINDS) {
    const value = (made as Record<string, string>)[kind];
    if (value !== undefined) assert.deepEqual(parseDeviceId(kind, value), { kind, value });
  }
  assert.deepEqual([made.imei.length, made.iccid.length, made.imsi.length], [15, 20, 15]);
});

test('an EID is 1 modulo 97, as its check digits promise', () => {
  for (const serial of [1, 2, 97, 98, 123_456]) assert.equal(BigInt(identifiers.eidOf(serial)) % 97n, 1n);
});

test('the check digit of a vehicle number is the published one', () => {
  assert.equal(identifiers.vinCheck('1M8GDM9A_KP042788'.replace('_', '0')), 'X');
  assert.equal(identifiers.vinCheck('11111111111111111'), '1');
});

test('an area runs out of fictional numbers with an error, not with a real number', () => {
  assert.equal(identifiers.mdnOf('397', 99), '3975550199');
  assert.throws(() => identifiers.mdnOf('397', 100), /no fictional number left/);
});
