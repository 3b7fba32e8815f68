import type { Answer, Query } from '../../../sdk/index.ts';
import { call } from './client.ts';

const SERVICE = 'GET /operator/v1/service';
const JOBS = 'GET /operator/v1/jobs';
/** The newest jobs; filter by kind or state to find older ones. */
export const JOBS_SHOWN = 200;

export type Service = Answer<typeof SERVICE>;
export type Process = Service['processes'][number];
export type FeedOfProcess = Process['feeds'][number];
export type Job = Answer<typeof JOBS>[number];
export type JobFilter = Pick<Query<typeof JOBS>, 'state' | 'kind'>;

export const readService = (signal?: AbortSignal) => call(SERVICE, { signal });
export const listJobs = (filter: JobFilter, signal?: AbortSignal) =>
  call(JOBS, { query: { ...filter, limit: JOBS_SHOWN }, signal });
export const retryJob = (jobId: string) => call('POST /operator/v1/jobs/{jobId}/retry', { path: { jobId } });
