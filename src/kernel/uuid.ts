/** In any letter case, as PostgreSQL reads them; to be part of a longer shape. */
export const UUID_SHAPE = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';
export const UUID_PATTERN = `^${UUID_SHAPE}$`;

/** Below every other: before the first one of a list, and the one that nothing has. */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000';

const WHOLE = new RegExp(UUID_PATTERN);

export const isUuid = (text: string): boolean => WHOLE.test(text);
