import { ALLOWED, both, refuse, type Verdict } from './verdict';

/** What tells one virtual machine from another on the wire and to Apple's services. */
export interface Identity {
  readonly instance: string;
  readonly machineID: string;
  readonly mac: string;
}

/** What the fourth stop is judged on. */
export interface IdentityFacts {
  readonly candidate: Identity;
  /** Identities in use anywhere in the fleet, the candidate's own included. */
  readonly known: readonly Identity[];
}

function collision(candidate: Identity, what: string, value: string): Verdict {
  return refuse('IdentityCollision', '', `Instance ${candidate.instance} does not start: its ${what} ${value} belongs to another virtual machine. `
    + `Two machines that share an identity are one machine run twice (licence, section 2B(iii)). Delete the instance and create it again: each new one gets an identity of its own.`);
}

const sameMac = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** The fourth stop: machine identifier and MAC address are distinct across the fleet. */
export function judgeIdentity({ candidate, known }: IdentityFacts): Verdict {
  const others = known.filter((k) => k.instance !== candidate.instance);
  return both(
    others.some((k) => k.machineID === candidate.machineID) ? collision(candidate, 'machine identifier', candidate.machineID) : ALLOWED,
    others.some((k) => sameMac(k.mac, candidate.mac)) ? collision(candidate, 'MAC address', candidate.mac) : ALLOWED,
  );
}
