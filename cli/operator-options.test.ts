import { listenAddress, logLevel, namespaceName, ownIdentity } from './operator-options';

it.each([
  ['0.0.0.0:9443', { host: '0.0.0.0', port: 9443 }],
  ['localhost:0', { host: 'localhost', port: 0 }],
  ['[::]:9443', { host: '::', port: 9443 }],
  ['[2001:db8::1]:80', { host: '2001:db8::1', port: 80 }],
])('%s is where to listen', (text, expected) => {
  expect(listenAddress(text)).toEqual(expected);
});

it.each(['9443', ':9443', 'host', 'host:', 'host:70000', '::1:80', 'https://host:1', ' host:1'])('%j is refused as a place to listen, with what is taken', (text) => {
  expect(() => listenAddress(text)).toThrow(`takes host:port, such as 0.0.0.0:9443 or [::]:9443, not ${JSON.stringify(text)}`);
});

it('a namespace and a level of the log are checked', () => {
  expect([namespaceName('macrack-system'), logLevel('warn')]).toEqual(['macrack-system', 'warn']);
  expect(() => namespaceName('Macrack_System')).toThrow(RangeError);
  expect(() => logLevel('loud')).toThrow('takes debug, info, warn, error, not "loud"');
});

it('two replicas on one host have two identities', () => {
  expect(ownIdentity()).not.toBe(ownIdentity());
});
