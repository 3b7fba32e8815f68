import assert from 'node:assert/strict';
import type { OutsideClient } from '../outside-client.ts';
import type { Tenant } from '../tenants.ts';
import type { Diary, Written } from './diary.ts';

/** A percentage that is never reached: this trigger exists only to be changed. */
const NEVER = '1000';

async function write(client: OutsideClient, tenant: Tenant, method: string, path: string, body: object) {
  const answer = await client.asUser(tenant, { method, path, body });
  assert.equal(answer.status, 200, `${method} ${path}: ${answer.text}`);
  return answer.json;
}

/**
 * Creates a user profile and a usage trigger of the tenant, then changes them again and again. Each change must give the current
 * version, so a lost or repeated change is refused or visible in the response.
 */
export async function writeRecords(client: OutsideClient, diary: Diary, tenant: Tenant): Promise<void> {
  const { accountName } = tenant;
  const known: Written | undefined = diary.written.get(tenant.n);
  const nth = (known?.nth ?? 0) + 1;
  const profile = known?.profile;
  const user = { email: 'owner@example.com', description: `written ${nth}`, customdata: { nth } };
  const written = await write(client, tenant, profile === undefined ? 'POST' : 'PATCH', '/dm/v1/users', {
    accountname: accountName,
    ...(profile === undefined ? {} : { id: profile.id, versionid: profile.versionid }),
    user,
  });
  if (profile !== undefined)
    assert.equal(Number(written.version), Number(profile.version) + 1, 'a change is made once');
  const path = '/subsc/v1/usage/triggers';
  const { triggerId } = await write(
    client,
    tenant,
    'POST',
    known === undefined ? path : `${path}/${known.triggerId}`,
    {
      accountName,
      triggerName: `written ${nth}`,
      ...(known === undefined && { serviceName: 'fota', thresholdValue: NEVER }),
    },
  );
  const { id, version, versionid } = written;
  diary.written.set(tenant.n, { profile: { id, version, versionid }, triggerId, nth });
}
