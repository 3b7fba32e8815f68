import { MAX_CALLBACK_THRESHOLD } from './envelope.ts';
import type { CallbackEvent } from './event.ts';
import { ANSWERING_SERVICES, EVENT_NAMES, EVENTS, eventsOf, FAILURE } from './events.ts';
import { LISTENER_SERVICES, type ListenerService } from './service-names.ts';

const ref = (...path: readonly string[]) => ({ $ref: `#/${path.join('/')}` });

const HEADERS = {
  type: 'object',
  required: ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'x-request-id', 'user-agent'],
  properties: {
    'webhook-id': {
      type: 'string',
      description: 'The same for every attempt, so that a listener can recognise repetitions.',
    },
    'webhook-timestamp': { type: 'string', pattern: '^\\d+$', description: 'Seconds since 1970.' },
    'webhook-signature': {
      type: 'string',
      pattern: '^v1,\\S+( v1,\\S+)*$',
      description:
        "Standard Webhooks, HMAC-SHA256 with the listener's secret; two signatures while it is rotated.",
    },
    'x-request-id': {
      type: 'string',
      description:
        'The X-Request-Id of the call that caused the message, the same for every attempt; without a call, the id of the message, by which it can be sent again.',
    },
    'user-agent': { type: 'string', pattern: '^Linekeeper/' },
  },
};

const CREDENTIAL = {
  type: 'string',
  maxLength: 40,
  description: 'As registered; absent if none is registered.',
};

/** The schema of a body as it arrives: the stored payload and the members that each attempt adds. */
function toBody({ schema }: Pick<CallbackEvent, 'schema'>): object {
  const properties = {
    username: CREDENTIAL,
    password: CREDENTIAL,
    ...schema.properties,
    callbackCount: { type: 'integer', minimum: 1, maximum: MAX_CALLBACK_THRESHOLD },
    maxCallbackThreshold: { type: 'integer', const: MAX_CALLBACK_THRESHOLD },
  };
  const required = [...(schema.required ?? []), 'callbackCount', 'maxCallbackThreshold'];
  return { ...schema, properties, required };
}

const toMessage = (name: string, { summary, schema, sample }: Omit<CallbackEvent, 'serviceName'>) => ({
  name,
  title: name,
  summary,
  contentType: 'application/json',
  headers: ref('components', 'schemas', 'headers'),
  payload: ref('components', 'schemas', name),
  ...('requestId' in schema.properties && {
    correlationId: { location: '$message.payload#/requestId' },
  }),
  examples: [
    {
      name: 'first attempt',
      payload: { ...sample, callbackCount: 1, maxCallbackThreshold: MAX_CALLBACK_THRESHOLD },
    },
  ],
});

const messagesOf = (service: ListenerService): readonly string[] => [
  ...eventsOf(service),
  ...(ANSWERING_SERVICES.includes(service) ? ['failure'] : []),
];

const toChannel = (service: ListenerService) => ({
  address: null,
  title: service,
  description: `Posted to the address that the account has registered for ${service}.`,
  messages: Object.fromEntries(
    messagesOf(service).map((name) => [name, ref('components', 'messages', name)]),
  ),
});

const toOperation = (service: ListenerService) => ({
  action: 'send',
  channel: ref('channels', service),
  summary: `Callbacks of ${service}.`,
  messages: messagesOf(service).map((name) => ref('channels', service, 'messages', name)),
  bindings: { http: { method: 'POST', bindingVersion: '0.3.0' } },
});

/** An AsyncAPI 3.0 document of all messages to listeners, built from the schemas of the events. */
export function describeCallbacks({ version }: { readonly version: string }): object {
  const described = [
    ...EVENT_NAMES.map((name) => [name, EVENTS[name]] as const),
    ['failure', FAILURE] as const,
  ];
  const document = {
    asyncapi: '3.0.0',
    info: {
      title: 'Linekeeper callbacks',
      version,
      description:
        'The messages that Linekeeper posts to registered listeners. A listener acknowledges with any 2xx status; ' +
        'otherwise Linekeeper sends the message again five minutes later, at most four times in all.',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    defaultContentType: 'application/json',
    channels: Object.fromEntries(LISTENER_SERVICES.map((service) => [service, toChannel(service)])),
    operations: Object.fromEntries(
      LISTENER_SERVICES.map((service) => [
        `send${service[0]?.toUpperCase()}${service.slice(1)}`,
        toOperation(service),
      ]),
    ),
    components: {
      messages: Object.fromEntries(described.map(([name, event]) => [name, toMessage(name, event)])),
      schemas: {
        headers: HEADERS,
        ...Object.fromEntries(described.map(([name, event]) => [name, toBody(event)])),
      },
    },
  };
  // Converted to plain JSON, because schemas contain hidden symbols of their library.
  return JSON.parse(JSON.stringify(document)) as object;
}
