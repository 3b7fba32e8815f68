import { Type } from 'typebox';
import { UUID_SHAPE } from '../../kernel/uuid.ts';

/** Where a page or a part of a list ended. Several entries may have the same time, so it has an id too. */
export const PagePlace = Type.String({ pattern: `^[0-9]{1,13}~${UUID_SHAPE}$` });

/** The member of an answer that the next call passes on. */
export const next = Type.Optional(Type.String({ description: 'Absent at the end of the list' }));

interface Place {
  readonly at: Date;
  readonly id: string;
}

export const toPagePlace = ({ at, id }: Place): string => `${at.getTime()}~${id}`;

export function parsePagePlace(text: string | undefined): Place | undefined {
  const [at, id] = text?.split('~') ?? [];
  return id === undefined ? undefined : { at: new Date(Number(at)), id };
}
