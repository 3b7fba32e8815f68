import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Chance, trueChance } from './chance.ts';
import { seededChance } from './seeded-chance.ts';

const VERSION_4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const ids = ({ newId }: Chance, count = 5) => Array.from({ length: count }, newId);
const chanceOf = (seed = '7', epoch = 1) => seededChance(seed, epoch);

describe('chance without a seed', () => {
  it('never draws the same values, whatever the name of the work', () => {
    const drawn = [...ids(trueChance), ...ids(trueChance.of(() => 'a')), ...ids(trueChance.of(() => 'a'))];
    assert.equal(new Set(drawn).size, drawn.length);
    assert.ok(!trueChance.bytes(32).equals(trueChance.bytes(32)));
  });

  it('is not repeatable, and one with a seed is', () =>
    assert.deepEqual([trueChance.repeats, chanceOf().of(() => 'a').repeats], [false, true]));

  it('lets the database make the ids of rows', () =>
    assert.equal(trueChance.rowIds()({ text: '$1', values: [1] }).text, 'gen_random_uuid()'));
});

describe('chance with a seed', () => {
  it('draws the same values for the same seed, epoch and work, in the form of random ones', () => {
    for (const open of [
      () => chanceOf(),
      () => chanceOf().of(() => 'a'),
      () =>
        chanceOf()
          .of(() => 'a')
          .of(() => 'b'),
    ]) {
      const drawn = ids(open());
      assert.deepEqual(ids(open()), drawn);
      for (const id of drawn) assert.match(id, VERSION_4);
      assert.deepEqual(open().bytes(100), open().bytes(100));
    }
  });

  it('draws other values for another seed, epoch or work, and when work is repeated', () => {
    const again = chanceOf();
    const works = [
      ...[chanceOf(), chanceOf('8'), chanceOf('7', 2), chanceOf('71', 1), chanceOf('7', 11)],
      ...[again.of(() => 'a'), again.of(() => 'a'), again.of(() => 'b'), again.of(() => 'a').of(() => 'a')],
    ];
    const drawn = works.flatMap((work) => ids(work, 100));
    assert.equal(new Set(drawn).size, drawn.length);
  });

  it('does not depend on draws of other work at the same time', () => {
    const alone = ids(chanceOf().of(() => 'ours'));
    const chance = chanceOf();
    const [other, ours] = [chance.of(() => 'other'), chance.of(() => 'ours')];
    const drawn = alone.map(() => {
      ids(other);
      ids(chance);
      ids(chance.of(() => 'one more'));
      return ours.newId();
    });
    assert.deepEqual(drawn, alone);
  });

  it('names the work at its first draw: work that never draws is not counted', () => {
    const chance = chanceOf();
    const names = ['never'];
    const work = chance.of(() => names[0]!);
    chance.of(() => 'known later');
    names[0] = 'known later';
    assert.deepEqual(ids(work), ids(chanceOf().of(() => 'known later')));
  });

  it('returns the requested number of bytes, and no part of them twice', () => {
    const { bytes } = chanceOf();
    assert.deepEqual(
      [0, 1, 31, 32, 33, 4_096].map((count) => bytes(count).length),
      [0, 1, 31, 32, 33, 4_096],
    );
    const drawn = Buffer.concat([bytes(4_000), bytes(4_000)]).toString('hex');
    const blocks = drawn.match(/.{16}/g) ?? [];
    assert.equal(new Set(blocks).size, blocks.length);
  });
});
