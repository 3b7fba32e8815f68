/** Any letter case, as PostgreSQL accepts them; for use inside a longer pattern. */
export const UUID_SHAPE = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';
export const UUID_PATTERN = `^${UUID_SHAPE}$`;

/** Sorts before every other UUID: the position before the first entry of a list, and an id that no object has. */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000';

const WHOLE = new RegExp(UUID_PATTERN);

export const isUuid = (text: string): boolean => WHOLE.test(text);
