import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listRoutes } from '../support/routes.ts';
import { makeWorld, OPERATOR_KEY } from '../support/world.ts';

const { api } = await makeWorld();
const routes = (await listRoutes()).filter(({ method }) => method === 'GET');

/** A name that does not exist. */
const addressOf = (url: string): string => url.replaceAll(/:\w+/g, '0000000000-00000');

describe('HEAD', () => {
  it('has routes to check', () => assert.ok(routes.length > 50));

  for (const { url } of routes)
    it(`is answered like GET: ${url}`, async () => {
      for (const headers of [{}, { authorization: `Bearer ${OPERATOR_KEY}` }]) {
        const ask = (method: 'GET' | 'HEAD') => api.inject({ method, url: addressOf(url), headers });
        const [asked, told] = [await ask('HEAD'), await ask('GET')];
        assert.equal(asked.statusCode, told.statusCode);
        assert.equal(asked.headers['content-type'], told.headers['content-type']);
        assert.equal(asked.body, '');
      }
    });
});
