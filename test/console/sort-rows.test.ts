import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sortRows } from '../../clients/console/src/parts/sort-rows.ts';

interface Row {
  readonly name: string;
  readonly used: number | null;
}
const ROWS: readonly Row[] = [
  { name: 'Truck 10', used: 5 },
  { name: 'truck 9', used: null },
  { name: 'Åre', used: -1 },
  { name: 'Truck 10', used: 12 },
];
const COLUMNS = [
  { title: 'Name', sortBy: ({ name }: Row) => name },
  { title: 'Used', sortBy: ({ used }: Row) => used },
  { title: 'Other' },
];
const used = (order: string) => sortRows(ROWS, COLUMNS, order).map((row) => row.used);

describe('rows of a table', () => {
  it('are sorted by a column, numbers by their value and names as people read them', () => {
    assert.deepEqual(used('Used'), [-1, 5, 12, null]);
    assert.deepEqual(used('Name'), [-1, null, 5, 12]);
  });

  it('are turned round, and what has no value stays at the end', () =>
    assert.deepEqual(used('-Used'), [12, 5, -1, null]));

  it('stay as they are where they are equal, and where nothing can be sorted by', () => {
    assert.deepEqual(used('-Name'), [5, 12, null, -1]);
    for (const order of ['', 'Other', 'Unknown']) assert.deepEqual(used(order), [5, null, -1, 12]);
  });
});
