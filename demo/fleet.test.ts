import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDeviceErrorType } from '../src/kernel/device-error.ts';
import { demoFleet } from './fleet.ts';
import { passesLuhn, vinCheck } from './identifiers.ts';

const NOW = new Date('2026-03-10T08:30:00Z');
const fleet = demoFleet(NOW);
const lines = fleet.devices.filter((device) => device.kind !== 'sensor');
const sensors = fleet.devices.filter((device) => device.kind === 'sensor');

const SECTIONS = [
  ...['profiles', 'accounts', 'clients', 'users', 'plans', 'ratePlanGroups', 'serviceableZips'],
  ...['subscriptions', 'licenses', 'devices', 'userProfiles', 'rules', 'managedAccounts', 'exclusions'],
  ...[
    'consents',
    'listeners',
    'usageTriggers',
    'pricePlanTriggers',
    'licenseAssignments',
    'notificationGroups',
  ],
];

const tally = (values: readonly string[]) =>
  Object.fromEntries([...Map.groupBy(values, (value) => value)].map(([value, all]) => [value, all.length]));
const unique = (values: readonly unknown[]) => new Set(values).size === values.length;

test('the same moment makes the same fleet', () => {
  assert.deepEqual(demoFleet(new Date(NOW)), fleet);
});

test('another moment changes dates and nothing else', () => {
  const withoutDates = (document: object) =>
    JSON.stringify(document).replaceAll(/\d{4}-\d{2}-\d{2}(T[\d:.]+Z)?/g, '');
  const later = demoFleet(new Date('2027-11-02T00:00:00Z'));
  assert.notDeepEqual(later, fleet);
  assert.equal(withoutDates(later), withoutDates(fleet));
});

test('nothing in the fleet happened in the future', () => {
  const dates = JSON.stringify(fleet).match(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g)!;
  assert.ok(dates.length > 200);
  assert.deepEqual(
    dates.filter((date) => new Date(date) > NOW),
    [],
  );
});

test('every section of the fleet document is present and filled', () => {
  assert.deepEqual(Object.keys(fleet).sort(), SECTIONS.toSorted());
  for (const [name, entries] of Object.entries(fleet)) assert.ok(entries.length > 0, name);
});

test('there are two profiles, five accounts and two hundred devices', () => {
  assert.equal(fleet.profiles.length, 2);
  assert.equal(fleet.accounts.length, 5);
  assert.equal(fleet.devices.length, 200);
  assert.deepEqual(tally(fleet.devices.map(({ kind }) => kind)), { device: 151, gateway: 8, sensor: 41 });
});

test('every account has devices, and each differs from the others in zone and bill cycle', () => {
  const owners = new Set(fleet.devices.map(({ accountName }) => accountName));
  assert.deepEqual([...owners].sort(), fleet.accounts.map(({ accountName }) => accountName).sort());
  assert.ok(unique(fleet.accounts.map(({ timeZone }) => timeZone)));
  assert.ok(unique(fleet.accounts.map(({ billCycleDay }) => billCycleDay)));
});

test('every kind of plan is sold, and every sold plan has a device on it', () => {
  assert.deepEqual(Object.keys(tally(fleet.plans.map(({ kind }) => kind))).sort(), [
    'payAsYouGo',
    'share',
    'unlimited',
  ]);
  const used = new Set(lines.map(({ servicePlan }) => servicePlan));
  for (const { code } of fleet.plans) assert.ok(used.has(code), code);
  assert.equal(fleet.ratePlanGroups[0]!.planCodes.length, 3);
});

test('IMEIs and ICCIDs pass the Luhn check and are of ranges that nobody has', () => {
  for (const { imei, iccid } of lines) {
    assert.match(imei, /^(00|99)\d{13}$/);
    assert.ok(passesLuhn(imei), imei);
    assert.match(iccid, /^89999\d{15}$/);
    assert.ok(passesLuhn(iccid), iccid);
  }
});

test('telephone numbers are fictional, and a line in service has one in both spellings', () => {
  for (const { state, mdn, msisdn, servicePlan } of lines) {
    const inService = state === 'active' || state === 'suspend';
    assert.equal(mdn !== undefined && servicePlan !== undefined, inService);
    if (mdn === undefined) continue;
    assert.match(mdn, /^[2-9]9\d55501\d\d$/);
    assert.equal(msisdn, `1${mdn}`);
  }
});

test('no identifier stands in the fleet twice', () => {
  for (const kind of ['imei', 'iccid', 'imsi', 'mdn', 'eid', 'mac', 'deveui']) {
    const values = fleet.devices.map((device) => (device as unknown as Record<string, string>)[kind]);
    assert.ok(unique(values.filter((value) => value !== undefined)), kind);
  }
  assert.ok(unique(fleet.devices.map(({ record }) => record.id)));
  assert.ok(unique(fleet.devices.map(({ record }) => record.name)));
});

test('vehicles carry a VIN that passes its check', () => {
  const vins = lines.flatMap(({ labels }) => labels.filter(({ name }) => name === 'VIN'));
  assert.equal(vins.length, 54);
  for (const { value } of vins) {
    assert.match(value, /^[A-HJ-NPR-Z0-9]{17}$/);
    assert.equal(vinCheck(value), value[8]);
  }
});

test('every sensor hangs on a gateway of its own account', () => {
  const gateways = new Map(lines.map((line) => [line.record.id, line]));
  for (const { accountName, record } of sensors) {
    const gateway = gateways.get(record.parentdeviceid);
    assert.deepEqual([gateway?.kind, gateway?.accountName], ['gateway', accountName]);
  }
  assert.ok(sensors.some(({ mac }) => mac) && sensors.some(({ deveui }) => deveui));
});

test('the fleet has each state and each way in which the network can let a device down', () => {
  assert.deepEqual(Object.keys(tally(lines.map(({ state }) => state))).sort(), [
    'active',
    'deactive',
    'pre-active',
    'suspend',
  ]);
  const simulations = lines.map(({ simulation }) => simulation);
  assert.ok(simulations.some(({ online }) => !online));
  assert.ok(simulations.some(({ delayMs }) => delayMs !== undefined));
  const errors = simulations.flatMap(({ error }) => error ?? []);
  assert.ok(errors.length > 0);
  for (const error of errors) assert.ok(parseDeviceErrorType(error), error);
});

test('one device is no IoT device, and one was activated by its SKU and never updated', () => {
  assert.equal(lines.filter(({ iot }) => iot === false).length, 1);
  assert.equal(lines.filter((line) => line.activatedBySku && line.otaUpdated === false).length, 1);
});

test('SKUs follow the prefix of the installation', () => {
  const skus = (prefix?: string) => {
    const { subscriptions, licenses, licenseAssignments, managedAccounts } = demoFleet(NOW, prefix);
    return JSON.stringify([subscriptions, licenses, licenseAssignments, managedAccounts]);
  };
  assert.equal(skus('ACME').includes('SVC-'), false);
  assert.equal(skus('ACME').replaceAll('ACME-', 'SVC-'), skus());
});
