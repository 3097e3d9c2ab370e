import { decodeProtobuf } from './protobuf';

const field = (number: number, bytes: Buffer) => Buffer.concat([Buffer.from([number * 8 + 2, bytes.length]), bytes]);
const text = (number: number, value: string) => field(number, Buffer.from(value));
const whole = (number: number, value: number) => Buffer.from([number * 8, value]);
const message = (...parts: Buffer[]) => Buffer.concat(parts);
const body = (apiVersion: string, kind: string, raw: Buffer) => message(Buffer.from('k8s\0'), field(1, message(text(1, apiVersion), text(2, kind))), field(2, raw));

describe('a body in the protobuf of Kubernetes', () => {
  test('is read for the kinds that kubectl makes by itself; empty texts are absent', () => {
    const label = message(text(1, 'a'), text(2, 'b'));
    const metadata = message(text(1, 'made'), text(2, ''), field(11, label), text(14, 'x.io/one'), text(14, 'x.io/two'));
    expect(decodeProtobuf(body('v1', 'Namespace', field(1, metadata)))).toEqual({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'made', labels: { a: 'b' }, finalizers: ['x.io/one', 'x.io/two'] } });
  });

  test('is read for the options of a delete', () => {
    expect(decodeProtobuf(body('v1', 'DeleteOptions', message(whole(1, 30), field(2, text(1, 'u')), text(5, 'All'))))).toMatchObject({ gracePeriodSeconds: 30, preconditions: { uid: 'u' }, dryRun: ['All'] });
  });

  test('of another kind is 415, and of no kind 400', () => {
    expect(() => decodeProtobuf(body('apps/v1', 'Deployment', Buffer.alloc(0)))).toThrow('reads no Deployment in protobuf');
    expect(() => decodeProtobuf(Buffer.from('nonsense'))).toThrow('does not begin with the mark of Kubernetes');
    expect(() => decodeProtobuf(body('v1', 'Namespace', Buffer.from([0x0a, 0x80])))).toThrow('ends within a number');
  });
});
