import fc from 'fast-check';
import { ACCOUNT } from '../../support/fleet.ts';
import type { Body, OPERATIONS } from './reading.ts';

export const LINES = 12;
export const imei = (n: number) => `9944000000${String(n).padStart(5, '0')}`;
export const iccid = (n: number) => `891480000077${String(n).padStart(8, '0')}`;
/** A line in another account of the customer, and one of another customer. */
export const [MANAGEDS, STRANGERS] = [50, 60];

const PLACE = {
  address: { addressLine1: '1 Main St', city: 'Grapevine', state: 'TX', zip: '76051', country: 'US' },
  customerName: { firstName: 'A', lastName: 'B' },
};

const number = fc.oneof({ weight: 8, arbitrary: fc.nat(LINES - 1) }, fc.constantFrom(MANAGEDS, STRANGERS));
const byImei = number.map((n) => ({ id: imei(n), kind: 'imei' }));
const byIccid = number.map((n) => ({ id: iccid(n), kind: 'iccid' }));
const bare = fc.oneof(byImei, byIccid);
const ids = fc.oneof(
  bare.map((id) => [id]),
  number.map((n) => [
    { id: imei(n), kind: 'imei' },
    { id: iccid(n), kind: 'iccid' },
  ]),
);
const nothing = fc.constantFrom(null, []);
const whole = ids.map((deviceIds) => ({ deviceIds }));
const broken = fc.constantFrom<object>(
  {},
  { deviceIds: [] },
  { deviceIds: null },
  { id: imei(0) },
  { kind: 'imei' },
);
const entry = fc.oneof({ weight: 6, arbitrary: whole }, { weight: 4, arbitrary: bare }, broken);
const addressed = ids.chain((all) =>
  fc.constantFrom({ deviceIds: all, primaryPlaceOfUse: PLACE }, { deviceId: all, primaryPlaceOfUse: PLACE }),
);

const listOf = <T>(one: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 6, arbitrary: fc.array(one, { minLength: 1, maxLength: 3 }) }, nothing);
const plan = fc.oneof({ weight: 5, arbitrary: fc.constantFrom('P-A', 'P-B') }, fc.constantFrom(null, ''));

/** Each member may be absent. The ones that are most often valid are present most often. */
const MEMBERS: Readonly<Record<string, { readonly often: number; readonly value: fc.Arbitrary<unknown> }>> = {
  accountName: {
    often: 60,
    value: fc.oneof({ weight: 6, arbitrary: fc.constant(ACCOUNT) }, fc.constant(null)),
  },
  devices: { often: 30, value: listOf(entry) },
  deviceList: { often: 25, value: listOf(entry) },
  deviceIds: { often: 25, value: listOf(fc.oneof({ weight: 6, arbitrary: bare }, broken)) },
  deviceListWithServiceAddress: { often: 8, value: listOf(addressed) },
  currentServicePlan: { often: 20, value: plan },
  groupName: { often: 5, value: fc.constantFrom(null, '', 'g') },
  customFields: { often: 5, value: fc.constantFrom(null, [], [{ key: 'a', value: 'b' }]) },
  withBilling: { often: 10, value: fc.boolean() },
  takeEffect: { often: 5, value: fc.constant('2026-01-01') },
  carrierIpPoolName: { often: 5, value: fc.constantFrom('pool', null) },
};

const STRANGE = ['deviceLst', 'Devices', 'device', 'deviceId', 'filter', 'accounts', 'note', 'devices '];
const strange = fc.tuple(fc.constantFrom(...STRANGE), fc.oneof(listOf(entry), fc.constantFrom(null, 'x')));

/** The value in a list, or an empty list, so that a failing body shrinks to the members that it needs. */
const sometimes = (often: number, value: fc.Arbitrary<unknown>): fc.Arbitrary<readonly unknown[]> =>
  fc.oneof(
    { withCrossShrink: true },
    { weight: 100 - often, arbitrary: fc.constant([]) },
    { weight: often, arbitrary: value.map((given) => [given]) },
  );

/** Bodies of valid and invalid members that name lines, with the members that the operation requires. */
export const bodiesFor = ({ rest, target }: (typeof OPERATIONS)[string]): fc.Arbitrary<Body> =>
  fc
    .record({
      ...Object.fromEntries(
        Object.entries(MEMBERS).map(([name, { often, value }]) => [name, sometimes(often, value)]),
      ),
      servicePlan: sometimes(target ? 0 : 20, plan),
      strange: sometimes(12, strange),
    })
    .map(({ strange: odd, ...members }) => ({
      ...rest,
      ...Object.fromEntries((odd as [string, unknown][]).slice(0, 1)),
      ...Object.fromEntries(
        Object.entries(members).flatMap(([name, given]) =>
          (given as unknown[]).map((value) => [name, value]),
        ),
      ),
    }));
