const LOCAL = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';

/**
 * A mailbox as mail servers pass it on: ASCII, without quotes, comments or display name. No character that it allows can
 * end a header line, separate two addresses or start another command.
 */
export const MAIL_ADDRESS_PATTERN = `^(?=.{3,254}$)(?=[^@]{1,64}@)${LOCAL}(?:\\.${LOCAL})*@${LABEL}(?:\\.${LABEL})*$`;

const MAIL_ADDRESS = new RegExp(MAIL_ADDRESS_PATTERN);

export const isMailAddress = (text: string): boolean => MAIL_ADDRESS.test(text);
