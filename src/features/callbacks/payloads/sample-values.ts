/** What samples are made of: one account with one device, at one moment. All of it is made up. */
export const REQUEST_ID = '5c7d2b1e-0f43-4c38-9d6a-7f1f0a4f6b21';
export const TRIGGER_ID = 'b3f0c6d2-9a51-4f7e-8a0c-2d5e91c7a4f3';
export const DEVICE_UUID = 'e1a9d3f7-6b24-4c80-b5d1-93c2f8a07e64';
export const RULE_ID = '0d8f4a26-71c3-4be9-a2f5-6c19e7b3d850';
export const ACCOUNT = '0000123456-00001';
export const PLAN = 'IOT-5MB';
export const BIGGER_PLAN = 'IOT-50MB';
export const MOMENT = new Date('2026-03-04T15:16:17.000Z');
export const RESUMES = new Date('2026-04-03T15:16:17.000Z');

export const IMEI = { id: '353238063280152', kind: 'imei' };
export const ICCID = { id: '89148000005283219876', kind: 'iccid' };
export const MDN = { id: '5125550147', kind: 'mdn' };
export const MSISDN = { id: '15125550147', kind: 'msisdn' };
export const LINE = [
  MDN,
  { id: '311480000123456', kind: 'imsi' },
  ICCID,
  MSISDN,
  { id: '5125550147', kind: 'min' },
];

export const REQUEST = { requestId: REQUEST_ID, deviceIds: [IMEI, ICCID] };

export const TRIGGER = {
  requestId: REQUEST_ID,
  triggerId: TRIGGER_ID,
  triggerName: 'Pilot lines over 4 MB',
  firedAt: MOMENT,
  message: 'Usage of 4.2 MB is above 4 MB.',
};
