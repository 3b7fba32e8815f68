import type { Command } from 'commander';
import { createClient, createOperatorClient, LinekeeperError } from '../../sdk/index.ts';
import { ask } from '../ask.ts';
import { failureOf, wrongUsage } from '../failure.ts';
import { nodeFetch } from '../open-request.ts';
import { printLines, printOutcome } from '../print.ts';
import { DEFAULT_PROFILE, type Profile, profilesFile, readProfiles, writeProfiles } from '../profiles.ts';
import { type GlobalOptions, type Run, runOf } from '../run.ts';
import { checkKey, findOperator, findUrl, userVariables } from '../settings.ts';

interface LoginOptions extends GlobalOptions {
  readonly clientId?: string;
  readonly username?: string;
  readonly sessionHeader?: string;
}

const NAME = /^[\w.-]{1,64}$/;

async function userOf({ around, options }: Run<LoginOptions>): Promise<Partial<Profile>> {
  const variables = userVariables(around);
  const clientId = options.clientId ?? variables.clientId;
  const username = options.username ?? variables.username;
  if (clientId === undefined && username === undefined) return {};
  const { sessionHeader } = options;
  return {
    clientId: clientId ?? (await ask(around, 'Client id')),
    clientSecret: variables.clientSecret ?? (await ask(around, 'Client secret', { hidden: true })),
    username: username ?? (await ask(around, 'User name')),
    password: variables.password ?? (await ask(around, 'Password', { hidden: true })),
    ...(sessionHeader !== undefined && { sessionHeader }),
  };
}

/** The key given or found in a data folder. Asks for it if there is no user either. */
async function keyOf(run: Run, hasUser: boolean): Promise<Partial<Profile>> {
  try {
    return { operatorKey: findOperator(run).key };
  } catch (error) {
    if (hasUser) return {};
    if (!run.around.stdin.isTTY) throw error;
    return { operatorKey: checkKey(await ask(run.around, 'Operator key', { hidden: true }), 'your answer') };
  }
}

/** A key without access to the clock is still valid, because the service recognised it. */
async function check(profile: Profile, { timeout = 30 }: GlobalOptions): Promise<void> {
  const { url: baseUrl, operatorKey, clientId, clientSecret, username, password, sessionHeader } = profile;
  const connection = { baseUrl, fetch: nodeFetch(), timeoutMs: timeout * 1_000 };
  if (operatorKey !== undefined)
    await createOperatorClient({ ...connection, operatorKey })
      .call('GET /operator/v1/clock')
      .catch((error: unknown) => {
        if (!(error instanceof LinekeeperError) || error.status !== 403) throw error;
      });
  if (!clientId || !clientSecret || !username || !password) return;
  const client = createClient({ ...connection, clientId, clientSecret, username, password, sessionHeader });
  await client.logIn().catch((error: unknown) => {
    // A refused login is a 400; for scripts it counts the same as a wrong key.
    throw error instanceof LinekeeperError && error.kind === 'refused'
      ? Object.assign(failureOf(error), { reason: 'notAllowed' })
      : error;
  });
  await client.logOut();
}

async function logIn(given: string | undefined, _: object, command: Command): Promise<void> {
  const run = runOf<LoginOptions>(command);
  const { around, options } = run;
  const name = given ?? options.profile ?? DEFAULT_PROFILE;
  if (!NAME.test(name))
    throw wrongUsage(
      `'${name}' cannot be a profile: its name is letters, digits, dot, dash and underscore, such as staging`,
    );
  // Fields of an older profile with this name must not end up in the new one.
  const { profile: _old, ...withoutProfile } = options;
  const own = { ...run, options: withoutProfile };
  const user = await userOf(run);
  const hasUser = Object.keys(user).length > 0;
  const profile = { url: findUrl(own).href, ...(await keyOf(own, hasUser)), ...user };
  await check(profile, options);
  writeProfiles(around, { ...readProfiles(around), [name]: profile });
  const as = [profile.operatorKey && 'its operator', profile.username].filter(Boolean).join(' and ');
  printOutcome(
    run,
    {
      profile: name,
      url: profile.url,
      operator: 'operatorKey' in profile,
      username: profile.username ?? null,
    },
    `Profile ${name} is stored in ${profilesFile(around)}: ${profile.url} as ${as}.`,
  );
}

function logOut(given: string | undefined, _: object, command: Command): void {
  const run = runOf(command);
  const name = given ?? run.options.profile ?? DEFAULT_PROFILE;
  const { [name]: removed, ...others } = readProfiles(run.around);
  if (removed === undefined) throw wrongUsage(`There is no profile ${name}; linekeeper profiles lists them`);
  writeProfiles(run.around, others);
  printOutcome(run, { profile: name, removed: true }, `Profile ${name} is removed.`);
}

function listProfiles(_: object, command: Command): void {
  const run = runOf(command);
  const profiles = Object.entries(readProfiles(run.around)).map(([name, { url, operatorKey, username }]) => ({
    profile: name,
    url,
    operator: operatorKey !== undefined,
    username: username ?? null,
  }));
  const lines = profiles.map(({ profile, url, operator, username }) =>
    [profile, url, operator ? 'operator' : '', username ?? ''].filter(Boolean).join('  '),
  );
  printLines(run, profiles, lines);
}

export function addLogin(program: Command): void {
  program
    .command('login')
    .description(
      'Checks your credentials with a service and stores them as a profile that only you can read: the operator key, or an ' +
        'application and a user, or both. It asks for secrets, or reads them from LINEKEEPER_OPERATOR_KEY, ' +
        'LINEKEEPER_CLIENT_SECRET and LINEKEEPER_PASSWORD.',
    )
    .argument('[name]', 'name of the profile; commands use "default" when nothing else names a service')
    .option('--client-id <id>', 'application to call with (LINEKEEPER_CLIENT_ID)')
    .option('--username <name>', 'web-services user to call as (LINEKEEPER_USERNAME)')
    .option(
      '--session-header <name>',
      'name of the session header, if the service has another prefix than SVC',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  $ linekeeper login staging --url https://iot.example.com/api' +
        '\n  $ linekeeper login demo --client-id demo-app --username demo-user',
    )
    .action(logIn);
  program
    .command('logout')
    .description('Removes a profile.')
    .argument('[name]', 'name of the profile; default: "default"')
    .addHelpText('after', '\nExample:\n  $ linekeeper logout staging')
    .action(logOut);
  program
    .command('profiles')
    .description('Lists the stored profiles, without secrets.')
    .addHelpText('after', '\nExample:\n  $ linekeeper profiles')
    .action(listProfiles);
}
