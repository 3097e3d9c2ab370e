import type { MacNode, MacNodeBinding } from '../../sdk/api/kinds';
import { planEnrolment, type AskedEnrolment } from './plan-enrolment';

const OLD = '11111111-1111-1111-1111-111111111111';
const NEW = '22222222-2222-2222-2222-222222222222';
const mac = (spec: Partial<MacNode['spec']> = {}) => ({ spec: { class: 'base', serial: 'c02a', hardwareUUID: OLD, cordoned: false, retired: false, ...spec } }) as MacNode;
const claim = {} as MacNodeBinding;
const ask = (asked: Partial<AskedEnrolment> = {}): AskedEnrolment => ({ serial: 'c02a', replaceHardware: false, ...asked });

describe('enrolling a Mac', () => {
  it('for the first time takes its class and its hardware UUID', () => {
    expect(planEnrolment(ask({ class: 'pro', hardwareUUID: OLD }), null, null)).toEqual({ spec: { class: 'pro', serial: 'c02a', hardwareUUID: OLD, retired: false }, isNew: true, isChanged: true });
    expect(() => planEnrolment(ask({ class: 'pro' }), null, null)).toThrow('its first enrolment takes --class and --hardware-uuid');
  });

  it('again, as it stands, changes nothing and gives out the same token', () => {
    expect(planEnrolment(ask({ class: 'base', hardwareUUID: OLD }), mac(), claim)).toMatchObject({ isNew: false, isChanged: false });
    expect(planEnrolment(ask(), mac(), claim)).toMatchObject({ isNew: false, isChanged: false });
  });

  it('brings a retired one back, with a new token', () => {
    expect(planEnrolment(ask(), mac({ retired: true }), null)).toMatchObject({ spec: { retired: false }, isNew: true, isChanged: true });
  });

  it('with another hardware UUID is refused, unless its logic board was changed', () => {
    expect(() => planEnrolment(ask({ hardwareUUID: NEW }), mac(), null)).toThrow('if its logic board was changed, add --replace-hardware');
    expect(planEnrolment(ask({ hardwareUUID: NEW, replaceHardware: true }), mac(), null)).toMatchObject({ spec: { hardwareUUID: NEW }, isNew: true });
  });

  it('knows a UUID in either case', () => {
    const upper = 'ABCDEF01-1111-1111-1111-111111111111';
    expect(planEnrolment(ask({ hardwareUUID: upper }), mac({ hardwareUUID: upper.toLowerCase() }), null)).toMatchObject({ isChanged: false });
  });

  it('changes the class of one that is free, not of one that is leased', () => {
    expect(planEnrolment(ask({ class: 'pro' }), mac(), null)).toMatchObject({ spec: { class: 'pro' }, isNew: false, isChanged: true });
    expect(() => planEnrolment(ask({ class: 'pro' }), mac(), claim)).toThrow('leased as class base');
  });
});
