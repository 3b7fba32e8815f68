import { createServer } from 'node:http';

/**
 * A location server that speaks MLP, written from the standard and not from the client. It is strict: elements in
 * another order than in the document type are a syntax error. It invents every position.
 */

/** The response for one number: the inside of its `pos` after the `msid`, as XML. */
export type Positions = (msisdn: string) => string;

export interface Located {
  readonly msisdns: readonly string[];
  readonly horizontalM: number;
  readonly timerS: number;
  readonly urgency: string;
}

export interface LocationServer {
  readonly url: string;
  /** The requests, in order. */
  readonly asked: readonly Located[];
  close(): Promise<void>;
}

interface Options {
  readonly client: string;
  readonly password: string;
  /** Numbers in one request. */
  readonly max?: number;
  readonly positions: Positions;
}

/** Matches the start of the text, and returns the rest. */
function take(text: string, pattern: RegExp): [match: RegExpExecArray, rest: string] {
  const match = new RegExp(`^\\s*(?:${pattern.source})`).exec(text);
  if (match === null) throw new SyntaxError(`expected ${pattern.source} at ${text.slice(0, 40)}`);
  return [match, text.slice(match[0].length)];
}

const VERSION = '(3\\.[0-5]\\.0)';
const plainText = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');

interface Slir extends Located {
  readonly client: string;
  readonly password: string;
  readonly version: string;
}

/** svc_init = hdr, slir. hdr = client (id, pwd?, serviceid?). slir = msids, eqop?, geo_info?, loc_type?, prio?. */
function readSlir(body: string): Slir {
  let rest = take(body, /<\?xml version="1\.0" encoding="UTF-8"\?>/)[1];
  rest = take(rest, /<!DOCTYPE svc_init SYSTEM "[\w.]+">/)[1];
  const next = (pattern: string): RegExpExecArray => {
    const [match, behind] = take(rest, new RegExp(pattern));
    rest = behind;
    return match;
  };
  const version = next(`<svc_init ver="${VERSION}">`)[1]!;
  next(`<hdr ver="${version}">`);
  const client = next('<client><id>([^<]*)</id>')[1]!;
  const password = next('(?:<pwd>([^<]*)</pwd>)?')[1] ?? '';
  next('(?:<serviceid>[^<]*</serviceid>)?\\s*</client>\\s*</hdr>');
  next(`<slir ver="${version}" res_type="SYNC">`);
  const list = next('<msids>((?:\\s*<msid type="MSISDN">\\d{1,15}</msid>)+)\\s*</msids>')[1]!;
  const msisdns = [...list.matchAll(/<msid[^>]*>(\d+)</g)].map(([, digits]) => digits!);
  next('<eqop>');
  const urgency = next('<resp_req type="(NO_DELAY|LOW_DELAY|DELAY_TOL)"\\s*/>')[1]!;
  const timerS = Number(next('<resp_timer>(\\d+)</resp_timer>')[1]);
  const horizontalM = Number(next('<hor_acc>(\\d+)</hor_acc>')[1]);
  next('</eqop>');
  next(
    '<geo_info><CoordinateReferenceSystem><Identifier><code>4326</code><codeSpace>EPSG</codeSpace><edition>6\\.1</edition></Identifier></CoordinateReferenceSystem></geo_info>',
  );
  next('<loc_type type="(?:CURRENT|LAST|CURRENT_OR_LAST|LAST_OR_CURRENT|INITIAL)"\\s*/>');
  next('<prio type="(?:NORMAL|HIGH)"\\s*/>');
  next('</slir>\\s*</svc_init>\\s*$');
  return {
    version,
    client: plainText(client),
    password: plainText(password),
    msisdns,
    urgency,
    timerS,
    horizontalM,
  };
}

const resultFor = (version: string, resid: number, slogan: string, addInfo = '') =>
  `<svc_result ver="${version}"><slia ver="${version}"><result resid="${resid}">${slogan}</result>${addInfo && `<add_info>${addInfo}</add_info>`}</slia></svc_result>`;

function answerTo(body: string, options: Options, asked: Located[]): string {
  let slir: Slir;
  try {
    slir = readSlir(body);
  } catch (error) {
    return resultFor('3.2.0', 106, 'SYNTAX ERROR', (error as Error).message.replaceAll(/[<>&]/g, '.'));
  }
  const { version, client, password, ...located } = slir;
  if (client !== options.client || password !== options.password)
    return resultFor(version, 3, 'UNAUTHORIZED APPLICATION');
  asked.push(located);
  if (located.msisdns.length > (options.max ?? 10)) return resultFor(version, 104, 'TOO MANY POSITION ITEMS');
  const all = located.msisdns.map(
    (msisdn) => `<pos><msid type="MSISDN">${msisdn}</msid>${options.positions(msisdn)}</pos>`,
  );
  return `<?xml version="1.0" ?>\n<!DOCTYPE svc_result SYSTEM "MLP_SVC_RESULT_320.DTD" [<!ENTITY % extension SYSTEM "MLP_EXTENSION_320.DTD"> %extension;]>\n<svc_result xmlns="" ver="${version}"><slia ver="${version}">${all.join('\n')}</slia></svc_result>`;
}

export async function startLocationServer(options: Options): Promise<LocationServer> {
  const asked: Located[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const hasLength = request.headers['content-length'] !== undefined;
    if (request.method !== 'POST' || !hasLength) return void response.writeHead(400).end();
    const answer = answerTo(Buffer.concat(parts).toString('utf8'), options, asked);
    response.writeHead(200, { 'content-type': 'text/xml' }).end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}/LocationQueryService/`,
    asked,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
