import type { Props } from '../props';
import type { Session } from '../session';
import type { Difference } from './difference';
import type { Checked } from './outcome';

/** What the engine asks of a resource, with the session of the process. */
export interface Methods {
  /** In every preview and every update, before anything is made. @param olds inputs in the state; empty for a create */
  check(session: Session, olds: Props, news: Props): Promise<Checked>;
  /** Compares without asking anybody: a refresh calls it with its arguments exchanged. @param olds outputs in the state */
  diff(olds: Props, news: Props): Difference;
  create(session: Session, inputs: Props): Promise<{ readonly id: string; readonly outs: Props }>;
  /** Throws on any doubt. An empty id: it is gone. */
  read(session: Session, id: string, props: Props): Promise<{ readonly id: string; readonly props: Props }>;
  update(session: Session, olds: Props, news: Props): Promise<{ readonly outs: Props }>;
  delete(session: Session, props: Props): Promise<void>;
}
