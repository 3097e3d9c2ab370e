import { createAuthority } from '../operator/admission/certificates/authority';
import { temporaryFile } from '../sdk/client/testing/temporary-file';
import { certificateFile } from './agent-options';

it('the certificate of an authority is read as it is', async () => {
  const { certificatePem } = await createAuthority();
  expect(certificateFile(temporaryFile('ca.crt', certificatePem))).toBe(certificatePem);
});

it('a file that is missing, or holds no certificate, is refused by its path', () => {
  expect(() => certificateFile('/nowhere/ca.crt')).toThrow('takes a file with a certificate in PEM text; "/nowhere/ca.crt" is none (ENOENT)');
  const other = temporaryFile('ca.crt', 'nonsense');
  expect(() => certificateFile(other)).toThrow(`takes a file with a certificate in PEM text; ${JSON.stringify(other)} is none (ERR_OSSL_PEM_NO_START_LINE)`);
});
