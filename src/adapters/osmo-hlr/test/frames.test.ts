import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { BadFrame, FrameReader, writeFrame } from '../frames.ts';

const text = fc.string({ unit: 'grapheme', maxLength: 200 });

describe('frames of the control interface', () => {
  it('are read as they were written, however the stream is cut', () =>
    fc.assert(
      fc.property(fc.array(text), fc.infiniteStream(fc.integer({ min: 1, max: 50 })), (texts, sizes) => {
        const stream = Buffer.concat(texts.map(writeFrame));
        const reader = new FrameReader();
        const read: string[] = [];
        for (let at = 0; at < stream.length; ) {
          const size = sizes.next().value!;
          read.push(...reader.read(stream.subarray(at, at + size)));
          at += size;
        }
        assert.deepEqual(read, texts);
      }),
    ));

  it('have a length that counts the octets after the third one', () =>
    assert.equal(writeFrame('GET 1 a').toString('hex'), `0008ee00${Buffer.from('GET 1 a').toString('hex')}`));

  it('skip other streams of the connection, and refuse an empty frame and a command that is too long', () => {
    const ping = Buffer.from('0001fe00', 'hex');
    assert.deepEqual(
      [...new FrameReader().read(Buffer.concat([ping, writeFrame('TRAP 0 x y')]))],
      ['TRAP 0 x y'],
    );
    assert.throws(() => [...new FrameReader().read(Buffer.from('0000ee', 'hex'))], BadFrame);
    assert.throws(() => writeFrame('x'.repeat(65_535)), BadFrame);
  });
});
