import type { FastifyReply, FastifyRequest } from 'fastify';

/** Extensions of packed files, the best first. */
const PACKED = { br: '.br', gzip: '.gz' } as const;
type Encoding = keyof typeof PACKED;
const ENCODINGS = Object.keys(PACKED) as Encoding[];

export interface SentFile {
  readonly folder: string;
  /** A path below the folder, known to exist: never taken from a request. */
  readonly name: string;
  /** Encodings in which a packed copy exists. */
  readonly packed: readonly Encoding[];
}

/** The files of a folder and its subfolders, without the packed copies of others. */
export function withoutPacked(folder: string, names: readonly string[]): SentFile[] {
  const all = new Set(names);
  return names
    .filter((name) => !ENCODINGS.some((each) => name.endsWith(PACKED[each])))
    .map((name) => ({
      folder,
      name,
      packed: ENCODINGS.filter((each) => all.has(`${name}${PACKED[each]}`)),
    }));
}

/** Few processes are asked for a file: the code is loaded at the first request. */
async function load() {
  const [{ default: send }, { default: negotiate }] = await Promise.all([
    import('@fastify/send'),
    import('@fastify/accept-negotiator'),
  ]);
  return { send, negotiate };
}

type Send = Awaited<ReturnType<typeof load>>['send'];

/** The type of the file itself, even if it is sent packed. */
function typeOf({ mime, isUtf8MimeType }: Send, name: string): string {
  const type = mime.getType(name) ?? 'application/octet-stream';
  return isUtf8MimeType(type) ? `${type}; charset=utf-8` : type;
}

/** Sends the file, the requested part of it, or no body if the browser has it already. */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { folder, name, packed }: SentFile,
  headers: Readonly<Record<string, string>>,
): Promise<FastifyReply> {
  const { send, negotiate } = await load();
  const encoding = negotiate(request.headers['accept-encoding'] ?? '', [...packed]);
  const path = `/${name}${encoding === null ? '' : PACKED[encoding]}`;
  const found = await send(request.raw, encodeURI(path), { root: folder, index: false, cacheControl: false });
  // The file may have been removed since the start.
  if (found.type === 'directory' || found.statusCode === 404) {
    reply.callNotFound();
    return reply;
  }
  if (found.type === 'error') throw found.metadata.error;
  reply.code(found.statusCode).headers({ ...found.headers, ...headers });
  if (packed.length > 0)
    reply.header('vary', [reply.getHeader('vary') ?? [], 'accept-encoding'].flat().join(', '));
  if (encoding !== null) reply.headers({ 'content-encoding': encoding, 'content-type': typeOf(send, name) });
  return reply.send(found.stream);
}
