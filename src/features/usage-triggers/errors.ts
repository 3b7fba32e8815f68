import { defineFaults } from '../../platform/context/fault.ts';
import { THRESHOLD_MAX_PERCENT, TRIGGERS_PER_ACCOUNT_MAX } from './usage-trigger.ts';

const invalid = (message: string) => ({ status: 400, code: 'INVALID_PARAMETER', message });

export const usageTriggerFaults = defineFaults({
  notFound: invalid('Trigger not found'),
  invalidBefore: invalid('Invalid before: no firing has this id'),
  /** The account's service is billed to a primary account that the user may not use. */
  notKeeper: invalid('UWS account validation failed (contact has no access to the account)'),
  nameTaken: invalid('Trigger name is not unique'),
  invalidService: invalid('Invalid Service Name'),
  serviceFixed: invalid('A trigger cannot watch another service'),
  invalidThreshold: invalid(
    `Invalid thresholdValue: a percentage is a whole number from 1 to ${THRESHOLD_MAX_PERCENT}`,
  ),
  invalidPhones: invalid('Invalid smsPhoneNumbers: numbers have 10 to 15 digits and nothing else'),
  invalidMails: invalid('Invalid emailAddresses'),
  noPhones: invalid('sendSmsNotification needs smsPhoneNumbers'),
  noMailAddresses: invalid('sendEmailNotification needs emailAddresses'),
  tooMany: invalid(`An account has at most ${TRIGGERS_PER_ACCOUNT_MAX} usage triggers`),
});
