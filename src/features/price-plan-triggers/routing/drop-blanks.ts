import type { FastifyRequest } from 'fastify';
import { isAbsent } from '../reading/read-values.ts';

/** Before anything is validated: what is blank beside the rule and the notification is absent, as it is within them. */
export async function dropBlanks({ body }: Pick<FastifyRequest, 'body'>): Promise<void> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return;
  for (const [path, value] of Object.entries(body))
    if (isAbsent({ path, value })) Reflect.deleteProperty(body, path);
}
