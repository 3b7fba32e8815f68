/** Digits only, national or international, without plus, spaces or dashes. */
export const PHONE_NUMBER_PATTERN = '^[0-9]{10,15}$';

const PHONE_NUMBER = new RegExp(PHONE_NUMBER_PATTERN);

export const isPhoneNumber = (text: string): boolean => PHONE_NUMBER.test(text);
