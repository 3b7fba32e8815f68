import { comment, indent, nameOf, type Schema, union, writeType } from './write-type.ts';

interface Message {
  readonly summary?: string;
  readonly payload: { readonly $ref: string };
}

export interface AsyncApiDocument {
  readonly channels: Readonly<Record<string, { readonly messages: Readonly<Record<string, unknown>> }>>;
  readonly components: {
    readonly messages: Readonly<Record<string, Message>>;
    readonly schemas: Readonly<Record<string, Schema>>;
  };
}

const HEAD =
  '// Built from asyncapi.json by npm install, npm run types and npm run generate; it is not committed.\n';

const writeInterface = (about: string, name: string, members: readonly string[]): string =>
  `\n${comment(about)}export interface ${name} {\n  ${indent(members.join('\n'))}\n}\n`;

/** A message names its schema by `#/components/schemas/<name>`. */
function schemaOf({ schemas }: AsyncApiDocument['components'], { payload }: Message): Schema {
  const found = schemas[payload.$ref.replace('#/components/schemas/', '')];
  if (found === undefined) throw new Error(`asyncapi.json has no ${payload.$ref}`);
  return found;
}

/** Writes one TypeScript interface of all messages, and one of the messages of each service. */
export function writePayloads({ channels, components }: AsyncApiDocument): string {
  const messages = Object.entries(components.messages).map(
    ([name, message]) =>
      `${comment(message.summary)}${nameOf(name)}: ${writeType(schemaOf(components, message), 'answered')};`,
  );
  const services = Object.entries(channels).map(
    ([name, channel]) =>
      `${nameOf(name)}: ${union(Object.keys(channel.messages).map((message) => JSON.stringify(message)))};`,
  );
  return [
    HEAD,
    writeInterface('Every message by its name: the body of the callback.', 'CallbackMessages', messages),
    writeInterface('The messages that a listener of each service gets.', 'CallbackServices', services),
  ].join('');
}
