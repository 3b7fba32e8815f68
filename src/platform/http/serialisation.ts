import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import type { FastifySchema, FastifySerializerCompiler } from 'fastify';

/** What the framework would use by itself. */
const compile = SerializerSelector()({}, {});

/** As validators are: compiled when an answer is first written. It takes most of the time in which a process starts. */
export const compileSerialiser: FastifySerializerCompiler<FastifySchema> = ({
  schema,
  method,
  url,
  httpStatus,
}) => {
  let write: ((answer: unknown) => string) | undefined;
  return (answer) => {
    write ??= compile({ schema, method, url, httpStatus: httpStatus ?? '' });
    return write(answer);
  };
};
