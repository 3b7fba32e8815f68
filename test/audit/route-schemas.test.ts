import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listRoutes } from '../support/routes.ts';

const routes = await listRoutes();

/** The interface has a separate error if it is absent. */
const NEEDS_ACCOUNT = ['POST /m2m/v1/accounts/subscriptions/actions/list'];

const bodyOf = ({ schema }: (typeof routes)[number]) =>
  schema?.body as { properties?: object; required?: readonly string[] } | undefined;

describe('the schemas of routes', () => {
  // proves requests/account-not-named
  it('of m2m with an account in the body allow its absence if the session has only one', () => {
    const having = routes.filter(
      (route) => /^\/(m2m\/|v[12]\/)/.test(route.url) && 'accountName' in (bodyOf(route)?.properties ?? {}),
    );
    assert.ok(having.length > NEEDS_ACCOUNT.length);
    const needing = having.filter((route) => {
      const access = route.config?.access;
      const mayBeAbsent = access?.kind === 'account' && access.mayBeAbsent;
      return !mayBeAbsent || bodyOf(route)?.required?.includes('accountName');
    });
    assert.deepEqual(
      needing.map(({ method, url }) => `${method} ${url}`),
      NEEDS_ACCOUNT,
    );
  });

  it('have a unique operationId, a summary and a response schema', () => {
    const schemas = routes.map(
      ({ schema }) => schema as { operationId?: string; summary?: string; response?: object },
    );
    const ids = schemas.map((schema) => schema?.operationId);
    assert.equal(new Set(ids).size, routes.length);
    const bare = routes.filter(({ url }, i) => {
      const schema = schemas[i];
      // The export streams its document instead of serialising it.
      return !schema?.summary || (!schema.response && !url.endsWith('/export'));
    });
    assert.deepEqual(
      bare.map(({ url }) => url),
      [],
    );
  });
});
