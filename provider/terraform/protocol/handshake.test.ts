import { describe, expect, it } from '@jest/globals';
import { handshakeLine, isInvited, readInvitation } from './handshake';

describe('the handshake with Terraform', () => {
  it('takes protocol versions as a set, in any order', () => {
    expect(() => readInvitation({ PLUGIN_PROTOCOL_VERSIONS: '6,5' })).not.toThrow();
    expect(() => readInvitation({ PLUGIN_PROTOCOL_VERSIONS: '5,6' })).not.toThrow();
    expect(() => readInvitation({})).not.toThrow();
  });

  it('refuses a Terraform that speaks no protocol 6', () => {
    expect(() => readInvitation({ PLUGIN_PROTOCOL_VERSIONS: '4,5' })).toThrow('use terraform 1.0 or later');
  });

  it('knows whether Terraform started the process', () => {
    expect(isInvited({})).toBe(false);
    expect(isInvited({ TF_PLUGIN_MAGIC_COOKIE: 'x' })).toBe(false);
  });

  it('answers with one line, the certificate without padding', () => {
    expect(handshakeLine('/tmp/m/s', Uint8Array.of(1))).toBe('1|6|unix|/tmp/m/s|grpc|AQ');
    expect(handshakeLine('/tmp/m/s', undefined)).toBe('1|6|unix|/tmp/m/s|grpc|');
  });
});
