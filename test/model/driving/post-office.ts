import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import { openMailServer } from '../../support/mail-server.ts';
import type { Answered } from './read-outcome.ts';

/** A callback, as it arrived at its listener. */
export interface Heard {
  /** Domain time. */
  readonly at: number;
  readonly accountName: string;
  readonly serviceName: string;
  readonly payload: Answered;
}

/** A mail or an SMS, as it arrived at its server. */
export interface Message {
  readonly at: number;
  readonly to: readonly string[];
  /** With the subject of a mail. */
  readonly text: string;
}

/** Real servers on loopback for callbacks, mail and SMS. Everything is kept in the order in which it arrived. */
export interface PostOffice {
  readonly smtpUrl: string;
  readonly smsUrl: string;
  /** The address of a listener. */
  urlOf(accountName: string, serviceName: string): string;
  readonly heard: Heard[];
  readonly mail: Message[];
  readonly sms: Message[];
}

/** The part of a mail that is plain text, without the line breaks that its encoding adds. */
function plainText(raw: string): string {
  const plain = raw.split(/\r\n--/).find((part) => part.includes('text/plain')) ?? raw;
  return Buffer.from(
    plain
      .replaceAll(/=\r\n/g, '')
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString();
}

export async function openPostOffice(now: () => number): Promise<PostOffice> {
  const heard: Heard[] = [];
  const mail: Message[] = [];
  const sms: Message[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const payload = JSON.parse(Buffer.concat(parts).toString());
      const [, accountName, serviceName] = request.url!.slice(1).split('/');
      if (accountName === undefined) sms.push({ at: now(), to: [payload.to], text: payload.text });
      else heard.push({ at: now(), accountName, serviceName: serviceName!, payload });
      response.writeHead(200).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const mailServer = await openMailServer();
  mailServer.message = (text) => {
    const { length } = mailServer.heard;
    const at = now();
    queueMicrotask(() => {
      const { to, headers } = mailServer.heard[length]!;
      mail.push({ at, to, text: `${headers.get('subject')}\n${plainText(text)}` });
    });
    return 'take';
  };
  return {
    smtpUrl: mailServer.url,
    smsUrl: `${url}/sms`,
    urlOf: (accountName, serviceName) => `${url}/listener/${accountName}/${serviceName}`,
    heard,
    mail,
    sms,
  };
}
