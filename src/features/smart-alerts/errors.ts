import { defineFaults, fault } from '../../platform/context/fault.ts';

export const smartAlertFaults = defineFaults({
  answerTooLarge: {
    status: 400,
    code: 'answer_too_large',
    message: 'The smart alerts are too large for one answer; ask for fewer at a time',
  },
  notFound: fault(404, 'smart_alert_not_found', 'No smart alert of the account has this id'),
  /** The reason names the current version. */
  stale: {
    status: 412,
    code: 'version_conflict',
    message: 'The smart alert has changed since it was read: versionid is not the current one',
  },
});
