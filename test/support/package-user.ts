import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Code of a user of the package: correct and wrong uses, in strict TypeScript. */
const PROGRAM = `
import { type Body, createClient, createOperatorClient, LinekeeperError, list } from 'linekeeper';
import asyncApi from 'linekeeper/asyncapi.json' with { type: 'json' };
import { type CallbackPayload, callbackHandler, verifyCallback } from 'linekeeper/callbacks';
import openApi from 'linekeeper/openapi.json' with { type: 'json' };
import { type Sandbox, startSandbox } from 'linekeeper/testing';

export const filter: Body<'POST /m2m/v1/devices/actions/list'> = { accountName: 'a' };
const PLANS = 'GET /m2m/v1/plans/{accountName}';

export async function use(baseUrl: string, operatorKey: string) {
  const operator = createOperatorClient({ baseUrl, operatorKey });
  const accounts: string[] = [];
  for await (const account of list(operator, 'GET /operator/v1/accounts')) accounts.push(account.accountName);
  const client = createClient({
    ...{ baseUrl, clientId: 'demo-app', clientSecret: 'demo-app-secret' },
    ...{ username: 'demo-user', password: 'demo-user-password' },
  });
  const { status, headers, data } = await client.request(PLANS, { path: { accountName: '0000700001-00001' } });
  const type: string | null = headers.get('content-type');
  const codes: string[] = data.map(({ code }) => code);
  const refused = await client.call(PLANS, { path: { accountName: 'none' } }).catch((error: unknown) =>
    error instanceof LinekeeperError ? error.kind : 'of another kind',
  );
  await client.logOut();
  const named: string[] = [openApi.info.title, asyncApi.info.title];
  return { accounts, status, type, plans: codes.length > 0, refused, named, heard: await hear({}, '{}') };
}

export async function hear(headers: Record<string, string>, rawBody: string) {
  const secret = 'whsec_c2VjcmV0';
  const verdict = await verifyCallback<CallbackPayload<'CarrierService'>>({ headers, rawBody, secret });
  if (!verdict.valid) return verdict.reason;
  const { payload } = verdict.callback;
  return payload.status === 'Failed' ? payload.faultResponse.faultcode : payload.deviceResponse;
}

export const handler = callbackHandler<CallbackPayload<'Location'>>({
  secret: '',
  // @ts-expect-error: not every message of the service has it
  onCallback: ({ payload }) => payload.trigger,
});
export const anyHandler = callbackHandler({ secret: '', onCallback: ({ payload }) => payload['member'] });

export const open = (): Promise<Sandbox> => startSandbox({ demo: true });
export const subjects = async (sandbox: Sandbox): Promise<(string | null)[]> =>
  (await sandbox.mail({ subject: /4 MB/ })).map(({ subject }) => subject);

export async function misuse(client: ReturnType<typeof createClient>) {
  // @ts-expect-error: there is no such call
  await client.call('GET /m2m/v1/nothing');
  // @ts-expect-error: it needs a path
  await client.call(PLANS);
  // @ts-expect-error: a sandbox has no such option
  await startSandbox({ demoo: true });
  // @ts-expect-error: an operator's call needs an operator's key
  await client.call('GET /operator/v1/accounts');
}
`;
const IMPORTED_JSON = /^import (\w+) from ('[^']+\.json').*$/gm;

const OPTIONS = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  module: 'nodenext',
  target: 'es2023',
  types: [],
  noEmitOnError: true,
};

/** With the language's types only, and with those of browsers. */
const LIBRARIES = { bare: ['es2023'], dom: ['es2023', 'dom'] };

/** Writes the program as a module and for CommonJS, compiles both, and returns the compiler's output. */
export async function compileUser(home: string): Promise<string> {
  const folder = join(home, 'user');
  mkdirSync(folder);
  writeFileSync(join(folder, 'module.mts'), PROGRAM);
  writeFileSync(join(folder, 'common.cts'), PROGRAM.replaceAll(IMPORTED_JSON, 'import $1 = require($2);'));
  const said = Object.entries(LIBRARIES).map(([name, lib]) => {
    const config = join(folder, `${name}.json`);
    const compilerOptions = { ...OPTIONS, lib };
    writeFileSync(config, JSON.stringify({ compilerOptions, files: ['module.mts', 'common.cts'] }));
    return compile(config);
  });
  return (await Promise.all(said)).join('');
}

const compile = (config: string): Promise<string> =>
  new Promise((done) => {
    const args = [resolve('node_modules/typescript/bin/tsc'), '-p', config];
    execFile(process.execPath, args, { timeout: 60_000 }, (error, stdout) =>
      done(error === null ? stdout : `${stdout}${error.message}\n`),
    );
  });
