import { defineFaults } from '../../platform/context/fault.ts';

export const operatorFaults = defineFaults({
  noKey: {
    status: 401,
    code: 'key_missing',
    message: 'An operator key is needed: Authorization: Bearer <key>',
  },
  wrongKey: { status: 401, code: 'key_invalid', message: 'The operator key is not known' },
  invalidDocument: {
    status: 422,
    code: 'document_invalid',
    message: 'The document was refused; nothing was changed',
  },
  tooManyStreams: {
    status: 429,
    code: 'streams_busy',
    message: 'Too many imports and exports are under way',
  },
  tooManyFeeds: { status: 429, code: 'feeds_busy', message: 'Too many feeds are under way' },
  tooManyFeedsOfKey: {
    status: 429,
    code: 'key_feeds_busy',
    message: 'Too many feeds of this operator key are under way; others need places too',
  },
  brokenFeed: {
    status: 422,
    code: 'feed_broken',
    message: 'The feed could not be read to its end; what was accepted before is kept',
  },
  interruptedFeed: {
    status: 503,
    code: 'feed_interrupted',
    message: 'The feed was interrupted; what was accepted before is kept. Feed it again',
  },
  failedFeed: {
    status: 500,
    code: 'feed_failed',
    message:
      'Too many records of the feed could not be taken; what was accepted before is kept, and the log has more',
  },
  silentFeed: {
    status: 408,
    code: 'feed_silent',
    message: 'The feed was silent for too long; what was accepted before is kept',
  },
  silentDocument: {
    status: 408,
    code: 'document_silent',
    message: 'The sender of the document was silent for too long; nothing was changed',
  },
  noAccount: { status: 404, code: 'account_unknown', message: 'There is no such account' },
  notSimulated: { status: 409, code: 'network_real', message: 'There is no simulated network here' },
  noSimulator: { status: 409, code: 'simulator_absent', message: 'There is no simulator here' },
  noDevice: { status: 404, code: 'device_unknown', message: 'There is no such device' },
  badDeviceId: { status: 400, code: 'device_id_invalid', message: 'The identifier does not fit its kind' },
  noUser: { status: 404, code: 'user_unknown', message: 'There is no such user' },
  noClient: { status: 404, code: 'client_unknown', message: 'There is no such client' },
  noListener: { status: 404, code: 'listener_unknown', message: 'There is no such listener' },
  noJob: { status: 404, code: 'job_unknown', message: 'There is no such failed job' },
  noSuchKey: { status: 404, code: 'key_unknown', message: 'There is no key with this name' },
  keyExists: { status: 409, code: 'key_exists', message: 'There is a key with this name already' },
  clockFixed: { status: 409, code: 'clock_fixed', message: 'The clock cannot be moved' },
  clockMoving: {
    status: 409,
    code: 'clock_moving',
    message: 'The clock is still moving from an earlier call',
  },
  sandboxOnly: { status: 404, code: 'sandbox_only', message: 'This exists in the sandbox only' },
  clockBackwards: { status: 400, code: 'clock_backwards', message: 'The clock only moves forward' },
  clockTooFar: { status: 400, code: 'clock_too_far', message: 'The clock moves at most ten years at a time' },
  badTime: { status: 400, code: 'time_invalid', message: 'The time or duration cannot be read' },
});
