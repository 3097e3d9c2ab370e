/** An answer that is no success, in words for whoever asked. */
export class ApiFault extends Error {
  override readonly name = 'ApiFault';

  constructor(readonly code: number, message: string) {
    super(message);
  }
}
