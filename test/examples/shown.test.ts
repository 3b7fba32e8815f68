import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

interface Media {
  readonly example?: unknown;
}
interface Content {
  readonly content?: Readonly<Record<string, Media>>;
}
interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly (Media & { readonly name: string; readonly required?: boolean })[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};
const operations = Object.values(paths).flatMap((methods) => Object.values(methods));

const mediaOf = ({ content = {} }: Content = {}) => Object.values(content);
const isShown = (media: Media): boolean => media.example !== undefined;
const without = (isComplete: (operation: Operation) => boolean): string[] =>
  operations.filter((operation) => !isComplete(operation)).map(({ operationId }) => operationId);

describe('the document shows an example of every operation', () => {
  it('in its path and in what the query must say', () =>
    assert.deepEqual(
      without(({ parameters = [] }) =>
        parameters.every((parameter) => parameter.required !== true || isShown(parameter)),
      ),
      [],
    ));

  it('in its body, where it takes one', () =>
    assert.deepEqual(
      without(({ requestBody }) => mediaOf(requestBody).every(isShown)),
      [],
    ));

  it('in an answer that succeeds, where that has a body', () =>
    assert.deepEqual(
      without(({ responses }) => {
        const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
        const media = successes.flatMap(([, response]) => mediaOf(response));
        return media.length === 0 || media.some(isShown);
      }),
      [],
    ));
});
