import { defineFaults, fault } from '../../platform/context/fault.ts';
import { DOCUMENT_MAX_BYTES, EXPANDED_MAX, RULES_PER_DEVICE_MAX } from './limits.ts';

const invalid = (code: string, message: string) => ({ status: 400, code, message });

export const recordFaults = defineFaults({
  unknownField: invalid('unknown_field', 'The selection names a field that these records do not have'),
  badCriterion: invalid('invalid_selection', 'A field is compared with a text, a number or a boolean'),
  badName: invalid('invalid_name', 'This name is not allowed'),
  badPage: invalid('invalid_page', '$page is not the X-Next of an answer to this query'),
  badExpand: invalid('invalid_expand', '$expand may name parentdevice and sensors'),
  tooManyExpanded: invalid(
    'expanded_too_many',
    `$expand gives at most ${EXPANDED_MAX} sensors; ask for fewer records at a time`,
  ),
  answerTooLarge: invalid(
    'answer_too_large',
    'The records are too large for one answer; ask for fewer at a time',
  ),
  identifierMissing: invalid('identifier_missing', 'resourceidentifier or filter is needed'),
  badIdentifier: invalid('invalid_identifier', 'This is no identifier of its kind'),
  badEmail: invalid('invalid_email', 'This is no e-mail address'),
  badMdn: invalid('invalid_mdn', 'A phone number has ten digits'),
  tooLarge: invalid('document_too_large', `It may have at most ${DOCUMENT_MAX_BYTES} bytes`),
  deviceMissing: invalid(
    'device_missing',
    'A new rule names its device, by rule.deviceid or resourceidentifier',
  ),
  tooManyRules: invalid(
    'too_many_rules',
    `A device has at most ${RULES_PER_DEVICE_MAX} rules, disabled ones too`,
  ),
  ambiguous: invalid('ambiguous_identifier', 'Several devices match; one is needed'),
  notFound: fault(404, 'not_found', 'The account has no such record'),
  stale: fault(
    412,
    'version_conflict',
    'The record has changed since it was read: versionid is not the current one',
  ),
});
