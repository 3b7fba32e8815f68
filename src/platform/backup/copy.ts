import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import type pg from 'pg';

interface CopyConnection {
  readonly stream: Duplex;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

/** A statement that receives every message of the server until the server is ready for the next statement. */
abstract class Copy implements pg.Submittable {
  readonly ended = Promise.withResolvers<void>();
  protected failure: Error | undefined;
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }
  submit(connection: pg.Connection): void {
    connection.query(this.#text);
  }
  handleCommandComplete(): void {}
  handleError(error: Error): void {
    this.ended.reject(this.failure ?? error);
  }
  handleReadyForQuery(): void {
    if (this.failure === undefined) this.ended.resolve();
    else this.ended.reject(this.failure);
  }
}

/** Takes one row; it returns a promise to pause the next rows until it resolves. */
type TakeRow = (row: Buffer) => Promise<void> | undefined;

class CopyOut extends Copy {
  readonly #take: TakeRow;
  constructor(text: string, take: TakeRow) {
    super(text);
    this.#take = take;
  }
  handleCopyData({ chunk }: { chunk: Buffer }, { stream }: CopyConnection): void {
    if (this.failure !== undefined) return;
    const wait = this.#take(chunk);
    if (wait === undefined) return;
    stream.pause();
    wait.then(
      () => stream.resume(),
      (error: Error) => {
        this.failure = error;
        // Otherwise the server would send all the remaining rows.
        stream.destroy(error);
      },
    );
  }
}

class CopyIn extends Copy {
  readonly #blocks: AsyncIterable<Buffer>;
  #over = false;
  constructor(text: string, blocks: AsyncIterable<Buffer>) {
    super(text);
    this.#blocks = blocks;
    const over = () => {
      this.#over = true;
    };
    this.ended.promise.then(over, over);
  }
  handleCopyInResponse(connection: CopyConnection): void {
    this.#send(connection).then(
      () => this.#over || connection.endCopyFrom(),
      (error: Error) => {
        this.failure = error;
        connection.sendCopyFail('the backup cannot be read');
      },
    );
  }
  async #send(connection: CopyConnection): Promise<void> {
    for await (const block of this.#blocks) {
      if (this.#over) return;
      connection.sendCopyFromChunk(block);
      if (connection.stream.writableNeedDrain)
        await Promise.race([once(connection.stream, 'drain'), this.ended.promise]);
    }
  }
}

async function run(client: pg.Client, copy: Copy): Promise<void> {
  client.query(copy);
  await copy.ended.promise;
}

/** `text` is a COPY … TO STDOUT in text format; the server sends each row in a message of its own. */
export const copyOut = (client: pg.Client, text: string, take: TakeRow) =>
  run(client, new CopyOut(text, take));

export const copyIn = (client: pg.Client, text: string, blocks: AsyncIterable<Buffer>) =>
  run(client, new CopyIn(text, blocks));
