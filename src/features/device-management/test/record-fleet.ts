import { ACCOUNT, MANAGED, SMALL_FLEET } from '../../../../test/support/fleet.ts';

export const gatewayId = '7a6d0f5e-9f0a-4c55-8f0e-2f60c1f5a001';
export const sensorId = '7a6d0f5e-9f0a-4c55-8f0e-2f60c1f5a002';
export const tracker = {
  accountName: ACCOUNT,
  imei: '012345678901234',
  imsi: '310150123456789',
  esn: '18446744073709551615',
  iccid: '89148000000000000001',
  meid: 'A0000012345678',
  msisdn: '15550100003',
  deveui: '0011223344556677',
  nodeUuid: '7a6d0f5e-9f0a-4c55-8f0e-2f60c1f5a009',
  record: {
    name: 'tracker',
    manufacturer: 'Acme',
    productmodel: 'T-1',
    serial: 'S-1',
    qrcode: '4711',
    customdata: { site: { floor: 5, name: 'north' }, on: true },
    commands: { reboot: {} },
  },
};
/** A small fleet with records of every kind. */
export const RECORD_FLEET = {
  ...SMALL_FLEET,
  devices: [
    ...SMALL_FLEET.devices,
    tracker,
    {
      accountName: ACCOUNT,
      kind: 'gateway',
      mac: 'aa-bb-cc-dd-ee-ff',
      esn: '80A1B2C3',
      record: { id: gatewayId, name: 'gate' },
    },
    {
      accountName: ACCOUNT,
      kind: 'sensor',
      mac: '00:00:00:00:00:01',
      record: { id: sensorId, parentdeviceid: gatewayId.toUpperCase() },
    },
    ...[2, 3, 4, 5].map((n) => ({
      accountName: ACCOUNT,
      kind: 'sensor',
      mac: `00:00:00:00:00:0${n}`,
      record: { sku: 'S', customdata: { n } },
    })),
    { accountName: MANAGED, kind: 'sensor', mac: '00:00:00:00:00:09', record: { parentdeviceid: gatewayId } },
  ],
  userProfiles: [
    {
      accountName: ACCOUNT,
      email: 'ann@b.example',
      firstname: 'Ann',
      mdn: '5550100001',
      number: '5550100001',
    },
    { accountName: ACCOUNT, email: 'bob@b.example', ackterms: true, acktermson: '2026-01-01T00:00:00+01:00' },
    { accountName: MANAGED, email: 'eve@b.example' },
  ],
  rules: [
    {
      accountName: ACCOUNT,
      deviceImei: tracker.imei,
      name: 'hot',
      rulesyntax: 'json',
      rulechain: { field: 't', operator: 'gt', value: 30 },
    },
    {
      accountName: ACCOUNT,
      deviceImei: tracker.imei,
      name: 'camel',
      rulesyntax: 'camel',
      rulechain: { onEvent: 'x' },
    },
  ],
};
