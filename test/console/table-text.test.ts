import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { csvHead, csvRows, filterRows, withText } from '../../clients/console/src/parts/table-text.ts';

interface Row {
  readonly name: string;
  readonly bytes: number | null;
}
const ROWS: readonly Row[] = [
  { name: 'Truck 1, Åre', bytes: 2_048 },
  { name: '=cmd()', bytes: null },
  { name: 'Pump', bytes: 5 },
];
const COLUMNS = [
  { title: '' },
  { title: 'Name', sortBy: ({ name }: Row) => name },
  { title: 'Used', sortBy: ({ bytes }: Row) => bytes },
  { title: 'In words', text: ({ bytes }: Row) => (bytes === null ? 'none' : 'some') },
];

describe('what a table tells', () => {
  it('is written to a file by the columns that have words, as exact as it is known', () => {
    assert.equal(csvHead(COLUMNS), 'Name,Used,In words\r\n');
    assert.equal(csvRows(COLUMNS, ROWS), '"Truck 1, Åre",2048,some\r\n\'=cmd(),,none\r\nPump,5,some\r\n');
    assert.deepEqual(
      withText(COLUMNS).map(({ title }) => title),
      ['Name', 'Used', 'In words'],
    );
  });

  it('is filtered by words, wherever they stand and however they are accented', () => {
    const names = (typed: string) => filterRows(ROWS, COLUMNS, typed).map(({ name }) => name);
    assert.deepEqual(names('  '), ['Truck 1, Åre', '=cmd()', 'Pump']);
    assert.deepEqual(names('are TRUCK'), ['Truck 1, Åre']);
    assert.deepEqual(names('some'), ['Truck 1, Åre', 'Pump']);
    assert.deepEqual(names('some none'), []);
  });

  it('is filtered by what a cell shows too', () => {
    const shown = filterRows(ROWS, COLUMNS, '2 KB', (column, { bytes }) =>
      column.title === 'Used' && bytes === 2_048 ? '2 KB' : '',
    );
    assert.deepEqual(
      shown.map(({ bytes }) => bytes),
      [2_048],
    );
  });
});
