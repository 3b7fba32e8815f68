import type { FastifyInstance } from 'fastify';
import { Fault } from '../../../../platform/context/fault.ts';
import { triggerDialect } from '../../../../platform/http/dialects.ts';

/** Of accounts in a body the use-cases say with a status of 401, which to a browser means that nobody is signed in. */
export const denyInConsole = (api: FastifyInstance): void =>
  void api.setErrorHandler((error, { dialect }) => {
    throw error instanceof Fault && error.kind === triggerDialect.faults.denied
      ? new Fault(dialect.faults.denied, error.detail, { cause: error })
      : error;
  });
