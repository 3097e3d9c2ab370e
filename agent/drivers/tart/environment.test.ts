import { environmentOf, words } from './environment';

const agent = { HOME: '/Users/macrack', PATH: '/usr/bin', TART_REGISTRY_USERNAME: 'robot', TART_REGISTRY_PASSWORD: 'hunter2', KUBECONFIG: '/secret', AWS_SECRET_ACCESS_KEY: 'k' };

describe('what tart sees of the environment of the agent', () => {
  it('is nothing that it does not know, and credentials only where an image is pulled', () => {
    const { plain, pull } = environmentOf(agent);
    expect(plain).toEqual({ HOME: '/Users/macrack', PATH: '/usr/bin' });
    expect(pull).toEqual({ ...plain, TART_REGISTRY_USERNAME: 'robot', TART_REGISTRY_PASSWORD: 'hunter2' });
  });
});

describe('what is told of the words of tart', () => {
  it.each([
    ['credentials of the registry', 'login as robot with hunter2 failed', 'login as (withheld) with (withheld) failed'],
    ['a token in a header', 'Authorization: Bearer eyJhbGciOi.x refused', 'Authorization: Bearer (withheld) refused'],
    ['a password in an address', 'GET https://u:pw@ghcr.io/v2/ failed', 'GET https://(withheld)@ghcr.io/v2/ failed'],
    ['a token in a query', '…/token?token=abc&scope', '…/token?token=(withheld)'],
  ])('is without %s', (_what, said, told) => {
    expect(words(said, agent)).toBe(told);
  });

  it('is one line, without colours, and its end when it is long', () => {
    expect(words('\u001b[31mfirst\u001b[0m\n\n  second  \n', agent)).toBe('first; second');
    expect(words(`${'x'.repeat(1000)} the reason`, agent)).toMatch(/^… x+ the reason$/);
  });
});
