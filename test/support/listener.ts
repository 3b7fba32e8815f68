import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';

export interface Heard {
  readonly at: number;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: Record<string, unknown>;
}

export interface Listener {
  readonly url: string;
  /** Everything that arrived, in order: the record that tests check. */
  readonly heard: Heard[];
  /** Its answer from now on: a status, or none. */
  answer: number | 'never';
  next(count?: number): Promise<void>;
  /** Answers the first unanswered request. */
  releaseOne(answer: number): void;
  /** Answers all unanswered and future requests. */
  release(answer: number): void;
}

/** A real HTTP listener on loopback that records its requests and answers as configured. Closed when the file ends. */
export async function openListener(answer: Listener['answer'] = 200): Promise<Listener> {
  const heard: Heard[] = [];
  let wake = () => {};
  const unanswered: ServerResponse[] = [];
  const reply = (response: ServerResponse, status: number) =>
    void response.writeHead(status).end(`answered ${status}`);
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    request.on('end', () => {
      heard.push({
        at: Date.now(),
        path: request.url ?? '',
        headers: request.headers,
        text,
        body: JSON.parse(text),
      });
      wake();
      if (listener.answer === 'never') unanswered.push(response);
      else reply(response, listener.answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const listener: Listener = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    heard,
    answer,
    releaseOne(status) {
      const [response] = unanswered.splice(0, 1);
      if (response !== undefined) reply(response, status);
    },
    release(status) {
      listener.answer = status;
      for (const response of unanswered.splice(0)) reply(response, status);
    },
    async next(count = 1) {
      const until = Date.now() + 60_000;
      while (heard.length < count) {
        if (Date.now() > until) throw new Error(`heard ${heard.length} of ${count}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
          setTimeout(resolve, 100);
        });
      }
    },
  };
  return listener;
}
