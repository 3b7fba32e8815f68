import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ACCOUNT, asUser, SMALL_FLEET } from '../../../../test/support/fleet.ts';
import { openListener } from '../../../../test/support/listener.ts';
import { makeWorld } from '../../../../test/support/world.ts';

const world = await makeWorld();
await world.import(SMALL_FLEET);
const { call } = await asUser(world);
const listener = await openListener(200);

/** Listed again here, so that a name missing in the code is noticed. */
const NAMES = [
  'AlertService',
  'CarrierService',
  'DevicePRLInformation',
  'DeviceProfileService',
  'DeviceService',
  'DeviceSuspensionStatus',
  'DeviceUsage',
  'DiagnosticsService',
  'EnhancedConnectivityService',
  'ExternalProvisioningChanges',
  'IntelligenceService',
  'NiddService',
  'PromoChanges',
  'ResumeTrackingNotification',
  'SMSDeliveryConfirmation',
  'StateService',
  'SubscriptionNotificationService',
];

describe('a callback service', () => {
  for (const name of NAMES) {
    // proves 6.1/AlertService 6.1/CarrierService 6.1/DeviceSuspensionStatus 6.1/DeviceUsage
    // proves 6.1/ExternalProvisioningChanges 6.1/ResumeTrackingNotification 6.1/SubscriptionNotificationService
    // proves 6.1/DevicePRLInformation 6.1/DeviceProfileService 6.1/DeviceService 6.1/DiagnosticsService
    // proves 6.1/EnhancedConnectivityService 6.1/IntelligenceService 6.1/NiddService 6.1/PromoChanges
    // proves 6.1/SMSDeliveryConfirmation 6.1/StateService
    it(`${name} is registered, listed and delivered`, async () => {
      const registered = await call('POST', `/fota/v1/callbacks/${ACCOUNT}`, { name, url: listener.url });
      assert.equal(registered.statusCode, 200, registered.body);
      const listed = (await call('GET', `/fota/v1/callbacks/${ACCOUNT}`)).json() as { serviceName: string }[];
      assert.ok(listed.some(({ serviceName }) => serviceName === name));
      const event = { accountName: ACCOUNT, serviceName: name, payload: { of: name } };
      const { requestId } = (await world.operator('POST', '/events', event)).json();
      await world.delivery.settle();
      const heard = listener.heard.filter(({ body }) => body['requestId'] === requestId);
      assert.deepEqual(
        heard.map(({ body }) => body['of']),
        [name],
      );
    });
  }

  // proves 6.1/reserved-names
  for (const name of ['DevicePromoUsage', 'PmecService', 'VIPCallbackSerivce'])
    it(`${name} is reserved and cannot be registered`, async () => {
      const answer = await call('POST', `/fota/v1/callbacks/${ACCOUNT}`, { name, url: listener.url });
      assert.equal(answer.statusCode, 400);
    });
});
