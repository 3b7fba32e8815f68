import { Type } from 'typebox';
import { UUID_PATTERN, UUID_SHAPE } from '../../../kernel/uuid.ts';
import { LISTENER_SERVICES } from '../../callbacks/index.ts';

export const ServiceName = Type.Enum([...LISTENER_SERVICES]);
export const MessageId = Type.String({ pattern: UUID_PATTERN });

/** Where a page or a part ended: many callbacks may have the same time, in milliseconds since 1970. */
export const PagePlace = Type.String({ pattern: `^[0-9]{1,13}~${UUID_SHAPE}$` });

interface Place {
  readonly at: Date;
  readonly id: string;
}

export const toPagePlace = ({ at, id }: Place): string => `${at.getTime()}~${id}`;

export function parsePagePlace(text: string | undefined): Place | undefined {
  const [at, id] = text?.split('~') ?? [];
  return id === undefined ? undefined : { at: new Date(Number(at)), id };
}
