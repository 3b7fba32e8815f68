import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseAddress, parseCustomerName, parsePlace } from './place-of-use.ts';

const address = { addressLine1: '1 Main St', city: 'Grapevine', state: 'TX', zip: '76051', country: 'US' };

describe('an address', () => {
  for (const line of [
    'P.O. Box 12',
    'PO Box 12',
    'P O BOX 12',
    'p.o.box 12',
    'POBOX 12',
    'PO-Box 12',
    'P/O Box 5',
    'P-O Box 5',
    'P / O / Box 5',
    'P/O/B 5',
    'P.O.B. 12',
    'POB 12',
    'Post Office Box 12',
    'Post Box 12',
    'Postal Box 12',
    'PO Drawer 7',
    'PO Bx 12',
    'Box 12',
    'POBOX12',
    'PO Box',
    'box #12',
    '1 Main St, P.O. Box 12',
  ]) {
    // proves plans/names-and-addresses
    it(`must not be a P.O. box: ${line}`, () =>
      assert.equal(
        parseAddress({ ...address, addressLine1: line }),
        'addressLine1 is a P.O. box and no physical address',
      ));
  }

  for (const line of [
    '1 Box Elder Road',
    '12 Post Road',
    '5 Poboda St',
    'RR 2 Box 152',
    '7 Postal Way',
    '3 Drawer Ln',
    '9 Poboxer St',
    '12 Poboxwood Ave',
    '4 Post Boxall Ln',
  ]) {
    it(`may be ${line}`, () =>
      assert.equal(typeof parseAddress({ ...address, addressLine1: line }), 'object'));
  }

  it('is stored without empty fields, and with the state in capitals', () =>
    assert.deepEqual(
      parseAddress({ ...address, state: 'tx', country: 'us', zip4: '', addressLine2: 'Unit 5' }),
      { ...address, addressLine2: 'Unit 5' },
    ));
});

describe('a place of use', () => {
  const customerName = { firstName: 'Ann', lastName: 'Lee' };
  const placed = (more: object) => {
    const { country: _, ...published } = address;
    return parsePlace({ address: { ...published, ...more }, customerName }, 'it').address;
  };

  // proves plans/places-of-published-clients
  it('is in the US if it names no country, and in no other country', () => {
    for (const more of [{}, { country: '' }, { country: 'us' }]) assert.deepEqual(placed(more), address);
    for (const country of ['CA', 'USA', 'Mexico']) assert.throws(() => placed({ country }));
  });

  // proves plans/places-of-published-clients
  it('may have zip+4 instead of zip4', () => {
    assert.deepEqual(placed({ 'zip+4': '1234' }), { ...address, zip4: '1234' });
    assert.deepEqual(placed({ 'zip+4': '1234', zip4: '5678' }), { ...address, zip4: '5678' });
    assert.throws(() => placed({ 'zip+4': '123' }));
  });
});

describe('the name of a customer', () => {
  // proves 4.5/customerName 8/names
  it('may have 20 and 25 characters: letters, digits, spaces, dashes, exclamation points and pound signs', () => {
    const name = { firstName: 'Anne-Marie #2 of 3!!', lastName: 'Smith - Jones 4th # 5 !!!' };
    assert.deepEqual([name.firstName.length, name.lastName.length], [20, 25]);
    assert.deepEqual(parseCustomerName({ title: 'Dr.', ...name, middleName: 'Q', suffix: 'Jr.' }), {
      title: 'Dr.',
      ...name,
      middleName: 'Q',
      suffix: 'Jr.',
    });
  });

  for (const text of ["O'Neil", 'A.', 'José', 'a_b', 'a<b', 'a\\b', 'a,b', 'a\nb']) {
    it(`may not be ${JSON.stringify(text)}`, () => {
      assert.equal(typeof parseCustomerName({ firstName: text, lastName: 'X' }), 'string');
      assert.equal(typeof parseCustomerName({ firstName: 'X', lastName: text }), 'string');
    });
  }
});
