import { defineFaults, type FaultKind } from '../../platform/context/fault.ts';

const fault = (status: number, code: string, message: string): FaultKind => ({ status, code, message });

export const operatorFaults = defineFaults({
  noKey: fault(401, 'key_missing', 'An operator key is needed: Authorization: Bearer <key>'),
  wrongKey: fault(401, 'key_invalid', 'The operator key is not known'),
  invalidDocument: fault(422, 'document_invalid', 'The document was refused; nothing was changed'),
  tooManyStreams: fault(429, 'streams_busy', 'Too many imports and exports are under way'),
  tooManyFeeds: fault(429, 'feeds_busy', 'Too many feeds are under way'),
  tooManyFeedsOfKey: fault(
    429,
    'key_feeds_busy',
    'Too many feeds of this operator key are under way; others need places too',
  ),
  brokenFeed: fault(
    422,
    'feed_broken',
    'The feed could not be read to its end; what was accepted before is kept',
  ),
  interruptedFeed: fault(
    503,
    'feed_interrupted',
    'The feed was interrupted; what was accepted before is kept. Feed it again',
  ),
  failedFeed: fault(
    500,
    'feed_failed',
    'Too many records of the feed could not be taken; what was accepted before is kept, and the log has more',
  ),
  silentFeed: fault(408, 'feed_silent', 'The feed was silent for too long; what was accepted before is kept'),
  silentDocument: fault(
    408,
    'document_silent',
    'The sender of the document was silent for too long; nothing was changed',
  ),
  noAccount: fault(404, 'account_unknown', 'There is no such account'),
  notSimulated: fault(409, 'network_real', 'There is no simulated network here'),
  noNetwork: fault(409, 'no_network', 'There is no network behind the lines here'),
  noElement: fault(404, 'element_not_found', 'There is no such network element'),
  noOrder: fault(404, 'order_not_found', 'There is no such order'),
  noCheck: fault(404, 'check_not_found', 'There is no such check, or it was forgotten'),
  noSimulator: fault(409, 'simulator_absent', 'There is no simulator here'),
  noDevice: fault(404, 'device_unknown', 'There is no such device'),
  badDeviceId: fault(400, 'device_id_invalid', 'The identifier does not fit its kind'),
  noUser: fault(404, 'user_unknown', 'There is no such user'),
  noClient: fault(404, 'client_unknown', 'There is no such client'),
  noListener: fault(404, 'listener_unknown', 'There is no such listener'),
  noJob: fault(404, 'job_unknown', 'There is no such failed job'),
  noSuchKey: fault(404, 'key_unknown', 'There is no key with this name'),
  keyExists: fault(409, 'key_exists', 'There is a key with this name already'),
  clockFixed: fault(409, 'clock_fixed', 'The clock cannot be moved'),
  clockMoving: fault(409, 'clock_moving', 'The clock is still moving from an earlier call'),
  sandboxOnly: fault(404, 'sandbox_only', 'This exists in the sandbox only'),
  clockBackwards: fault(400, 'clock_backwards', 'The clock only moves forward'),
  clockTooFar: fault(400, 'clock_too_far', 'The clock moves at most ten years at a time'),
  badTime: fault(400, 'time_invalid', 'The time or duration cannot be read'),
});
