import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import type { Access } from './access.ts';
import { addExamples, type Example } from './examples.ts';

const SECURITY: Readonly<Record<Access['kind'], readonly Record<string, string[]>[]>> = {
  public: [],
  'client-credentials': [{ clientCredentials: [] }],
  bearer: [{ bearer: [] }],
  session: [{ bearer: [], session: [] }],
  account: [{ bearer: [], session: [] }],
  operator: [{ operatorKey: [] }],
  viewer: [{ consoleSession: [] }],
};

export interface Description {
  readonly version: string;
  readonly sessionHeader: string;
  readonly basePath: string;
  /** By operation; loaded when the document is requested. */
  readonly loadExamples: () => Readonly<Record<string, Example>>;
}

/** The document is generated from the schemas that validate and serialise; openapi.json in the root is its committed copy. */
export const openApiOf = ({
  version,
  sessionHeader,
  basePath,
  loadExamples,
}: Description): FastifyDynamicSwaggerOptions => ({
  openapi: {
    openapi: '3.1.0',
    info: {
      title: 'Linekeeper',
      version,
      description:
        'Managing connected devices over a carrier-style interface. Start with a token and a session. ' +
        'Each call shows a request to the demo fleet and its answer, with lists cut to two entries.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: basePath === '' ? '/' : basePath }],
    components: {
      securitySchemes: {
        clientCredentials: { type: 'http', scheme: 'basic', description: 'Client id and secret' },
        bearer: { type: 'http', scheme: 'bearer', description: 'Access token of the application' },
        session: {
          type: 'apiKey',
          in: 'header',
          name: sessionHeader,
          description: 'Session of the web-services user',
        },
        consoleSession: {
          type: 'apiKey',
          in: 'cookie',
          name: 'linekeeper_session',
          description:
            'Session of the console, which its pages may send to every other call too; other programs use a token and a session',
        },
        operatorKey: { type: 'http', scheme: 'bearer', description: 'Operator key' },
      },
    },
  },
  stripBasePath: true,
  transformObject: (made) =>
    addExamples('openapiObject' in made ? made.openapiObject : made.swaggerObject, loadExamples()),
  transform: ({ schema, url, route }) => {
    const access = (route.config as { access?: Access } | undefined)?.access;
    const hide = schema?.hide === true || access === undefined;
    return { url, schema: { ...schema, hide, security: access ? SECURITY[access.kind] : [] } as never };
  },
});
